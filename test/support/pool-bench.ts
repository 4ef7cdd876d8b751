import { type Deadline, silentLog, startDeadline, TrestleError } from '../../src/base/index.ts';
import { createPool, type EntryChange, type Pool, type PoolOptions, type Target } from '../../src/pool/index.ts';
import { createFakeSession, type FakeSession } from './fake-session.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

/** A pool on a clock moved by hand, whose dials bring fake sessions. */
export interface PoolBench {
  readonly clock: ManualClock;
  readonly pool: Pool;
  readonly changes: EntryChange[];
  readonly sessions: FakeSession[];
  /** Dials that were started. */
  readonly dials: () => number;
  readonly target: (overrides?: Partial<Target>) => Target;
  readonly deadline: (idleMs?: number, signal?: AbortSignal) => Deadline;
}

export function poolBench(options: Pick<PoolOptions, 'maxEntries' | 'chance'> = {}): PoolBench {
  const clock = createManualClock();
  const changes: EntryChange[] = [];
  const sessions: FakeSession[] = [];
  const caller = {};
  let dials = 0;
  return {
    clock,
    changes,
    sessions,
    pool: createPool({ clock, log: silentLog, onChange: (change) => changes.push(change), ...options }),
    dials: () => dials,
    target: (overrides = {}) => ({
      key: 'key',
      scope: 'library',
      server: 'fake',
      definitionId: 'fake',
      definitionHash: 'fake',
      caller,
      lifecycle: 'lazy',
      idleMs: 600_000,
      dialIdleMs: 60_000,
      dial: async () => {
        dials += 1;
        const session = createFakeSession();
        sessions.push(session);
        return session;
      },
      ...overrides,
    }),
    deadline: (idleMs = 60_000, signal) =>
      startDeadline({ clock, idleMs, totalMs: 600_000, subject: 'fake: call', ...(signal ? { signal } : {}) }),
  };
}

/** A dial that ends when the test says so; notes whether it was aborted. */
export function slowDial() {
  const end = Promise.withResolvers<FakeSession>();
  const seen: { deadline: Deadline | undefined; starts: number } = { deadline: undefined, starts: 0 };
  const dial = async (deadline: Deadline): Promise<FakeSession> => {
    seen.deadline = deadline;
    seen.starts += 1;
    deadline.signal.addEventListener('abort', () => end.reject(deadline.signal.reason as Error));
    return await end.promise;
  };
  return { dial, seen, ...end };
}

/** The code of the error a promise rejects with. */
export const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (error instanceof TrestleError ? error.code : error),
  );
