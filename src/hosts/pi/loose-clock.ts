/** A clock whose timers can be told not to keep the process alive any more. */
import { type Clock, systemClock, type Timer } from '../../base/index.ts';

export interface LooseClock extends Clock {
  /** From now on no timer of it is a reason for the process to live on; they still fire while it does. */
  letGo(): void;
}

export function createLooseClock(): LooseClock {
  const pending = new Set<NodeJS.Timeout>();
  let isLoose = false;
  return {
    ...systemClock,
    after(delayMs, run, options): Timer {
      if (isLoose || options?.keepAlive === false) return systemClock.after(delayMs, run, { keepAlive: false });
      // The system clock's own timers are not to be had.
      const handle = setTimeout(() => {
        pending.delete(handle);
        run();
      }, clamped(delayMs));
      pending.add(handle);
      return {
        cancel() {
          pending.delete(handle);
          clearTimeout(handle);
        },
      };
    },
    letGo() {
      isLoose = true;
      for (const handle of pending) handle.unref();
      pending.clear();
    },
  };
}

/** What a timer of Node.js can hold; a longer one would fire at once. */
function clamped(delayMs: number): number {
  return Math.min(Math.max(delayMs, 0), 2 ** 31 - 1);
}
