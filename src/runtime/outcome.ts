/** How a request to a server ended: one closed union. What a tool, a server or a user may cause is a value, never an exception. */
import {
  type ErrorCategory,
  errorCodes,
  type Execution,
  type Failure,
  toFailure,
  type TrestleError,
} from '../base/index.ts';

export interface Succeeded<T> {
  readonly kind: 'ok';
  readonly value: T;
  readonly execution: 'done';
  /** Lines beside the result: an output schema that does not fit, arguments that were not checked, … */
  readonly notes: readonly string[];
}

/** The tool ran and says that it failed; its content is for the model. */
export interface ToolFailed<T> {
  readonly kind: 'tool-error';
  readonly value: T;
  readonly execution: 'done';
  readonly notes: readonly string[];
}

export type FailureKind =
  | 'protocol-error'
  | 'not-found'
  | 'invalid-arguments'
  | 'denied'
  | 'unavailable'
  | 'timed-out'
  | 'cancelled';

export interface Failed {
  readonly kind: FailureKind;
  readonly failure: Failure;
  /** Whether the server may have executed the request. */
  readonly execution: Execution;
}

export type Outcome<T> = Succeeded<T> | ToolFailed<T> | Failed;

/** Whether an outcome carries a value. */
export function hasValue<T>(outcome: Outcome<T>): outcome is Succeeded<T> | ToolFailed<T> {
  return outcome.kind === 'ok' || outcome.kind === 'tool-error';
}

const kinds: Readonly<Record<ErrorCategory, FailureKind>> = {
  usage: 'unavailable',
  unavailable: 'unavailable',
  denied: 'denied',
  'timed-out': 'timed-out',
  cancelled: 'cancelled',
  failed: 'protocol-error',
  internal: 'unavailable',
};

/** The outcome an error stands for. An error without `execution` is one of a request that was never sent. */
export function failedOutcome(error: TrestleError): Failed {
  return { kind: kindOf(error), failure: toFailure(error), execution: error.execution ?? 'not-sent' };
}

function kindOf(error: TrestleError): FailureKind {
  switch (error.code) {
    case 'unknown_server':
    case 'unknown_tool':
    case 'unknown_resource':
    case 'unknown_prompt':
      return 'not-found';
    case 'usage':
    case 'invalid_arguments':
    case 'invalid_path':
    case 'invalid_name':
    case 'exists':
      return 'invalid-arguments';
    default:
      return kinds[errorCodes[error.code]];
  }
}
