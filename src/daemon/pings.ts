/** A daemon that was stopped or hangs keeps its socket open: it is asked for a sign of life while somebody waits for it. */
import { type Clock, limits, type Timer } from '../base/index.ts';

export interface PingsOptions {
  readonly clock: Clock;
  /** Shortest idle limit of those who wait, milliseconds. */
  readonly idleMs: () => number;
  readonly send: (number: number) => void;
  /** So many in a row had no answer. */
  readonly onSilent: () => void;
}

export class Pings {
  readonly #options: PingsOptions;
  #sent = 0;
  #unanswered = 0;
  #next: Timer | undefined;

  constructor(options: PingsOptions) {
    this.#options = options;
  }

  /** Somebody waits. */
  start(): void {
    this.#next ??= this.#options.clock.after(this.#waitMs(), () => {
      this.#next = undefined;
      if (this.#unanswered >= limits.daemonPings) {
        this.#options.onSilent();
        return;
      }
      this.#unanswered += 1;
      this.#sent += 1;
      this.#options.send(this.#sent);
      this.start();
    });
  }

  /** Something came, whatever it is. */
  heard(): void {
    this.#unanswered = 0;
  }

  /** Nobody waits any more. */
  stop(): void {
    this.#next?.cancel();
    this.#next = undefined;
  }

  #waitMs(): number {
    const { least, most } = limits.daemonPingMs;
    return Math.min(most, Math.max(least, this.#options.idleMs() / limits.daemonPings));
  }
}
