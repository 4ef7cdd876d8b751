import { describe, expect, it } from 'vitest';
import { createFakeSession, type FakeSession } from '../../test/support/fake-session.ts';
import { poolBench, type PoolBench } from '../../test/support/pool-bench.ts';
import type { SessionInfo } from '../session/index.ts';
import type { Lease, Target } from './index.ts';

interface Watched extends PoolBench {
  /** The first one; `sessions` has those after it. */
  readonly session: FakeSession;
  readonly lease: () => Promise<Lease>;
  /** Has the server answer no question from now on: each is a miss after 10 s. */
  readonly freeze: () => void;
}

/** A pool whose one session is dialled; questions are answered at once. */
async function watched(target: Partial<Target>, facts: Partial<SessionInfo> = {}): Promise<Watched> {
  const some = poolBench({ chance: () => 0.5 });
  const session = createFakeSession(facts);
  let dials = 0;
  const dial = async (): Promise<FakeSession> => {
    dials += 1;
    if (dials === 1) return session;
    const next = createFakeSession(facts);
    some.sessions.push(next);
    return next;
  };
  const watchedTarget = some.target({ dial, idleMs: 0, ...target });
  const lease = async (): Promise<Lease> => {
    using deadline = some.deadline();
    return await some.pool.acquire(watchedTarget, deadline);
  };
  (await lease()).release('finished');
  const freeze = (): void => {
    session.alive = (timeoutMs) => new Promise((resolve) => some.clock.after(timeoutMs, () => resolve(false)));
  };
  return { ...some, session, lease, freeze };
}

const kept = { lifecycle: 'keep-alive' } as const;
const http = { link: 'streamable' } as const;

describe('who is asked for signs of life', () => {
  it('P4: a kept entry every 30 s', async () => {
    const { session, clock } = await watched(kept);
    await clock.advance(95_000);
    expect(session.asked).toBe(3);
  });

  it('P4: a lazy one only while a call is older than 30 s; without one no timer runs', async () => {
    const { session, clock, lease } = await watched({});
    expect(clock.pending).toBe(0);
    await clock.advance(100_000);
    expect(session.asked).toBe(0);
    const long = await lease();
    await clock.advance(29_999);
    (await lease()).release('finished');
    expect(session.asked).toBe(0);
    await clock.advance(1);
    expect(session.asked).toBe(1);
    await clock.advance(60_000);
    expect(session.asked).toBe(3);
    long.release('finished');
    await clock.advance(600_000);
    expect(session.asked).toBe(3);
  });

  it('P4: modern HTTP never, modern stdio like any other', async () => {
    const modern = await watched(kept, { era: 'modern', ...http });
    await modern.lease();
    await modern.clock.advance(100_000);
    expect(modern.session.asked).toBe(0);
    const stdio = await watched(kept, { era: 'modern' });
    await stdio.clock.advance(31_000);
    expect(stdio.session.asked).toBe(1);
  });

  it('P4: nobody is asked after the end', async () => {
    const { session, clock, pool } = await watched(kept);
    await pool.close();
    await clock.advance(100_000);
    expect(session.asked).toBe(0);
    expect(clock.pending).toBe(0);
  });
});

describe('what comes of silence', () => {
  it('P4: three misses in a row end a kept entry, which is then dialled anew; status counts them', async () => {
    const { session, clock, pool, changes, freeze } = await watched(kept);
    await clock.advance(30_000);
    freeze();
    await clock.advance(39_999);
    expect(pool.status()).toMatchObject([{ state: 'ready', misses: 0 }]);
    await clock.advance(1);
    expect(pool.status()).toMatchObject([{ state: 'ready', misses: 1 }]);
    await clock.advance(30_000);
    expect(pool.status()).toMatchObject([{ misses: 2 }]);
    expect(session.closes).toBe(0);
    await clock.advance(30_000);
    expect(session.closes).toBe(1);
    expect(pool.status()).toMatchObject([{ state: 'waiting', misses: 0 }]);
    expect(changes).toContainEqual(expect.objectContaining({ event: 'reconnecting', attempt: 1 }));
  });

  it('P4: a sign in between starts the count anew, and so does anything else the server sends', async () => {
    const { session, clock, pool, freeze } = await watched(kept);
    await clock.advance(30_000);
    freeze();
    await clock.advance(70_000);
    expect(pool.status()).toMatchObject([{ misses: 2 }]);
    session.lastInMs = clock.monotonicMs();
    expect(pool.status()).toMatchObject([{ misses: 0, lastSignAgoMs: 0 }]);
    await clock.advance(70_000);
    expect(pool.status()).toMatchObject([{ state: 'ready', misses: 2 }]);
    session.alive = async () => true;
    await clock.advance(30_000);
    expect(pool.status()).toMatchObject([{ state: 'ready', misses: 0 }]);
  });

  it('P4: what comes while the question waits is a sign too', async () => {
    const { session, clock, pool, freeze } = await watched(kept);
    await clock.advance(30_000);
    freeze();
    await clock.advance(35_000);
    session.lastInMs = clock.monotonicMs();
    await clock.advance(5_000);
    expect(pool.status()).toMatchObject([{ state: 'ready', misses: 0 }]);
  });

  it('P4: a server that never answered is not ended by it', async () => {
    const { session, clock, pool, freeze } = await watched(kept);
    freeze();
    await clock.advance(600_000);
    expect(session.closes).toBe(0);
    expect(pool.status()).toMatchObject([{ state: 'ready' }]);
  });

  it('P4: that it answered is remembered over a reconnection', async () => {
    const { session, clock, pool, sessions } = await watched(kept);
    await clock.advance(30_000);
    session.die();
    await clock.advance(1_000);
    const [next] = sessions;
    if (next !== undefined) next.alive = async () => false;
    await clock.advance(90_000);
    expect(next?.closes).toBe(1);
    expect(pool.status()).toMatchObject([{ state: 'waiting' }]);
  });

  it('P4: on stdio a running call is left to its deadline, and misses are only shown', async () => {
    const { session, clock, pool, lease, freeze } = await watched({});
    const long = await lease();
    await clock.advance(30_000);
    freeze();
    await clock.advance(105_000);
    expect(session.closes).toBe(0);
    expect(pool.status()).toMatchObject([{ state: 'ready', callsInFlight: 1, misses: 3 }]);
    session.lastInMs = clock.monotonicMs();
    long.release('finished');
    expect(pool.status()).toMatchObject([{ state: 'ready', misses: 0 }]);
  });

  it('P4, P6: over HTTP three misses are death, and the running calls end with the reason', async () => {
    const { session, clock, pool, lease, freeze } = await watched({}, http);
    await lease();
    await clock.advance(30_000);
    freeze();
    await clock.advance(99_999);
    expect(session.closes).toBe(0);
    await clock.advance(1);
    expect(session.reason).toMatchObject({ code: 'connection_closed', message: /no sign of life/ });
    expect(pool.status()).toEqual([]);
  });

  it('P4: an answer to S10’s question counts as one that the server has answered', async () => {
    const { session, clock, pool, lease, freeze } = await watched(kept);
    (await lease()).release('timed-out');
    await clock.advance(0);
    expect(session.asked).toBe(1);
    freeze();
    await clock.advance(100_000);
    expect(session.closes).toBe(1);
    expect(pool.status()).toMatchObject([{ state: 'waiting' }]);
  });
});

it('P4: status tells the last sign, also of a connection that is over', async () => {
  const { session, clock, pool } = await watched(kept);
  expect(pool.status()).toMatchObject([{ lastSignAgoMs: undefined }]);
  session.lastInMs = clock.monotonicMs();
  await clock.advance(15_000);
  expect(pool.status()).toMatchObject([{ lastSignAgoMs: 15_000 }]);
  session.die();
  await clock.advance(500);
  expect(pool.status()).toMatchObject([{ state: 'waiting', lastSignAgoMs: 15_500 }]);
});
