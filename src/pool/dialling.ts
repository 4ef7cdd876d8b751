import {
  asTrestleError,
  type Clock,
  type Deadline,
  limits,
  type Log,
  startDeadline,
  type TrestleError,
} from '../base/index.ts';
import type { Session } from '../session/index.ts';
import { closeSession } from './close-session.ts';
import { SharedDial } from './shared-dial.ts';
import type { Target } from './target.ts';

export interface DiallingOptions {
  readonly target: Target;
  readonly clock: Clock;
  readonly log: Log;
  /** Why it is not the first dial; undefined when it is. */
  readonly first: TrestleError | undefined;
  /** Resolves when nothing is left of the connection before: two must not stand side by side. */
  readonly cleared: Promise<void> | undefined;
  readonly onStart: () => void;
  /** One of these is called when the dial is over, unless it was ended before. */
  readonly onSession: (session: Session) => void;
  readonly onFailed: (reason: TrestleError) => void;
  /** The last one who waited for it has left. */
  readonly onAbandoned: (reason: TrestleError) => void;
}

/** The time in which a session is dialled. The dial starts when somebody joins it. */
export class Dialling {
  readonly name = 'dialling';
  readonly first: TrestleError | undefined;
  /** Whether it gives no leases but to those who wait already. */
  retired = false;
  readonly #options: DiallingOptions;
  readonly #dial: SharedDial;
  #kept = false;
  #ended = false;

  constructor(options: DiallingOptions) {
    this.#options = options;
    this.first = options.first;
    this.#dial = new SharedDial(
      (deadline) => this.#start(deadline),
      (reason) => {
        if (!this.#ended) options.onAbandoned(reason);
      },
    );
  }

  /** Waits for the session within the caller's deadline. */
  join(deadline: Deadline): Promise<Session> {
    return this.#dial.join(deadline);
  }

  /** Dials whether or not anybody waits for it. */
  keep(): void {
    if (this.#kept) return;
    this.#kept = true;
    const { clock, target } = this.#options;
    const { server, dialIdleMs: idleMs } = target;
    const subject = `${server}: connect`;
    const deadline = startDeadline({ clock, idleMs, totalMs: limits.requestTotalMs, subject, server });
    const over = (): void => deadline[Symbol.dispose]();
    this.join(deadline).then(over, over);
  }

  /** Aborts the dial: who waits for it gets `reason`. Resolves when nothing of it is left; never rejects. */
  async end(reason: TrestleError): Promise<void> {
    this.#ended = true;
    this.#dial.abort(reason);
    const late = await this.#dial.settled();
    if (late !== undefined) await closeSession(late, reason, this.#options.log);
  }

  async #start(deadline: Deadline): Promise<Session> {
    const { target, cleared, onStart, onSession, onFailed } = this.#options;
    onStart();
    let session: Session;
    try {
      if (cleared !== undefined) await cleared;
      deadline.throwIfOver();
      session = await target.dial(deadline);
    } catch (error) {
      if (!this.#ended) onFailed(asTrestleError(error));
      throw error;
    }
    if (!this.#ended) onSession(session);
    return session;
  }
}
