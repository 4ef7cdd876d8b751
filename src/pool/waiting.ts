import { type Clock, limits, type Timer, type TrestleError } from '../base/index.ts';
import type { NextTry } from './entry-status.ts';
import type { Retry } from './reconnect.ts';

export interface WaitingOptions extends Retry {
  readonly clock: Clock;
  /** The first reason, which callers get who cannot wait. */
  readonly first: TrestleError;
  /** Resolves when nothing is left of the connection before. */
  readonly cleared: Promise<void>;
  readonly onDue: () => void;
}

/** The time between two tries of a keep-alive entry. */
export class Waiting {
  readonly name = 'waiting';
  readonly first: TrestleError;
  readonly cleared: Promise<void>;
  /** Resolves when the entry waits no more. */
  readonly over: Promise<void>;
  readonly #options: WaitingOptions;
  readonly #dueMs: number;
  readonly #timer: Timer;
  readonly #end: () => void;

  constructor(options: WaitingOptions) {
    const { clock, inMs, onDue } = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.first = options.first;
    this.cleared = options.cleared;
    this.over = promise;
    this.#end = resolve;
    this.#options = options;
    this.#dueMs = clock.monotonicMs() + inMs;
    this.#timer = clock.after(inMs, onDue, { keepAlive: false });
  }

  get nextTry(): NextTry {
    const { clock, attempt } = this.#options;
    return { inMs: Math.max(0, this.#dueMs - clock.monotonicMs()), attempt, of: limits.reconnect.tries };
  }

  /** Wakes who waits for the try, and makes it no more. */
  end(): void {
    this.#timer.cancel();
    this.#end();
  }
}
