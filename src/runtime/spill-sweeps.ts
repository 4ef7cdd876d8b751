/** Old spilled outputs go when new ones may come: looked for at once, then again from time to time, since a host may live for weeks. */
import { type Clock, limits } from '../base/index.ts';

export class SpillSweeps {
  readonly #clock: Clock;
  #lastMs: number | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins `sweep`, unless one began lately. What it cannot do is tried again the next time. */
  begin(sweep: () => Promise<unknown>): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#lastMs !== undefined && nowMs - this.#lastMs < limits.spillSweepMs) return;
    this.#lastMs = nowMs;
    this.#running = sweep().catch(() => {});
  }

  /** Resolves when none is under way. */
  async close(): Promise<void> {
    await this.#running;
  }
}
