/** How a request ends that has no value of the daemon. */
import { type Execution, type JsonObject, TrestleError } from '../base/index.ts';

/** The daemon did nothing of the request: it ends, or has too much to do; or it was gone before the request was written. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly why: 'draining' | 'busy' | 'gone';

  constructor(why: 'draining' | 'busy' | 'gone') {
    super(why);
    this.why = why;
  }
}

const losses = {
  ended: { message: 'The daemon ended before it answered.', hint: 'The next command starts a new one' },
  silent: { message: 'The daemon does not answer any more.', hint: 'End it: trestle daemon stop' },
} as const;

export type Loss = keyof typeof losses;

/** The connection is over. Whatever was sent may have been done. */
export function daemonLost(how: Loss): TrestleError {
  const { message, hint } = losses[how];
  return new TrestleError({
    code: 'daemon_lost',
    message,
    hint: `${hint}; its log: trestle daemon logs.`,
    execution: 'unknown',
  });
}

/** The client has left. */
export function daemonLeft(): TrestleError {
  return new TrestleError({
    code: 'cancelled',
    message: 'The daemon was left before it answered.',
    execution: 'unknown',
  });
}

/** The caller has cancelled it, and the daemon does not say what became of it. */
export function cancelledUnheard(): TrestleError {
  return new TrestleError({ code: 'cancelled', message: 'The request was cancelled.', execution: 'unknown' });
}

/** What the daemon's runtime rejected with. */
export function errorOf(wire: JsonObject): TrestleError {
  const { code, message, hint, server, details, execution } = wire as unknown as {
    readonly code: TrestleError['code'];
    readonly message: string;
    readonly hint?: string;
    readonly server?: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly execution?: Execution;
  };
  return new TrestleError({ code, message, hint, server, details, execution });
}
