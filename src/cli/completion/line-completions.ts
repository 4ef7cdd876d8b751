/** What can stand at the end of a line that a person types to a host, as whole lines. */
import { type Program, shellQuote } from '../../base/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import { cell } from '../render/cell.ts';
import { candidatesAt } from './candidates-at.ts';
import { splitLine } from './split-line.ts';

/** One way to go on. */
export interface LineCompletion {
  /** The line with it. */
  readonly line: string;
  /** The word that it adds. */
  readonly label: string;
  readonly description?: string;
}

export interface HostLine {
  readonly runtime: Runtime;
  readonly program: Program;
}

/** Empty where nothing is known, and where the word is being quoted. Rejects where files cannot be read. */
export async function lineCompletions(
  line: string,
  { runtime, program }: HostLine,
): Promise<readonly LineCompletion[]> {
  const { words, current, begin, quoted } = splitLine(line);
  if (quoted) return [];
  const candidates = await candidatesAt({ words, current }, { program, open: () => runtime });
  if (candidates === 'files') return [];
  const before = line.slice(0, begin);
  return candidates
    .filter(({ text }) => text.startsWith(current) && cell(text) === text)
    .map(({ text, description }) => {
      const said = cell(description);
      return {
        // What ends with "=" is to be gone on with.
        line: `${before}${shellQuote(text)}${text.endsWith('=') ? '' : ' '}`,
        label: text,
        ...(said === '' ? {} : { description: said }),
      };
    });
}
