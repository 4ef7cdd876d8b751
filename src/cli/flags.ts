/** Flags: one table a command, from which parsing, typing and help all come. */
import { nearest, type Program, TrestleError } from '../base/index.ts';
import { correctedCommand, type TypedCommand } from './typed-command.ts';

interface FlagFacts {
  /** One line for `--help`. */
  readonly doc: string;
  /** One letter: `o` for `-o`. */
  readonly short?: string;
}

export type Flag =
  | (FlagFacts & { readonly kind: 'switch' })
  | (FlagFacts & { readonly kind: 'text'; readonly value: string; readonly choices?: readonly string[] })
  /** May be given several times. */
  | (FlagFacts & { readonly kind: 'texts'; readonly value: string })
  /** A number of seconds above 0; its value is in milliseconds. */
  | (FlagFacts & { readonly kind: 'seconds' });

/** Flags by long name, in the order of the help. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** The values a table's flags have after parsing. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name]['kind'] extends 'switch'
    ? boolean
    : Table[Name]['kind'] extends 'texts'
      ? readonly string[]
      : Table[Name]['kind'] extends 'seconds'
        ? number | undefined
        : string | undefined;
};

/** A word that is no flag, with its place among the words typed. */
export interface Word {
  readonly text: string;
  readonly at: number;
}

/** Where the last value of a flag stands; `inline` when it was written `--flag=value`. */
export interface FlagPlace {
  readonly at: number;
  readonly inline: boolean;
}

/** The words of one command, sorted out. */
export interface ParsedWords<Table extends FlagTable> {
  readonly flags: FlagValues<Table>;
  readonly flagPlaces: ReadonlyMap<string, FlagPlace>;
  readonly words: readonly Word[];
  /** What follows `--`; undefined without `--`. */
  readonly rest: readonly string[] | undefined;
}

/** Flags that every command has. */
const commonFlags = {
  json: { kind: 'switch', doc: 'Print JSON on standard output, failures too.' },
  home: {
    kind: 'text',
    value: 'pi|PATH',
    doc: "Trestle's home; `pi` uses Pi's servers and registry. Default: $TRESTLE_HOME, else ~/.trestle.",
  },
  'no-daemon': { kind: 'switch', doc: 'Start servers in this process, and leave the daemon alone.' },
  help: { kind: 'switch', short: 'h', doc: 'Show this help.' },
} as const satisfies FlagTable;

/** The flags that every command of `program` has: a host's own home and servers are not to be chosen. */
export function commonFlagsOf({
  inside,
}: Program): Pick<typeof commonFlags, 'json' | 'help'> & Partial<typeof commonFlags> {
  const { json, help } = commonFlags;
  return inside === undefined ? commonFlags : { json, help };
}

/** Flags of every request to a server. */
export const requestFlags = {
  timeout: { kind: 'seconds', doc: 'Longest time without a sign of progress. Default 60.' },
  'max-total': { kind: 'seconds', doc: 'Longest time in all. Default 600.' },
} as const satisfies FlagTable;

/** What may have been meant by an unknown flag at `at`, after `words`: the command corrected; undefined where nothing is likely. */
export type FlagGuess = (typed: TypedCommand, words: readonly Word[], at: number) => string | undefined;

/** Sorts out the typed words but the command's name (at -1: there is none). Throws `usage`, with the user's own command corrected where that can be guessed. */
export function parseWords<Table extends FlagTable>(
  table: Table,
  typed: TypedCommand,
  command: { readonly at: number; readonly guessFlag?: FlagGuess | undefined },
): ParsedWords<Table> {
  const { argv } = typed;
  const values = new Map<string, boolean | number | string | string[]>();
  const flagPlaces = new Map<string, FlagPlace>();
  const words: Word[] = [];
  let rest: readonly string[] | undefined;
  for (let at = 0; at < argv.length; at += 1) {
    if (at === command.at) continue;
    const text = argv[at] ?? '';
    if (text === '--') {
      rest = argv.slice(at + 1);
      break;
    }
    if (!looksLikeFlag(text)) {
      words.push({ text, at });
      continue;
    }
    const recognised = recogniseFlag(table, text);
    if (recognised === undefined) throw unknownFlag(table, typed, { at, guess: command.guessFlag?.(typed, words, at) });
    const { name, flag, inlineValue } = recognised;
    if (flag.kind === 'switch') {
      if (inlineValue !== undefined) throw usage(`--${name} takes no value.`);
      values.set(name, true);
      continue;
    }
    const value = inlineValue ?? argv[at + 1];
    if (value === undefined) throw usage(`--${name} needs a value: ${valueName(flag)}.`);
    if (inlineValue === undefined) at += 1;
    flagPlaces.set(name, { at, inline: inlineValue !== undefined });
    if (flag.kind === 'texts') values.set(name, [...((values.get(name) as string[] | undefined) ?? []), value]);
    else values.set(name, flag.kind === 'seconds' ? readSeconds(name, value) : readText(name, flag, value));
  }
  const flags = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => [name, values.get(name) ?? emptyValue(flag)]),
  );
  return { flags: flags as FlagValues<Table>, flagPlaces, words, rest };
}

/** Where the command's name stands among the typed words: the first word that is neither a flag nor a flag's value; else -1. */
export function commandPlace(argv: readonly string[]): number {
  for (let at = 0; at < argv.length && argv[at] !== '--'; at += 1) {
    const text = argv[at] ?? '';
    if (!looksLikeFlag(text)) return at;
    if (text === '--home') at += 1;
  }
  return -1;
}

/** How the home was typed: the words of the last `--home`, none where there is none. */
export function homeWords(argv: readonly string[]): readonly string[] {
  const dashes = argv.indexOf('--');
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const at = own.findLastIndex((text) => text === '--home' || text.startsWith('--home='));
  return at === -1 ? [] : own.slice(at, own[at] === '--home' ? at + 2 : at + 1);
}

const longestChoices = 40;

/** What stands for the value in help and messages. */
export function valueName(flag: Flag): string {
  if (flag.kind === 'switch') return '';
  if (flag.kind === 'seconds') return 'SECONDS';
  const choices = flag.kind === 'text' ? flag.choices?.join('|') : undefined;
  // A long list would leave no room for what the flags do.
  return choices !== undefined && choices.length <= longestChoices ? choices : flag.value;
}

/** An error of code `usage`. */
export function usage(message: string, hint?: string): TrestleError {
  return new TrestleError({ code: 'usage', message, hint, execution: 'not-sent' });
}

// "-" alone means standard input, and "-3" is a value.
function looksLikeFlag(text: string): boolean {
  return /^-[^\d.]/.test(text);
}

/** A flag as it was written. */
export interface RecognisedFlag {
  readonly name: string;
  readonly flag: Flag;
  readonly inlineValue: string | undefined;
}

/** The flag of a table that a word names; undefined when it has none of that name. */
export function recogniseFlag(table: FlagTable, text: string): RecognisedFlag | undefined {
  const { written, inlineValue } = splitFlag(text);
  const name = written.startsWith('--')
    ? written.slice(2)
    : Object.keys(table).find((long) => table[long]?.short === written.slice(1));
  const flag = name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
  return name === undefined || flag === undefined ? undefined : { name, flag, inlineValue };
}

function splitFlag(text: string): { readonly written: string; readonly inlineValue: string | undefined } {
  const equals = text.indexOf('=');
  return equals === -1
    ? { written: text, inlineValue: undefined }
    : { written: text.slice(0, equals), inlineValue: text.slice(equals + 1) };
}

/** The refusal of the flag at `at`: a slip of one there is goes before the command's own `guess`. */
function unknownFlag(
  table: FlagTable,
  typed: TypedCommand,
  { at, guess }: { readonly at: number; readonly guess: string | undefined },
): TrestleError {
  const { written, inlineValue } = splitFlag(typed.argv[at] ?? '');
  const [near] = nearest(written.replace(/^-+/, ''), Object.keys(table), 1);
  const replacement = `--${near}${inlineValue === undefined ? '' : `=${inlineValue}`}`;
  const meant = near === undefined ? guess : correctedCommand(typed, [{ at, words: [replacement] }]);
  return usage(
    `There is no flag ${written} here.`,
    meant === undefined
      ? 'See the flags with --help. A word that starts with a dash can be given as key=value, or after --.'
      : `Did you mean: ${meant}`,
  );
}

function readSeconds(name: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds <= 0) {
    throw usage(`--${name} needs a number of seconds above 0, not "${text}".`);
  }
  return Math.ceil(seconds * 1000);
}

function readText(name: string, flag: Flag, text: string): string {
  if (flag.kind === 'text' && flag.choices !== undefined && !flag.choices.includes(text)) {
    throw usage(`--${name} is one of ${flag.choices.join(', ')}, not "${text}".`);
  }
  return text;
}

function emptyValue(flag: Flag): boolean | readonly string[] | undefined {
  if (flag.kind === 'switch') return false;
  return flag.kind === 'texts' ? [] : undefined;
}
