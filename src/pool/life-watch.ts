import { type Clock, limits, type Timer } from '../base/index.ts';
import type { Session } from '../session/index.ts';
import { watchStep } from './life-decisions.ts';
import type { Target } from './target.ts';

export interface LifeWatchOptions {
  readonly clock: Clock;
  readonly session: Session;
  readonly lifecycle: Target['lifecycle'];
  /** Whether the server answered such a question on an earlier connection. */
  readonly everAnswered: boolean;
  /** Start of the oldest call in flight, Clock.monotonicMs; undefined when there is none. */
  readonly oldestCallMs: () => number | undefined;
  /** Called once, when the server is found to be dead. */
  readonly onDead: () => void;
}

/**
 * Asks a session for signs of life while it is one that has to be watched (P4). Its timer runs only then, and never keeps the
 * process alive.
 */
export class LifeWatch {
  readonly #options: LifeWatchOptions;
  readonly #sinceMs: number;
  #askedMs: number | undefined;
  #asking = false;
  #missed = 0;
  #everAnswered: boolean;
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined;
  #stopped = false;

  constructor(options: LifeWatchOptions) {
    this.#options = options;
    this.#everAnswered = options.everAnswered;
    this.#sinceMs = options.clock.monotonicMs();
    this.look();
  }

  /** Questions in a row that nothing came after; anything the server sends since then is a sign. */
  get misses(): number {
    return this.#missed > 0 && this.#heardSinceAsked() ? 0 : this.#missed;
  }

  get everAnswered(): boolean {
    return this.#everAnswered;
  }

  /** Decides anew what is to be done; to be called when a call has begun or ended. */
  look(): void {
    if (this.#stopped) return;
    const { clock, session, lifecycle, oldestCallMs } = this.#options;
    // While calls run, one more or less changes nothing before the timer fires.
    if (this.#timer !== undefined && oldestCallMs() !== undefined) return;
    const step = watchStep({
      lifecycle,
      link: session.info.link,
      era: session.info.era,
      sinceMs: this.#sinceMs,
      oldestCallMs: oldestCallMs(),
      askedMs: this.#askedMs,
      asking: this.#asking,
      misses: this.misses,
      everAnswered: this.#everAnswered,
      nowMs: clock.monotonicMs(),
    });
    this.#wake(step.act === 'wait' ? step.untilMs : undefined);
    if (step.act === 'ask') void this.#ask();
    if (step.act === 'dead') {
      this.stop();
      this.#options.onDead();
    }
  }

  /** The server answered such a question that somebody else asked. */
  answered(): void {
    this.#everAnswered = true;
    this.#missed = 0;
  }

  stop(): void {
    this.#stopped = true;
    this.#wake(undefined);
  }

  async #ask(): Promise<void> {
    const { clock, session } = this.#options;
    this.#missed = this.misses;
    this.#askedMs = clock.monotonicMs();
    this.#asking = true;
    const signed = await session.signOfLife(limits.lifeAnswerMs).catch(() => false);
    this.#asking = false;
    if (signed) this.answered();
    else this.#missed += 1;
    this.look();
  }

  #heardSinceAsked(): boolean {
    const { lastInMs } = this.#options.session.counters();
    return lastInMs !== undefined && this.#askedMs !== undefined && lastInMs > this.#askedMs;
  }

  /** Has one timer that fires at `dueMs` at the latest, or none. */
  #wake(dueMs: number | undefined): void {
    // One that fires early, and decides anew, costs less than one that is moved with every call.
    if (dueMs !== undefined && this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    if (dueMs === undefined) return;
    const { clock } = this.#options;
    const wake = (): void => {
      this.#timer = undefined;
      this.look();
    };
    this.#timer = { dueMs, timer: clock.after(dueMs - clock.monotonicMs(), wake, { keepAlive: false }) };
  }
}
