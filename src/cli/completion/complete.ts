/**
 * The answer to a shell's Tab: one candidate a line, its description after a tab; `:files` where the shell's own completion of
 * file names belongs. Reads files only, starts nothing, and says nothing where it cannot help.
 */
import { canonicalPathSync, type Program } from '../../base/index.ts';
import { createRuntime, type Runtime } from '../../runtime/index.ts';
import { chooseHome } from '../home.ts';
import { cell } from '../render/cell.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Candidate } from './candidates.ts';
import { candidatesAt } from './candidates-at.ts';
import { splitLine } from './split-line.ts';
import type { Cursor } from './wanted.ts';

const descriptionCharacters = 60;
const filesReply = ':files';

/** What every shell leaves as it is. Names are a server's: what a shell would take for more than a word is not offered. */
const plainWord = /^[\p{L}\p{N}_@%+,./:-][\p{L}\p{N}_@%+,./:=-]*$/u;

/**
 * `words -- WORD… CURRENT`, or for shells that break words at more than spaces `line LINE BREAKS`: the line up to the cursor, and the
 * characters at which the shell breaks.
 */
export async function complete(
  argv: readonly string[],
  surroundings: Surroundings,
  program: Program,
): Promise<readonly string[]> {
  const asked = readAsked(argv);
  if (asked === undefined) return [];
  try {
    const candidates = await candidatesAt(asked.cursor, { program, open: (home) => openFiles(home, surroundings) });
    return candidates === 'files' ? [filesReply] : replies(candidates, asked);
  } catch {
    // An error here would stand in the middle of what somebody is typing.
    return [];
  }
}

interface Asked {
  readonly cursor: Cursor;
  /** How much of the current word the shell takes for words of their own. */
  readonly cut: number;
}

function readAsked([form, ...rest]: readonly string[]): Asked | undefined {
  if (form === 'words') {
    const [, ...words] = rest;
    return { cursor: { words: words.slice(0, -1), current: words.at(-1) ?? '' }, cut: 0 };
  }
  const [line = '', breaks = ''] = rest;
  const { words, current, quoted } = splitLine(line);
  if (form !== 'line' || quoted) return undefined;
  let cut = current.length;
  while (cut > 0 && !breaks.includes(current.charAt(cut - 1))) cut -= 1;
  return { cursor: { words: words.slice(1), current }, cut };
}

/** Never the daemon's: what it knows stands in the same files. */
function openFiles(home: string | undefined, surroundings: Surroundings): Runtime {
  const { env, userHome, platform } = surroundings;
  const cwd = canonicalPathSync(surroundings.cwd);
  return createRuntime({ places: chooseHome(home, surroundings), cwd, userHome, env, platform });
}

function replies(candidates: readonly Candidate[], { cursor: { current }, cut }: Asked): readonly string[] {
  return candidates
    .filter(({ text }) => text.startsWith(current) && plainWord.test(text))
    .map(({ text, description }) => {
      const said = cell(description, descriptionCharacters);
      return said === '' ? text.slice(cut) : `${text.slice(cut)}\t${said}`;
    });
}
