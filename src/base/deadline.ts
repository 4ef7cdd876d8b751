/**
 * One deadline and one abort for one piece of work: waiting for a lease, dialling, writing, reading and streaming all
 * run under the same object.
 */
import type { Clock, Timer } from './clock.ts';
import { TrestleError } from './errors.ts';

export interface DeadlineOptions {
  readonly clock: Clock;
  /** Longest time without a sign of progress, in milliseconds. */
  readonly idleMs: number;
  /** Longest time in all, in milliseconds; never shorter than `idleMs`. */
  readonly totalMs: number;
  /** Whether the total limit is told of where both are reached at once. */
  readonly totalDecides?: boolean;
  /** The caller's own abort. */
  readonly signal?: AbortSignal | undefined;
  /** What is being waited for, for the message: "everything: call echo". */
  readonly subject: string;
  readonly server?: string | undefined;
}

/** What is known of the wait at the moment a limit is reached. */
export interface Circumstances {
  /** What would help more than a higher idle limit. */
  readonly hint?: string | undefined;
  /** Beside the error's own. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface Deadline extends Disposable {
  /** Aborts with a {@link TrestleError} of code `timed_out` or `cancelled` as its reason. */
  readonly signal: AbortSignal;
  readonly idleMs: number;
  readonly totalMs: number;
  /** A sign of progress: the idle limit starts anew. */
  renew(): void;
  /** Raises the idle limit to at least `idleMs` until the next {@link renew}; used while a package is being downloaded. */
  allow(idleMs: number): void;
  /** Asked when a limit is reached while this is set, for what the error should tell. `undefined` takes it back. */
  explain(circumstances: (() => Circumstances) | undefined): void;
  /**
   * The idle limit stands still until the returned function is called, which is a sign of progress; holds add up. For the time in
   * which it is not the server that is waited for. The total limit goes on.
   */
  hold(): () => void;
  /** Milliseconds until the nearer of both limits; 0 when over. */
  remainingMs(): number;
  /** Throws the abort's reason when it is over. */
  throwIfOver(): void;
}

/** A running deadline; dispose it (`using`) when the work is done, else its timer stays. */
export function startDeadline(options: DeadlineOptions): Deadline {
  return new RunningDeadline(options);
}

/** Runs from its making until it is over or disposed. */
class RunningDeadline implements Deadline {
  readonly idleMs: number;
  readonly totalMs: number;
  readonly #options: DeadlineOptions;
  readonly #abort = new AbortController();
  readonly #startedMs: number;
  readonly #onCallerAbort: (() => void) | undefined;
  #idleLimitMs: number;
  #renewedMs: number;
  #holds = 0;
  #timer: Timer | undefined;
  #circumstances: (() => Circumstances) | undefined;

  constructor(options: DeadlineOptions) {
    const { clock, idleMs, totalMs, signal } = options;
    this.#options = options;
    this.idleMs = idleMs;
    this.totalMs = Math.max(totalMs, idleMs);
    this.#startedMs = clock.monotonicMs();
    this.#idleLimitMs = idleMs;
    this.#renewedMs = this.#startedMs;
    if (signal?.aborted === true) {
      this.#cancel(signal.reason);
      return;
    }
    if (signal !== undefined) {
      this.#onCallerAbort = () => this.#cancel(signal.reason);
      signal.addEventListener('abort', this.#onCallerAbort, { once: true });
    }
    this.#wait(this.#startedMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  renew(): void {
    // Where the end comes nearer by this, the timer has to know.
    const isShortened = this.#idleLimitMs !== this.idleMs;
    this.#idleLimitMs = this.idleMs;
    this.#renewedMs = this.#options.clock.monotonicMs();
    if (isShortened) this.#rearm();
  }

  allow(idleMs: number): void {
    this.#idleLimitMs = Math.max(this.#idleLimitMs, idleMs);
  }

  explain(circumstances: (() => Circumstances) | undefined): void {
    this.#circumstances = circumstances;
  }

  hold(): () => void {
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      this.renew();
      this.#rearm();
    };
  }

  remainingMs(): number {
    return this.signal.aborted ? 0 : Math.max(0, this.#endMs() - this.#options.clock.monotonicMs());
  }

  throwIfOver(): void {
    if (this.signal.aborted) throw this.signal.reason as TrestleError;
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#leaveCaller();
  }

  #idleEndMs(): number {
    return this.#holds > 0 ? Infinity : this.#renewedMs + this.#idleLimitMs;
  }

  #endMs(): number {
    return Math.min(this.#idleEndMs(), this.#startedMs + this.totalMs);
  }

  #wait(nowMs: number): void {
    this.#timer = this.#options.clock.after(this.#endMs() - nowMs, () => this.#check());
  }

  #rearm(): void {
    if (this.#timer === undefined || this.signal.aborted) return;
    this.#timer.cancel();
    this.#wait(this.#options.clock.monotonicMs());
  }

  /** The timer is not moved at every sign of progress; when it fires early it is set for the rest. */
  #check(): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs < this.#endMs()) this.#wait(nowMs);
    else this.#stop(this.#timedOut());
  }

  #timedOut(): TrestleError {
    const { subject, server, totalDecides = false } = this.#options;
    const aheadMs = this.#startedMs + this.totalMs - this.#idleEndMs();
    const byIdle = totalDecides ? aheadMs > 0 : aheadMs >= 0;
    const limitMs = byIdle ? this.#idleLimitMs : this.totalMs;
    const { hint, details } = this.#circumstances?.() ?? {};
    return new TrestleError({
      code: 'timed_out',
      message: `${subject} timed out after ${formatSeconds(limitMs)}${byIdle ? '' : ' in all'}.`,
      hint: byIdle
        ? (hint ?? 'Raise the limit with --timeout SECONDS, or with "timeout" in the server\'s definition.')
        : 'Raise the limit of the whole call with --max-total SECONDS.',
      server,
      details: { limit: byIdle ? 'idle' : 'total', limitMs, ...details },
    });
  }

  #cancel(reason: unknown): void {
    const { subject, server } = this.#options;
    this.#stop(
      reason instanceof TrestleError
        ? reason
        : new TrestleError({ code: 'cancelled', message: `${subject} was cancelled.`, server, cause: reason }),
    );
  }

  #stop(reason: TrestleError): void {
    this.#timer?.cancel();
    this.#leaveCaller();
    this.#abort.abort(reason);
  }

  #leaveCaller(): void {
    if (this.#onCallerAbort !== undefined) this.#options.signal?.removeEventListener('abort', this.#onCallerAbort);
  }
}

/**
 * `work`, or a rejection with the deadline's reason as soon as it is over. The work is not stopped by this: it must
 * listen to `deadline.signal` itself; its late rejection is swallowed.
 */
export function within<T>(deadline: Pick<Deadline, 'signal'>, work: Promise<T>): Promise<T> {
  const { signal } = deadline;
  return new Promise<T>((resolve, reject) => {
    const over = (): void => reject(signal.reason as TrestleError);
    if (signal.aborted) {
      work.catch(() => {});
      over();
      return;
    }
    signal.addEventListener('abort', over, { once: true });
    work
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', over))
      .catch(() => {});
  });
}

function formatSeconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}
