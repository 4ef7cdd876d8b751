/** What follows from the end of a listening stream. Pure: how it ended comes in, the verdict goes out. */
import type { ErrorCode, TrestleError } from '../../base/index.ts';
import { rpcCodeOf } from '../reply.ts';

export interface ListenEnd {
  /** Whether the server acknowledged the stream, as it must before all else. */
  readonly acknowledged: boolean;
  /** What it failed with; undefined for an orderly end, and for one that we made since nothing came. */
  readonly failure: TrestleError | undefined;
}

export type ListenVerdict =
  /** The server, or what stands before it, will not have it: asking again is of no use. */
  | 'refused'
  /** Nothing was said against it, and nothing for it. */
  | 'unacknowledged'
  /** It may well work another time. */
  | 'again';

/** An answer of the server's that says nothing of the request. */
const internalErrorCode = -32_603;

/** Failures that say something of the moment, not of the request. */
const passingCodes: ReadonlySet<ErrorCode> = new Set([
  'connection_failed',
  'connection_closed',
  'message_too_large',
  'flooded',
]);

/** Statuses by which HTTP says "not now". */
const passingStatuses: ReadonlySet<unknown> = new Set([408, 425, 429]);

export function judgeListenEnd({ acknowledged, failure }: ListenEnd): ListenVerdict {
  if (acknowledged) return 'again';
  if (failure === undefined || failure.code === 'broken_reply') return 'unacknowledged';
  if (failure.code === 'protocol_error') return rpcCodeOf(failure) === internalErrorCode ? 'again' : 'refused';
  if (failure.code === 'http_error') return isPassing(failure.details?.['status']) ? 'again' : 'refused';
  return passingCodes.has(failure.code) ? 'again' : 'refused';
}

function isPassing(status: unknown): boolean {
  return passingStatuses.has(status) || (typeof status === 'number' && status >= 500);
}
