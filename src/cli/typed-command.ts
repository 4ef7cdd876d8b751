/** The user's own command, given back with only the wrong part replaced. */
import { shellQuote } from '../base/index.ts';

/** What was typed. */
export interface TypedCommand {
  /** How Trestle was started, as it can be pasted: `trestle`, or `npx trestle`. */
  readonly program: string;
  readonly argv: readonly string[];
}

/** The word at `at` becomes `words` (none: it is left out). */
export interface Correction {
  readonly at: number;
  readonly words: readonly string[];
}

/** Another command of ours, quoted for a shell. */
export function commandLine(typed: TypedCommand, ...words: readonly string[]): string {
  return [typed.program, ...words.map(shellQuote)].join(' ');
}

/** Our own text with the commands in it as they can be pasted: what lies below the command does not know how it was started. */
export function pasteable(text: string, program: string): string {
  // A command that was made here is right already, and what it holds of the user's is left as it is.
  return text.includes(`${program} `) ? text : text.replaceAll(/(?<![\w@./-])trestle(?= [a-z])/g, program);
}

/** The typed command with corrections, and with `added` words at the end of its own arguments (before a `--`). */
export function correctedCommand(
  typed: TypedCommand,
  corrections: readonly Correction[],
  added: readonly string[] = [],
): string {
  const { argv } = typed;
  const byPlace = new Map(corrections.map((correction) => [correction.at, correction.words]));
  const dashes = argv.indexOf('--');
  const end = dashes === -1 ? argv.length : dashes;
  const corrected = (words: readonly string[], from: number): readonly string[] =>
    words.flatMap((word, index) => byPlace.get(from + index) ?? [word]);
  return commandLine(typed, ...corrected(argv.slice(0, end), 0), ...added, ...corrected(argv.slice(end), end));
}
