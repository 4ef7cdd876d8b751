import type { Clock, Timer } from '../base/index.ts';

export interface IdleWatchOptions {
  readonly clock: Clock;
  /** When it is over for idleness, Clock.monotonicMs; undefined while it is not to be. */
  readonly endMs: () => number | undefined;
  readonly onIdle: () => void;
}

/** Tells when something has been idle for too long. Its timer is not moved at every use: when it fires early it is set for the rest. */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  #timer: Timer | undefined;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
  }

  /** To be called when a use has ended. */
  look(): void {
    if (this.#timer === undefined) this.#wait();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #wait(): void {
    const { clock, endMs, onIdle } = this.#options;
    const dueMs = endMs();
    if (dueMs === undefined) return;
    const check = (): void => {
      this.#timer = undefined;
      const nowDueMs = endMs();
      if (nowDueMs !== undefined && nowDueMs <= clock.monotonicMs()) onIdle();
      else this.#wait();
    };
    this.#timer = clock.after(dueMs - clock.monotonicMs(), check, { keepAlive: false });
  }
}
