import { describe, expect, it } from 'vitest';
import { createFakeSession, type FakeSession } from '../../test/support/fake-session.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { array, assert, asyncProperty, constantFrom, integer, record } from '../../test/support/properties.ts';
import { delay, silentLog, startDeadline, TrestleError } from '../base/index.ts';
import { createPool, type Lease, type LeaseEnd, type Target } from './index.ts';

const acts = 'acquire acquire acquire keep release release die wait retire reset closeScope'.split(' ');
const steps = array(
  record({
    act: constantFrom(...acts),
    pick: integer({ min: 0, max: 99 }),
  }),
  { minLength: 1, maxLength: 40 },
);
const ends: readonly LeaseEnd[] = ['finished', 'timed-out', 'cancelled', 'lost'];
const scopes = ['library', 'session:1'] as const;
const lifecycles = ['lazy', 'eager', 'keep-alive'] as const;

type Steps = readonly { readonly act: string; readonly pick: number }[];

/** Runs the steps against a small pool whose dials take time or fail and whose sessions do not always answer. */
async function storm(script: Steps): Promise<{
  readonly sessions: readonly FakeSession[];
  readonly unsettled: number;
  readonly held: number;
  readonly timers: number;
}> {
  const clock = createManualClock();
  const pool = createPool({ clock, log: silentLog, maxEntries: 3 });
  const sessions: FakeSession[] = [];
  const leases: Lease[] = [];
  const asked: Promise<unknown>[] = [];
  let unsettled = 0;

  const dial = async (pick: number, signal: AbortSignal): Promise<FakeSession> => {
    await delay(clock, pick * 10, signal);
    if (signal.aborted) throw signal.reason as TrestleError;
    if (pick % 7 === 0) throw new TrestleError({ code: 'connection_failed', message: 'no.' });
    const session = createFakeSession();
    session.alive = async () => pick % 3 > 0;
    sessions.push(session);
    return session;
  };
  const caller = {};
  const target = (pick: number): Target => {
    const scope = scopes[pick % 2] ?? 'library';
    const definitionId = `server ${pick % 5}`;
    return {
      key: `${scope} ${definitionId} ${pick % 3}`,
      scope,
      server: 'storm',
      definitionId,
      definitionHash: definitionId,
      caller,
      lifecycle: lifecycles[pick % 3] ?? 'lazy',
      idleMs: pick * 20,
      dialIdleMs: 1_000,
      dial: ({ signal }) => dial(pick, signal),
    };
  };
  const keep = (pick: number): void => {
    try {
      pool.keep(target(pick));
    } catch (error) {
      if (!(error instanceof TrestleError)) throw error;
    }
  };
  const acquire = (pick: number): void => {
    const deadline = startDeadline({ clock, idleMs: 100 + pick * 10, totalMs: 5_000, subject: 'storm' });
    unsettled += 1;
    asked.push(
      pool
        .acquire(target(pick), deadline)
        .then((lease) => leases.push(lease))
        .catch((error: unknown) => {
          if (!(error instanceof TrestleError)) throw error;
        })
        .finally(() => {
          unsettled -= 1;
          deadline[Symbol.dispose]();
        }),
    );
  };
  const release = (pick: number): void =>
    leases.splice(pick % Math.max(1, leases.length), 1)[0]?.release(ends[pick % 4] ?? 'finished');

  for (const { act, pick } of script) {
    if (act === 'acquire') acquire(pick);
    else if (act === 'keep') keep(pick);
    else if (act === 'reset') pool.reset(`server ${pick % 5}`);
    else if (act === 'release') release(pick);
    else if (act === 'die') sessions[pick % Math.max(1, sessions.length)]?.die();
    else if (act === 'retire') pool.retire(`server ${pick % 5}`);
    else if (act === 'closeScope') asked.push(pool.closeScope(scopes[pick % 2] ?? 'library'));
    else await clock.advance(pick * 20);
  }
  asked.push(pool.close());
  await clock.advance(20_000);
  for (const lease of leases) lease.release('finished');
  await clock.advance(20_000);
  if (unsettled === 0) await Promise.all(asked);
  return { sessions, unsettled, held: pool.status().length, timers: clock.pending };
}

describe('the pool in a storm', () => {
  it('P8: whatever happens in whatever order, every acquire ends, and closing leaves no session and no timer', async () => {
    await assert(
      asyncProperty(steps, async (script) => {
        const { sessions, unsettled, held, timers } = await storm(script);
        expect(unsettled).toBe(0);
        expect(held).toBe(0);
        expect(timers).toBe(0);
        expect(sessions.filter(({ closes }) => closes === 0)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
