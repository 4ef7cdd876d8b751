/** Time as a value that is handed in, so that tests move it by hand instead of sleeping. */

/** A pending timer; `cancel` is harmless after it fired. */
export interface Timer {
  cancel(): void;
}

/** Options of a timer. */
export interface TimerOptions {
  /** Whether the timer keeps the process alive; default true. Waits that must finish (closing a server) keep it alive. */
  readonly keepAlive?: boolean;
}

export interface Clock {
  /** Milliseconds since the epoch; for stamps that are stored or shown. */
  now(): number;
  /** Milliseconds on a clock that never goes back; for durations. */
  monotonicMs(): number;
  /** Calls `run` once after `delayMs` (clamped to what Node.js timers can hold). */
  after(delayMs: number, run: () => void, options?: TimerOptions): Timer;
}

/** Longest delay a Node.js timer holds; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // `performance` has to be loaded first, which the start-up path need not pay for.
  monotonicMs() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1_000_000;
  },
  after(delayMs, run, options) {
    const handle = setTimeout(run, Math.min(Math.max(delayMs, 0), longestTimerMs));
    if (options?.keepAlive === false) handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Resolves after `delayMs`; resolves early (never rejects) when `signal` aborts. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return wait({ after: (run) => clock.after(delayMs, run), signal });
}

/** As {@link delay}; that something is waited for is no reason for the process to live on. */
export function idleDelay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return wait({ after: (run) => clock.after(delayMs, run, { keepAlive: false }), signal });
}

interface Wait {
  readonly after: (run: () => void) => Timer;
  readonly signal: AbortSignal | undefined;
}

function wait({ after, signal }: Wait): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const finish = (): void => {
      timer.cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = after(finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
