import { type Clock, systemClock, type Timer } from '../../src/base/index.ts';

/** A clock that runs faster than the machine's: for real processes under limits of minutes. */
export interface FastClock extends Clock {
  /** Runs `times` as fast as the machine's from now on, for the timers that were set before, too. */
  run(times: number): void;
}

export function createFastClock(times: number): FastClock {
  let speed = times;
  let since = { systemMs: systemClock.monotonicMs(), ownMs: 0 };
  const monotonicMs = (): number => since.ownMs + (systemClock.monotonicMs() - since.systemMs) * speed;
  /** What sets each pending timer anew. */
  const pending = new Set<() => void>();
  return {
    now: () => systemClock.now(),
    monotonicMs,
    after(delayMs, run, options) {
      const dueMs = monotonicMs() + delayMs;
      let timer: Timer | undefined;
      const fire = (): void => {
        pending.delete(set);
        run();
      };
      const set = (): void => {
        timer?.cancel();
        timer = systemClock.after((dueMs - monotonicMs()) / speed, fire, options);
      };
      pending.add(set);
      set();
      return {
        cancel() {
          pending.delete(set);
          timer?.cancel();
        },
      };
    },
    run(newTimes) {
      since = { systemMs: systemClock.monotonicMs(), ownMs: monotonicMs() };
      speed = newTimes;
      for (const set of pending) set();
    },
  };
}
