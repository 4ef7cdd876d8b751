import type { TrestleError } from '../base/index.ts';
import type { Held, Use } from './held.ts';
import type { Lease, LeaseEnd } from './target.ts';

export interface LeaseOptions {
  readonly held: Held;
  /** As {@link Lease.refusal}, asked each time. */
  readonly refusal: () => TrestleError | undefined;
  /** Called once, when the session was given back. */
  readonly onEnd: (use: Use, end: LeaseEnd) => void;
}

/** Begins a use of a session. */
export function beginLease({ held, refusal, onEnd }: LeaseOptions): Lease {
  const use = held.begin();
  let released = false;
  return {
    session: held.session,
    get refusal() {
      return refusal();
    },
    release(end) {
      if (released) return;
      released = true;
      held.end(use, end === 'finished');
      onEnd(use, end);
    },
  };
}
