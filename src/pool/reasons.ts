/** Why the pool ends a session, as errors that those who still use it get. */
import { type ErrorCode, formatSpan, limits, TrestleError } from '../base/index.ts';
import type { Session } from '../session/index.ts';
import type { NextTry } from './entry-status.ts';

/** Why a session is over. */
export function endOf(session: Session, server: string): TrestleError {
  return (
    session.reason ??
    new TrestleError({ code: 'session_closed', message: `${server}: the connection is closed.`, server })
  );
}

/** Its definition is another one now. */
export function superseded(server: string): TrestleError {
  return new TrestleError({
    code: 'session_closed',
    message: `${server}: the definition changed, so its old connection was closed.`,
    server,
  });
}

/** Nobody used it for its idle time. */
export function idle(server: string): TrestleError {
  return new TrestleError({
    code: 'session_closed',
    message: `${server}: the connection was closed because nobody used it.`,
    server,
  });
}

/** S10's verdict. */
export function noSignOfLife(server: string): TrestleError {
  return new TrestleError({
    code: 'connection_closed',
    message: `${server} gave no sign of life after a call had to be given up, so its connection was ended.`,
    hint: 'The next call starts it anew.',
    server,
  });
}

/** P4's verdict. */
export function silent(server: string): TrestleError {
  return new TrestleError({
    code: 'connection_closed',
    message: `${server} gave no sign of life when it was asked for one ${limits.lifeMisses} times, so its connection was ended.`,
    hint: 'The next call starts it anew.',
    server,
  });
}

/** Ends of a connection; their hints speak of the next call. */
const losses: ReadonlySet<ErrorCode> = new Set([
  'server_exited',
  'connection_closed',
  'session_lost',
  'session_closed',
]);

/** A call that cannot wait for the next try, or for which there is none: the first reason, and when there will be another chance. */
export function notNow(server: string, first: TrestleError, next: NextTry | undefined): TrestleError {
  const again =
    next === undefined
      ? `It is tried no more. Once it is mended, start anew with: trestle sync ${server}`
      : `It is tried anew in ${formatSpan(next.inMs)} (try ${next.attempt} of ${next.of}).`;
  const remedy = losses.has(first.code) || first.hint === undefined ? '' : `${first.hint} `;
  return first.with({ execution: 'not-sent', hint: `${remedy}${again}` });
}
