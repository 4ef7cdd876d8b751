import { type Clock, delay, limits } from '../base/index.ts';
import type { Session } from '../session/index.ts';
import { lifeVerdict } from './decisions.ts';

/** What a check of life looks at. */
export interface LifeCheck {
  readonly clock: Clock;
  /** Start of the call whose end made us ask, Clock.monotonicMs. */
  readonly callStartedMs: number;
  /** The session's other calls, as they stand now. */
  readonly others: () => { readonly inFlight: number; readonly lastAnsweredMs: number | undefined };
  /** Ends the check; its result is of no interest then. */
  readonly signal: AbortSignal;
}

/** Asks a session for one sign of life; while other calls are in flight their traffic is waited for too. Never rejects. */
export async function isAlive(session: Session, check: LifeCheck): Promise<boolean> {
  const { clock, callStartedMs, signal } = check;
  const askedMs = clock.monotonicMs();
  const signed = await session.signOfLife(limits.lifeAfterCancelMs).catch(() => false);
  for (;;) {
    const { inFlight, lastAnsweredMs } = check.others();
    const verdict = lifeVerdict({
      signed,
      callStartedMs,
      trafficMs: inFlight > 0 ? session.counters().lastInMs : lastAnsweredMs,
      othersInFlight: inFlight,
      askedMs,
      nowMs: clock.monotonicMs(),
      trafficWithinMs: limits.lifeByTrafficMs,
    });
    if (verdict !== 'undecided' || signal.aborted) return verdict === 'alive';
    await delay(clock, limits.lifeLookMs, signal);
  }
}
