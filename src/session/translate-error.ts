/** Turns whatever ends a request of the SDK's Client into one TrestleError, once. */
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { TrestleError } from '../base/index.ts';
import type { Call } from './call.ts';

export interface FailureContext {
  readonly server: string;
  readonly call: Call;
  /** Why the link is over, if it is. */
  readonly ended: TrestleError | undefined;
}

/** The error a caller gets; its `execution` is always set. */
export function translateError(thrown: unknown, context: FailureContext): TrestleError {
  const { call } = context;
  const error = identify(thrown, context);
  return error.execution === undefined ? error.with({ execution: call.sent ? 'unknown' : 'not-sent' }) : error;
}

function identify(thrown: unknown, context: FailureContext): TrestleError {
  const { server, call } = context;
  if (thrown instanceof TrestleError) return thrown;
  // Everything the gate lets fail carries its TrestleError as data.
  if (thrown instanceof ProtocolError && thrown.data instanceof TrestleError) return thrown.data;
  const { signal } = call.control.deadline;
  if (signal.aborted) return signal.reason as TrestleError;
  if (context.ended !== undefined) return forRequest(context.ended);
  if (SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.MethodNotSupportedByProtocolVersion) {
    return new TrestleError({
      code: 'version_mismatch',
      message: `${call.method} does not exist in the protocol revision that server "${server}" speaks.`,
      server,
      execution: 'not-sent',
      cause: thrown,
    });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new TrestleError({
    code: 'internal',
    message: `${call.method} to server "${server}" failed: ${message}`,
    server,
    cause: thrown,
  });
}

/** The end of a link says nothing about one request; what was sent decides. */
function forRequest(ended: TrestleError): TrestleError {
  return ended.with({ execution: undefined });
}
