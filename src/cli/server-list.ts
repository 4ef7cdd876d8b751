/** A command that asks a server for one of its lists and prints it. */
import { hasValue, type Outcome, type Runtime, type ServerRequest } from '../runtime/index.ts';
import type { CommandContext } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import type { ParsedWords } from './flags.ts';
import type { Output } from './output.ts';
import { renderJson } from './render/json.ts';
import { printFailed } from './report.ts';
import { type RequestLimits, withProgress } from './request.ts';
import { withSuggestion } from './suggest.ts';
import { readTarget, refuseFurther } from './target.ts';

export interface ServerList<T> {
  readonly ask: (runtime: Runtime, request: ServerRequest) => Promise<Outcome<T>>;
  /** For a person; problems and notes follow on standard error. */
  readonly lines: (list: T, output: Output) => readonly string[];
}

/** Asks the server that the words name; prints its list, or why there is none. Resolves with the exit code. */
export async function printServerList<T extends { readonly problems: readonly string[] }>(
  context: CommandContext,
  words: Pick<ParsedWords<never>, 'words' | 'rest'> & { readonly flags: RequestLimits },
  { ask, lines }: ServerList<T>,
): Promise<number> {
  const { target, words: after } = readTarget(words);
  refuseFurther(after, 'the server');
  const { output, typed } = context;
  const runtime = context.runtime();
  const outcome = await withProgress(context, { target, limits: words.flags }, (request) => ask(runtime, request));
  if (!hasValue(outcome)) return printFailed(withSuggestion(outcome, { runtime, typed, target }), output);
  const { value, notes } = outcome;
  if (output.json) await output.write(renderJson(value));
  else {
    await output.lines(lines(value, output));
    for (const problem of value.problems) output.note(problem);
  }
  for (const note of notes) output.note(note);
  return exitCodes.ok;
}
