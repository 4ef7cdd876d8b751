import { type Clock, systemClock } from '../../src/base/index.ts';

/** A clock that runs `times` as fast as the machine's: for real processes under limits of minutes. */
export function createFastClock(times: number): Clock {
  return {
    now: () => systemClock.now(),
    monotonicMs: () => systemClock.monotonicMs() * times,
    after: (delayMs, run, options) => systemClock.after(delayMs / times, run, options),
  };
}
