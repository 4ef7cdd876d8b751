import { type Clock, delay, limits } from '../base/index.ts';
import type { Held } from './held.ts';
import { lifeVerdict } from './life-decisions.ts';

export interface CheckingOptions {
  readonly held: Held;
  readonly clock: Clock;
  /** Start of the call whose end made us ask, Clock.monotonicMs. */
  readonly callStartedMs: number;
  /** Not called once the check is stopped. */
  readonly onVerdict: (alive: boolean) => void;
}

/** The time in which a sign of life is asked of a session after a timeout or cancel (S10). */
export class Checking {
  readonly name = 'checking';
  readonly held: Held;
  /** Resolves after the verdict, or when the check is stopped. */
  readonly over: Promise<void>;
  readonly #options: CheckingOptions;
  readonly #stop = new AbortController();

  constructor(options: CheckingOptions) {
    this.#options = options;
    this.held = options.held;
    const stopped = new Promise<void>((resolve) => {
      this.#stop.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.over = Promise.race([this.#judge(), stopped]);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #judge(): Promise<void> {
    const alive = await this.#isAlive();
    if (!this.#stop.signal.aborted) this.#options.onVerdict(alive);
  }

  /** Asks once; while other calls are in flight their traffic is waited for too. Never rejects. */
  async #isAlive(): Promise<boolean> {
    const { clock, held, callStartedMs } = this.#options;
    const { session } = held;
    const { signal } = this.#stop;
    const askedMs = clock.monotonicMs();
    const signed = await session.signOfLife(limits.lifeAfterCancelMs).catch(() => false);
    if (signed) held.watch.answered();
    for (;;) {
      const verdict = lifeVerdict({
        signed,
        callStartedMs,
        trafficMs: held.callsInFlight > 0 ? session.counters().lastInMs : held.lastAnsweredMs,
        othersInFlight: held.callsInFlight,
        askedMs,
        nowMs: clock.monotonicMs(),
        trafficWithinMs: limits.lifeByTrafficMs,
      });
      if (verdict !== 'undecided' || signal.aborted) return verdict === 'alive';
      await delay(clock, limits.lifeLookMs, signal);
    }
  }
}
