/** Failures told to the person or the program, and the exit code they stand for. */
import { asTrestleError, type Failure, toFailure, type TrestleError } from '../base/index.ts';
import { type Failed, failedOutcome, hasValue, type Outcome, type SyncValue } from '../runtime/index.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';
import { failureJson, renderFailure } from './render/failure.ts';
import { renderJson } from './render/json.ts';

/**
 * Prints a failed outcome: as JSON on standard output with `--json`, else on standard error. Resolves with the exit code. Of a
 * `tool-call` it says when the server may have executed it; anything else can be repeated without harm.
 */
export async function printFailed(failed: Failed, output: Output, what?: 'tool-call'): Promise<number> {
  if (output.json) await output.write(renderJson(failureJson(failed, output)));
  else
    output.error(
      renderFailure(failed.failure, output, {
        execution: what === 'tool-call' ? failed.execution : undefined,
      }),
    );
  return exitCodeOf(failed.failure.code);
}

/** A sync is complete only with the server's tools. */
export function syncExitCode(outcome: Outcome<SyncValue>): number {
  const failure = hasValue(outcome) ? outcome.value.toolsFailure : outcome.failure;
  return failure === undefined ? exitCodes.ok : exitCodeOf(failure.code);
}

/** As {@link printFailed}, for whatever was thrown. */
export function printError(thrown: unknown, output: Output): Promise<number> {
  return printFailed(failedOutcome(asTrestleError(thrown)), output);
}

/** Tells that standard output took no more, so on standard error even with `--json`. Resolves with the exit code. */
export async function printLoss(loss: TrestleError, output: Output): Promise<number> {
  output.error(renderFailure(toFailure(loss), output));
  await output.drained();
  return exitCodeOf(loss.code);
}

/** `failed` with another hint; unchanged without one. */
export function withHint(failed: Failed, hint: string | undefined): Failed {
  if (hint === undefined) return failed;
  const failure: Failure = { ...failed.failure, hint };
  return { ...failed, failure };
}
