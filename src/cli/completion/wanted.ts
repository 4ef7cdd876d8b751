/** What stands at the cursor: a command, a flag, a flag's value, or one of the command's own words. */
import type { Program } from '../../base/index.ts';
import type { Command } from '../command.ts';
import { findCommand } from '../commands.ts';
import { commandPlace, commonFlagsOf, type Flag, type FlagTable, recogniseFlag } from '../flags.ts';

export type Wanted =
  | { readonly kind: 'command' }
  | { readonly kind: 'flag'; readonly table: FlagTable; readonly given: ReadonlySet<string> }
  /** `written`: what of the word stands before the value, `--flag=`; `before`: the words before it that are no flags. */
  | { readonly kind: 'value'; readonly flag: Flag; readonly written: string; readonly before: readonly string[] }
  /** The words before it that are no flags. */
  | { readonly kind: 'word'; readonly command: Command; readonly before: readonly string[] }
  /** A word of another program's command line. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'nothing' };

export interface Cursor {
  /** The words before, without the program's. */
  readonly words: readonly string[];
  readonly current: string;
}

/** What is wanted at the cursor, and the home that the line names. */
export async function wantedAt(
  { words, current }: Cursor,
  program: Program,
): Promise<{ readonly wanted: Wanted; readonly home?: string }> {
  const at = commandPlace(words);
  const name = words[at];
  const command = name === undefined || name === 'help' ? undefined : await findCommand(name, program)?.load();
  const table = { ...command?.flags, ...commonFlagsOf(program) };
  const read = readWords(table, words, at);
  const home = read.home === undefined ? {} : { home: read.home };
  if (read.rest) return { wanted: { kind: 'foreign' } };
  if (read.open !== undefined)
    return { wanted: { kind: 'value', flag: read.open, written: '', before: read.words }, ...home };
  if (current.startsWith('-')) return { wanted: flagOrValue(table, current, read), ...home };
  if (command !== undefined) return { wanted: { kind: 'word', command, before: read.words }, ...home };
  const isCommand = name === undefined || (name === 'help' && read.words.length === 0);
  return { wanted: { kind: isCommand ? 'command' : 'nothing' } };
}

interface ReadWords {
  readonly words: readonly string[];
  readonly given: ReadonlySet<string>;
  /** The flag whose value is the next word. */
  readonly open: Flag | undefined;
  readonly home: string | undefined;
  /** Whether `--` came. */
  readonly rest: boolean;
}

/** As the command's own parser, but forgiving: the line is still being written. */
function readWords(table: FlagTable, all: readonly string[], commandAt: number): ReadWords {
  const words: string[] = [];
  const given = new Set<string>();
  let home: string | undefined;
  let open: { readonly name: string; readonly flag: Flag } | undefined;
  for (const [at, text] of all.entries()) {
    if (open !== undefined) {
      if (open.name === 'home') home = text;
      open = undefined;
    } else if (text === '--') return { words, given, open: undefined, home, rest: true };
    else if (text.startsWith('-')) {
      const found = recogniseFlag(table, text);
      if (found === undefined) continue;
      given.add(found.name);
      if (found.name === 'home') home = found.inlineValue;
      if (found.flag.kind !== 'switch' && found.inlineValue === undefined) open = found;
    } else if (at !== commandAt) words.push(text);
  }
  return { words, given, open: open?.flag, home, rest: false };
}

function flagOrValue(table: FlagTable, current: string, { given, words }: ReadWords): Wanted {
  const equals = current.indexOf('=');
  if (equals < 0) return { kind: 'flag', table, given };
  const found = recogniseFlag(table, current);
  if (found === undefined || found.flag.kind === 'switch') return { kind: 'nothing' };
  return { kind: 'value', flag: found.flag, written: current.slice(0, equals + 1), before: words };
}
