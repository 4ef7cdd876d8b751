/** The one visible state of a session, and who may change it to what. */
import { TrestleError } from '../base/index.ts';
import type { SessionState } from './session.ts';

const transitions: Readonly<Record<SessionState, readonly SessionState[]>> = {
  new: ['dialling'],
  dialling: ['ready', 'failed'],
  ready: ['closing', 'failed'],
  closing: ['closed', 'failed'],
  closed: [],
  failed: [],
};

export interface StateCell {
  readonly state: SessionState;
  /** Set with `closed` and `failed`. */
  readonly reason: TrestleError | undefined;
  /** Resolves with the reason when the session is closed or failed. */
  readonly over: Promise<TrestleError>;
  /** Moves to `to` if that is legal from here; false, and no change, if it is not. An end needs its reason. */
  move(to: SessionState, reason?: TrestleError): boolean;
}

/** A cell in state `new`. */
export function createStateCell(server: string): StateCell {
  let state: SessionState = 'new';
  let reason: TrestleError | undefined;
  const { promise: over, resolve } = Promise.withResolvers<TrestleError>();
  return {
    get state() {
      return state;
    },
    get reason() {
      return reason;
    },
    over,
    move(to, why) {
      if (!transitions[state].includes(to)) return false;
      state = to;
      if (to === 'closed' || to === 'failed') {
        reason = why ?? sessionClosed(server);
        resolve(reason);
      }
      return true;
    },
  };
}

/** The reason of a session that we ended, and of a request that came before or after its time. */
export function sessionClosed(server: string): TrestleError {
  return new TrestleError({
    code: 'session_closed',
    message: `The session with server "${server}" is closed.`,
    hint: 'Call again; the next call opens a new session.',
    server,
    execution: 'not-sent',
  });
}
