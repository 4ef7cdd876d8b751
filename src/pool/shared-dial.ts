import { type Deadline, TrestleError, within } from '../base/index.ts';
import type { Session } from '../session/index.ts';

/**
 * One dial that several callers wait for. It has no limit of its own: it goes on while anybody waits, whoever came first, and
 * is aborted when the last one has left. Signs of progress renew the limits of all who wait.
 */
export class SharedDial {
  readonly #start: (deadline: Deadline) => Promise<Session>;
  readonly #abandoned: (reason: TrestleError) => void;
  readonly #abort = new AbortController();
  readonly #waiters = new Set<Deadline>();
  #allowedMs = 0;
  #circumstances: Parameters<Deadline['explain']>[0];
  #work: Promise<Session> | undefined;
  #settled = false;

  /** `abandoned` is called when the last caller left before the end. */
  constructor(start: (deadline: Deadline) => Promise<Session>, abandoned: (reason: TrestleError) => void) {
    this.#start = start;
    this.#abandoned = abandoned;
  }

  /** Waits for the session within the caller's own deadline; the first to join starts the dial. */
  async join(deadline: Deadline): Promise<Session> {
    this.#waiters.add(deadline);
    if (this.#allowedMs > 0) deadline.allow(this.#allowedMs);
    deadline.explain(this.#circumstances);
    try {
      return await within(deadline, within(this.#abort, this.#begin()));
    } finally {
      this.#waiters.delete(deadline);
      if (this.#waiters.size === 0 && !this.#settled && !this.#abort.signal.aborted) {
        const reason = reasonOf(deadline);
        this.abort(reason);
        this.#abandoned(reason);
      }
    }
  }

  /** Everybody who waits gets `reason` at once. */
  abort(reason: TrestleError): void {
    this.#abort.abort(reason);
  }

  /** The session that came all the same, or undefined; resolves when the dial has left nothing behind. Never rejects. */
  async settled(): Promise<Session | undefined> {
    try {
      return await this.#work;
    } catch {
      return undefined;
    }
  }

  #begin(): Promise<Session> {
    if (this.#work === undefined) {
      this.#work = this.#start(this.#deadline()).finally(() => {
        this.#settled = true;
      });
      this.#work.catch(() => {});
    }
    return this.#work;
  }

  /** The deadline of all who wait: over when nobody is left. */
  #deadline(): Deadline {
    const { signal } = this.#abort;
    const waiters = this.#waiters;
    const most = (number: (deadline: Deadline) => number): number => Math.max(0, ...[...waiters].map(number));
    return {
      signal,
      get idleMs() {
        return most((deadline) => deadline.idleMs);
      },
      get totalMs() {
        return most((deadline) => deadline.totalMs);
      },
      renew: () => {
        this.#allowedMs = 0;
        for (const deadline of waiters) deadline.renew();
      },
      allow: (idleMs) => {
        this.#allowedMs = Math.max(this.#allowedMs, idleMs);
        for (const deadline of waiters) deadline.allow(idleMs);
      },
      explain: (circumstances) => {
        this.#circumstances = circumstances;
        for (const deadline of waiters) deadline.explain(circumstances);
      },
      hold: () => {
        const releases = [...waiters].map((deadline) => deadline.hold());
        return () => {
          for (const release of releases) release();
        };
      },
      remainingMs: () => (signal.aborted ? 0 : most((deadline) => deadline.remainingMs())),
      throwIfOver() {
        if (signal.aborted) throw signal.reason as TrestleError;
      },
      [Symbol.dispose]() {},
    };
  }
}

function reasonOf(deadline: Deadline): TrestleError {
  const reason: unknown = deadline.signal.reason;
  return reason instanceof TrestleError
    ? reason
    : new TrestleError({ code: 'cancelled', message: 'Nobody waits for this connection any more.' });
}
