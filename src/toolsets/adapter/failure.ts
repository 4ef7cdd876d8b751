/** A failure in the words of this toolset. */
import { limits, shorten } from '../../base/index.ts';
import type { Failed } from '../../runtime/index.ts';
import type { ToolOutput } from '../tool-object.ts';
import { failureOutput } from '../tool-output.ts';

/** The output of a failure: a JSON-RPC error begins with its code, a time limit names the argument that raises it. */
export function adapterFailure(failed: Failed): ToolOutput {
  const { failure } = failed;
  const { rpcCode, rpcMessage, limit } = failure.details ?? {};
  if (failure.code === 'protocol_error' && typeof rpcCode === 'number') {
    const words = typeof rpcMessage === 'string' ? shorten(rpcMessage, limits.descriptionCharacters) : '';
    return withWords(failed, { message: `MCP JSON-RPC error ${rpcCode}: ${words}` });
  }
  if (failure.code === 'timed_out' && limit === 'idle') {
    const { most } = limits.toolTimeoutSeconds;
    return withWords(failed, { hint: `Raise the limit with timeoutSeconds, up to ${most}.` });
  }
  return failureOutput(failed);
}

function withWords(failed: Failed, words: { readonly message?: string; readonly hint?: string }): ToolOutput {
  return failureOutput({ ...failed, failure: { ...failed.failure, ...words } });
}
