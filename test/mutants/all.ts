import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mutantIds } from '../requirements.ts';
import type { Mutant } from './mutant.ts';

/** Every mutant of every `<room>.ts` of this folder, whatever its list is called. */
export async function loadMutants(): Promise<readonly Mutant[]> {
  const rooms = globSync('*.ts', { cwd: import.meta.dirname }).filter(
    (name) => !/^(all|mutant)\.ts$|\.test\./.test(name),
  );
  const lists = await Promise.all(
    rooms.sort().map(async (name) => {
      const room = (await import(pathToFileURL(join(import.meta.dirname, name)).href)) as Record<
        string,
        readonly Mutant[]
      >;
      return Object.values(room).flat();
    }),
  );
  return lists.flat();
}

/** Why a mutant cannot be applied to the text of its file; undefined when it can. */
export function problemOf(mutant: Mutant, text: string | undefined): string | undefined {
  if (text === undefined) return `there is no ${mutant.file}`;
  if (mutant.find.includes('\n')) return 'what it looks for is longer than a line';
  if (mutant.find === mutant.replace) return 'it changes nothing';
  const times = text.split(mutant.find).length - 1;
  return times === 1 ? undefined : `what it looks for occurs ${times} times in ${mutant.file}`;
}

/** Ids that need a mutant and have none. */
export function idsWithoutMutant(mutants: readonly Mutant[]): readonly string[] {
  const covered = new Set(mutants.map((mutant) => mutant.id));
  return mutantIds.filter((id) => !covered.has(id));
}
