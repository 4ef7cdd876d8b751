/** What a command is. */
import type { Runtime } from '../runtime/index.ts';
import type { Dialogs } from './dialogs.ts';
import type { FlagGuess, FlagTable, ParsedWords } from './flags.ts';
import type { Output } from './output.ts';
import type { Surroundings } from './surroundings.ts';
import type { TypedCommand } from './typed-command.ts';

/** What a command works with. */
export interface CommandContext {
  readonly typed: TypedCommand;
  readonly surroundings: Surroundings;
  readonly output: Output;
  /** Aborts when the person interrupts; its reason is a TrestleError of code `cancelled`. Asking for it starts listening. */
  readonly signal: AbortSignal;
  /** The runtime over the chosen home; opened on first use, closed when the command ends. */
  runtime(): Runtime;
  /** Of a host that asks by dialogs; without them a person is asked at the terminal, if there is one. */
  readonly dialogs?: Dialogs;
  /** Whether there is a command of that name here. */
  hasCommand(name: string): boolean;
}

/** What a word of a command is, for the completion of command lines; a list: one of these. */
export type WordKind =
  | 'server'
  /** Of the server before it. */
  | 'tool'
  | 'resource'
  | 'prompt'
  /** `key=value` of the tool or prompt before, any number of them. */
  | 'arguments'
  | 'prompt-arguments'
  /** The name of a secret, after the word that says what is done with it. */
  | 'secret'
  | 'command'
  | 'file'
  | readonly string[];

/** One command as its file writes it. */
export interface CommandFacts<Table extends FlagTable> {
  readonly name: string;
  /** One sentence for its help. */
  readonly summary: string;
  /** Forms of use, without the program. */
  readonly usage: readonly string[];
  readonly flags: Table;
  /** What its words are, in their order; default: nothing that can be completed. */
  readonly words?: readonly WordKind[];
  /** What `--json` prints, one sentence. */
  readonly json: string;
  /** Further paragraphs for its help. */
  readonly details?: readonly string[];
  /** Commands that work as they stand, without the program. */
  readonly examples: readonly string[];
  /** What is likely to be meant by a flag that the command does not have. */
  readonly guessFlag?: FlagGuess;
  /** Does the work; resolves with the exit code. Throws TrestleError. */
  run(context: CommandContext, words: ParsedWords<Table>): Promise<number>;
}

/** A command of any table of flags. */
export type Command = CommandFacts<FlagTable>;

/** Types `run` by the command's own table. */
export function defineCommand<const Table extends FlagTable>(facts: CommandFacts<Table>): Command {
  return facts;
}
