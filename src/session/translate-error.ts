/** Turns whatever ends a request of the SDK's Client into one TrestleError, once. */
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { isObject, limits, shorten, TrestleError } from '../base/index.ts';
import type { Call } from './call.ts';
import { brokenReply } from './reply.ts';

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
  if (isRoundsExceeded(thrown) || (isObject(call.inputAsked) && Object.keys(call.inputAsked).length > 0)) {
    return inputRequired(context, thrown);
  }
  if (SdkError.isInstance(thrown)) {
    if (thrown.code === SdkErrorCode.InvalidResult) {
      return brokenReply({ server, method: call.method }, 'asks for input without saying what');
    }
    if (thrown.code === SdkErrorCode.MethodNotSupportedByProtocolVersion) {
      return new TrestleError({
        code: 'version_mismatch',
        message: `${call.method} does not exist in the protocol revision that server "${server}" speaks.`,
        server,
        execution: 'not-sent',
        cause: thrown,
      });
    }
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

function isRoundsExceeded(thrown: unknown): boolean {
  return SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.InputRequiredRoundsExceeded;
}

function inputRequired(context: FailureContext, cause: unknown): TrestleError {
  const { server, call } = context;
  const rounds = isRoundsExceeded(cause);
  return new TrestleError({
    code: 'input_required',
    message: rounds
      ? `Server "${server}" asked for input more than ${limits.inputRounds} times during ${call.method}.`
      : `Server "${server}" needs input that this host cannot give: ${describeInput(call.inputAsked)}.`,
    hint: rounds ? undefined : 'Use a host that can ask a person, or give the tool what it asks for as arguments.',
    server,
    execution: 'unknown',
    details: { inputRequests: call.inputAsked },
    cause,
  });
}

/** `elicitation/create ("Delete 3 files?"), roots/list`. */
function describeInput(asked: unknown): string {
  const requests = isObject(asked) ? Object.values(asked) : [];
  const words = requests.filter(isObject).map((request) => {
    const params = request['params'];
    const message = isObject(params) ? params['message'] : undefined;
    const method = typeof request['method'] === 'string' ? request['method'] : 'a request without a method';
    return typeof message === 'string' ? `${method} ("${message}")` : method;
  });
  return shorten(words.join(', ') || 'nothing it names', limits.quotedCharacters);
}
