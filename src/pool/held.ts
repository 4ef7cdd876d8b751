import type { Clock, Log, TrestleError } from '../base/index.ts';
import type { Session } from '../session/index.ts';
import { closeSession } from './close-session.ts';
import { LifeWatch } from './life-watch.ts';
import type { Target } from './target.ts';

/** One leased use of a session. */
export interface Use {
  /** Clock.monotonicMs. */
  readonly startedMs: number;
}

/** What an entry remembers of the sessions that it held before. */
export interface Past {
  /** Clock.monotonicMs of the last thing that came from the server. */
  readonly lastSignMs: number | undefined;
  /** Whether the server ever answered when it was asked for a sign of life. */
  readonly everAnswered: boolean;
}

export interface HeldOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Target['lifecycle'];
  readonly past: Past;
  /** The watch found its server dead. */
  readonly onDead: () => void;
}

/** A session that an entry holds, who uses it, and whether it lives. */
export class Held {
  readonly session: Session;
  readonly watch: LifeWatch;
  readonly #options: HeldOptions;
  readonly #sinceMs: number;
  /** In the order in which they began. */
  readonly #uses = new Set<Use>();
  #lastAnsweredMs: number | undefined;

  constructor(session: Session, options: HeldOptions) {
    const { clock, lifecycle, past, onDead } = options;
    this.session = session;
    this.#options = options;
    this.#sinceMs = clock.monotonicMs();
    this.watch = new LifeWatch({
      clock,
      session,
      lifecycle,
      everAnswered: past.everAnswered,
      oldestCallMs: () => this.#oldestMs(),
      onDead,
    });
  }

  /** How long it has been held, milliseconds. */
  get ageMs(): number {
    return this.#options.clock.monotonicMs() - this.#sinceMs;
  }

  /** What is to be remembered of it and of those before. */
  get past(): Past {
    return {
      lastSignMs: this.session.counters().lastInMs ?? this.#options.past.lastSignMs,
      everAnswered: this.watch.everAnswered,
    };
  }

  get callsInFlight(): number {
    return this.#uses.size;
  }

  /** When a use last came to its own end; undefined before the first. */
  get lastAnsweredMs(): number | undefined {
    return this.#lastAnsweredMs;
  }

  begin(): Use {
    const use: Use = { startedMs: this.#options.clock.monotonicMs() };
    this.#uses.add(use);
    this.watch.look();
    return use;
  }

  /** `answered`: the use came to its own end. */
  end(use: Use, answered: boolean): void {
    this.#uses.delete(use);
    if (answered) this.#lastAnsweredMs = this.#options.clock.monotonicMs();
    this.watch.look();
  }

  /** Resolves when nothing of the session is left; never rejects. */
  close(reason: TrestleError): Promise<void> {
    this.watch.stop();
    return closeSession(this.session, reason, this.#options.log);
  }

  #oldestMs(): number | undefined {
    for (const { startedMs } of this.#uses) return startedMs;
    return undefined;
  }
}
