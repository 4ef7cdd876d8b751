/** The user's own command, given back with only the wrong part replaced. */
import { type Program, runnerOf, shellQuote } from '../base/index.ts';

/** What was typed. */
export interface TypedCommand {
  readonly program: Program;
  readonly argv: readonly string[];
}

/** The word at `at` becomes `words` (none: it is left out). */
export interface Correction {
  readonly at: number;
  readonly words: readonly string[];
}

/** Another command of ours, quoted for a shell. */
export function commandLine(typed: TypedCommand, ...words: readonly string[]): string {
  return quoted(runnerOf(typed.program, words[0] ?? ''), words);
}

function quoted(program: string, words: readonly string[]): string {
  return [program, ...words.map(shellQuote)].join(' ');
}

/** The same words for a shell, of a program that is inside of a host. */
export function shellLine(elsewhere: string, words: readonly string[]): string {
  return quoted(elsewhere, words);
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
  return quoted(typed.program.name, [
    ...corrected(argv.slice(0, end), 0),
    ...added,
    ...corrected(argv.slice(end), end),
  ]);
}
