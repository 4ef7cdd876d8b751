/** `-o FILE`: the whole result as a file of the user's. */
import { dirname, resolve } from 'node:path';
import { statSync, TrestleError, writeFileAtomic, writeNewFile } from '../base/index.ts';
import type { CommandContext } from './command.ts';
import type { FlagTable } from './flags.ts';

/** Flags of commands whose result can be saved. */
export const savingFlags = {
  output: {
    kind: 'text',
    short: 'o',
    value: 'FILE',
    doc: 'Write the whole result to FILE; an existing file is refused.',
  },
  force: { kind: 'switch', doc: 'Let -o replace an existing file.' },
} as const satisfies FlagTable;

/** Writes `contents`, following no link. Throws `exists` (unless `force`), `file_error`. */
export async function saveResult(
  context: CommandContext,
  contents: string | Uint8Array,
  where: { readonly output: string; readonly force: boolean },
): Promise<void> {
  const path = resolve(context.surroundings.cwd, where.output);
  if (statSync(dirname(path)) === undefined) {
    throw new TrestleError({
      code: 'file_error',
      message: `There is no folder ${dirname(path)}.`,
      hint: 'Make it first, or choose another FILE.',
    });
  }
  // A rename replaces a link itself, never what it points to.
  if (where.force) await writeFileAtomic(path, contents);
  else await writeNewFile(path, contents);
  const size = typeof contents === 'string' ? new TextEncoder().encode(contents).length : contents.length;
  context.output.note(`${size} bytes written to ${path}.`);
}
