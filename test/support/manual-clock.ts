import type { Clock } from '../../src/base/index.ts';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on, firing due timers in order, and lets promise callbacks run between them. */
  advance(ms: number): Promise<void>;
  /** Timers that have not fired. */
  readonly pending: number;
}

export function createManualClock(startMs = 1_750_000_000_000): ManualClock {
  let elapsedMs = 0;
  let sequence = 0;
  const timers = new Map<number, { readonly dueMs: number; readonly run: () => void }>();
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    after(delayMs, run) {
      sequence += 1;
      const id = sequence;
      timers.set(id, { dueMs: elapsedMs + Math.max(0, delayMs), run });
      return { cancel: () => timers.delete(id) };
    },
    async advance(ms) {
      const endMs = elapsedMs + ms;
      await settle();
      for (;;) {
        const due = [...timers]
          .filter(([, timer]) => timer.dueMs <= endMs)
          .sort(([a, x], [b, y]) => x.dueMs - y.dueMs || a - b)[0];
        if (due === undefined) break;
        timers.delete(due[0]);
        elapsedMs = Math.max(elapsedMs, due[1].dueMs);
        due[1].run();
        await settle();
      }
      elapsedMs = endMs;
    },
    get pending() {
      return timers.size;
    },
  };
}
