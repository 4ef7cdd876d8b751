/** Why the pool ends a session, as errors that those who still use it get. */
import { TrestleError } from '../base/index.ts';
import type { Session } from '../session/index.ts';

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
