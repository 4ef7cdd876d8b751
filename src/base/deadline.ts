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
  const { clock, idleMs, subject, server } = options;
  const totalMs = Math.max(options.totalMs, idleMs);
  const abort = new AbortController();
  const startedMs = clock.monotonicMs();
  let idleLimitMs = idleMs;
  let renewedMs = startedMs;
  let holds = 0;
  let timer: Timer | undefined;
  let circumstances: (() => Circumstances) | undefined;

  const idleEndMs = (): number => (holds > 0 ? Infinity : renewedMs + idleLimitMs);
  const endMs = (): number => Math.min(idleEndMs(), startedMs + totalMs);
  const stop = (reason: TrestleError): void => {
    timer?.cancel();
    options.signal?.removeEventListener('abort', onCallerAbort);
    abort.abort(reason);
  };
  const onCallerAbort = (): void => {
    const reason: unknown = options.signal?.reason;
    stop(
      reason instanceof TrestleError
        ? reason
        : new TrestleError({ code: 'cancelled', message: `${subject} was cancelled.`, server, cause: reason }),
    );
  };
  // The timer is not moved at every sign of progress; when it fires early it is set for the rest.
  const check = (): void => {
    const nowMs = clock.monotonicMs();
    if (nowMs < endMs()) {
      timer = clock.after(endMs() - nowMs, check);
      return;
    }
    const byIdle = idleEndMs() <= startedMs + totalMs;
    const limitMs = byIdle ? idleLimitMs : totalMs;
    const { hint, details } = circumstances?.() ?? {};
    stop(
      new TrestleError({
        code: 'timed_out',
        message: `${subject} timed out after ${formatSeconds(limitMs)}${byIdle ? '' : ' in all'}.`,
        hint: byIdle
          ? (hint ?? 'Raise the limit with --timeout SECONDS, or with "timeout" in the server\'s definition.')
          : 'Raise the limit of the whole call with --max-total SECONDS.',
        server,
        details: { limit: byIdle ? 'idle' : 'total', limitMs, ...details },
      }),
    );
  };

  if (options.signal?.aborted === true) onCallerAbort();
  else {
    options.signal?.addEventListener('abort', onCallerAbort, { once: true });
    timer = clock.after(endMs() - startedMs, check);
  }

  const renew = (): void => {
    // Where the end comes nearer by this, the timer has to know.
    const isShortened = idleLimitMs !== idleMs;
    idleLimitMs = idleMs;
    renewedMs = clock.monotonicMs();
    if (isShortened) rearm();
  };
  const rearm = (): void => {
    if (timer === undefined || abort.signal.aborted) return;
    timer.cancel();
    timer = clock.after(endMs() - clock.monotonicMs(), check);
  };

  return {
    signal: abort.signal,
    idleMs,
    totalMs,
    renew,
    allow(limitMs) {
      idleLimitMs = Math.max(idleLimitMs, limitMs);
    },
    explain(given) {
      circumstances = given;
    },
    hold() {
      holds += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds -= 1;
        renew();
        rearm();
      };
    },
    remainingMs: () => (abort.signal.aborted ? 0 : Math.max(0, endMs() - clock.monotonicMs())),
    throwIfOver() {
      if (abort.signal.aborted) throw abort.signal.reason as TrestleError;
    },
    [Symbol.dispose]() {
      timer?.cancel();
      timer = undefined;
      options.signal?.removeEventListener('abort', onCallerAbort);
    },
  };
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
