import { describe, expect, it } from 'vitest';
import { createFakeSession } from '../../test/support/fake-session.ts';
import { codeOf, poolBench, type PoolBench, slowDial } from '../../test/support/pool-bench.ts';
import { limits, TrestleError } from '../base/index.ts';
import type { EntryChange, Target } from './index.ts';

const settledMs = limits.reconnect.settledMs;
const bench = (options: { readonly maxEntries?: number } = {}): PoolBench =>
  poolBench({ chance: () => 0.5, ...options });
const refused = (message: string): TrestleError =>
  new TrestleError({ code: 'connection_failed', message, server: 'fake' });

/** A kept target whose dials fail as long as `down` is set. */
function unreliable({ target }: PoolBench, overrides: Partial<Target> = {}) {
  const way: { down: TrestleError | undefined } = { down: undefined };
  const plain = target({ lifecycle: 'keep-alive', ...overrides });
  const dial: Target['dial'] = async (deadline) => {
    if (way.down !== undefined) throw way.down;
    return await plain.dial(deadline);
  };
  return { way, kept: { ...plain, dial } };
}

/** The events of P5, in order; every one is of `fake`. */
function events({ changes }: PoolBench): readonly EntryChange[] {
  return changes.filter(({ event }) => event !== 'state');
}

describe('what is connected unasked', () => {
  it('P3: keep dials an eager entry, which is then closed for idleness as a lazy one is', async () => {
    const { pool, target, sessions, clock } = bench();
    pool.keep(target({ lifecycle: 'eager', idleMs: 1_000 }));
    await clock.advance(0);
    expect(pool.status()).toMatchObject([{ state: 'ready', lifecycle: 'eager' }]);
    await clock.advance(1_000);
    expect(pool.status()).toEqual([]);
    expect(sessions[0]?.closes).toBe(1);
  });

  it('P3: a kept entry is never closed for idleness', async () => {
    const { pool, target, clock } = bench();
    pool.keep(target({ lifecycle: 'keep-alive', idleMs: 1_000 }));
    await clock.advance(3_600_000);
    expect(pool.status()).toMatchObject([{ state: 'ready', lifecycle: 'keep-alive' }]);
  });

  it('P3: what is kept already is not dialled twice, and calls share it', async () => {
    const { pool, target, deadline, dials } = bench();
    const kept = target({ lifecycle: 'keep-alive' });
    pool.keep(kept);
    pool.keep(kept);
    await pool.acquire(kept, deadline());
    pool.keep(kept);
    expect(dials()).toBe(1);
  });

  it('P3: a dial for nobody has the usual limits, and a caller who leaves does not end it', async () => {
    const { pool, target, deadline, clock } = bench();
    const slow = slowDial();
    const kept = target({ lifecycle: 'keep-alive', dial: slow.dial, dialIdleMs: 60_000 });
    const impatient = codeOf(pool.acquire(kept, deadline(1_000)));
    await clock.advance(1_000);
    expect(await impatient).toBe('timed_out');
    expect(slow.seen.deadline?.signal.aborted).toBe(false);
    await clock.advance(59_000);
    expect(slow.seen.deadline?.signal.reason).toMatchObject({ code: 'timed_out' });
    expect(pool.status()).toMatchObject([{ state: 'waiting', nextTry: { attempt: 1 } }]);
  });

  it('P3: an eager entry that cannot be dialled is told and goes', async () => {
    const some = bench();
    const { kept, way } = unreliable(some, { lifecycle: 'eager' });
    way.down = refused('no.');
    some.pool.keep(kept);
    await some.clock.advance(0);
    expect(some.changes.at(-1)).toMatchObject({ event: 'state', state: 'failed', reason: 'no.' });
    expect(some.pool.status()).toEqual([]);
  });

  it('a pool that is full or closed says so', async () => {
    const { pool, target, deadline } = bench({ maxEntries: 1 });
    await pool.acquire(target(), deadline());
    expect(() => pool.keep(target({ key: 'b', definitionId: 'b', lifecycle: 'keep-alive' }))).toThrow(
      /cannot be connected/,
    );
    await pool.close();
    expect(() => pool.keep(target({ lifecycle: 'keep-alive' }))).toThrow(/closed/);
  });

  it('only what is kept alive and not given up counts as kept', async () => {
    const some = bench();
    const { pool, target, clock } = some;
    pool.keep(target({ lifecycle: 'eager' }));
    await clock.advance(0);
    expect(pool.holdsKept()).toBe(false);
    const { kept, way } = unreliable(some, { key: 'kept', definitionId: 'kept' });
    way.down = refused('no.');
    pool.keep(kept);
    await clock.advance(0);
    expect(pool.holdsKept()).toBe(true);
    await clock.advance(600_000);
    expect(pool.holdsKept()).toBe(false);
  });
});

describe('a kept entry that is lost', () => {
  it('P5: is dialled anew by itself, and tells it', async () => {
    const some = bench();
    const { pool, sessions, clock } = some;
    const { kept } = unreliable(some);
    pool.keep(kept);
    await clock.advance(settledMs);
    sessions[0]?.die();
    await clock.advance(0);
    expect(pool.status()).toMatchObject([
      { state: 'waiting', nextTry: { inMs: 1_000, attempt: 1, of: 10 }, reason: 'fake: the server exited.' },
    ]);
    await clock.advance(1_000);
    expect(pool.status()).toMatchObject([{ state: 'ready', nextTry: undefined, reason: undefined }]);
    expect(events(some)).toMatchObject([
      { server: 'fake', scope: 'library', event: 'ready', reconnected: false },
      { event: 'reconnecting', attempt: 1, of: 10, inMs: 1_000, reason: 'fake: the server exited.' },
      { event: 'ready', reconnected: true },
    ]);
    const states = some.changes.flatMap((change) => (change.event === 'state' ? [change.state] : []));
    expect(states).toEqual(['dialling', 'ready', 'waiting', 'dialling', 'ready']);
  });

  it('P5: its reconnection is told to the target, so that descriptors are read anew; the first connection is none', async () => {
    const some = bench();
    let told = 0;
    const { kept } = unreliable(some, { onReconnected: () => (told += 1) });
    some.pool.keep(kept);
    await some.clock.advance(settledMs);
    expect(told).toBe(0);
    some.sessions[0]?.die();
    await some.clock.advance(1_000);
    expect(told).toBe(1);
  });

  it('P5: gives up after ten tries, stays as failed, and is tried no more', async () => {
    const some = bench();
    const { pool, clock } = some;
    const { kept, way } = unreliable(some);
    way.down = refused('first.');
    pool.keep(kept);
    await clock.advance(0);
    way.down = refused('later.');
    await clock.advance(303_000);
    expect(pool.status()).toMatchObject([{ state: 'failed', reason: 'first.', nextTry: undefined }]);
    const told = events(some);
    const pauses = told.flatMap((change) => (change.event === 'reconnecting' ? [change.inMs / 1_000] : []));
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    expect(told.slice(10)).toMatchObject([{ event: 'gave-up', attempts: 10, reason: 'first.' }]);
    await clock.advance(3_600_000);
    expect(events(some)).toHaveLength(11);
    expect(clock.pending).toBe(0);
  });

  it('P5: a server that shakes hands and dies at once is given up too', async () => {
    const some = bench();
    const { kept } = unreliable(some);
    const dying: Target = {
      ...kept,
      dial: async (deadline) => {
        const session = await kept.dial(deadline);
        some.clock.after(1_000, () => some.sessions.at(-1)?.die());
        return session;
      },
    };
    some.pool.keep(dying);
    await some.clock.advance(600_000);
    expect(some.pool.status()).toMatchObject([{ state: 'failed' }]);
    expect(some.dials()).toBe(11);
  });

  it('P5: a connection that held starts the count anew', async () => {
    const some = bench();
    const { pool, sessions, clock } = some;
    pool.keep(unreliable(some).kept);
    for (let round = 0; round < 12; round += 1) {
      await clock.advance(settledMs);
      sessions.at(-1)?.die();
      await clock.advance(0);
      expect(pool.status()).toMatchObject([{ state: 'waiting', nextTry: { attempt: 1 } }]);
      await clock.advance(1_000);
    }
    expect(pool.status()).toMatchObject([{ state: 'ready' }]);
  });

  it('P5: the next try waits until nothing is left of the connection before', async () => {
    const some = bench();
    const { pool, sessions, clock, dials } = some;
    pool.keep(unreliable(some).kept);
    await clock.advance(settledMs);
    const gone = Promise.withResolvers<void>();
    const [session] = sessions;
    if (session !== undefined) session.slowClose = gone.promise;
    session?.die();
    await clock.advance(5_000);
    expect(dials()).toBe(1);
    gone.resolve();
    await clock.advance(0);
    expect(dials()).toBe(2);
  });

  it('P5, P6: calls in flight end with the session at once, and their late release disturbs nothing', async () => {
    const some = bench();
    const { pool, deadline, sessions, clock } = some;
    const { kept } = unreliable(some);
    const lease = await pool.acquire(kept, deadline());
    await clock.advance(settledMs);
    sessions[0]?.die();
    await clock.advance(1_000);
    expect(sessions[0]?.closes).toBe(1);
    expect(pool.status()).toMatchObject([{ state: 'ready', callsInFlight: 0 }]);
    lease.release('timed-out');
    expect(pool.status()).toMatchObject([{ state: 'ready', callsInFlight: 0 }]);
  });

  it('P5: a forgotten session is lost like any other, and only once', async () => {
    const some = bench();
    const { pool, deadline, clock } = some;
    const { kept } = unreliable(some);
    const leases = await Promise.all([1, 2].map(() => pool.acquire(kept, deadline())));
    await clock.advance(settledMs);
    for (const lease of leases) lease.release('lost');
    expect(pool.status()).toMatchObject([{ state: 'waiting', nextTry: { attempt: 1 } }]);
    await clock.advance(1_000);
    expect(some.dials()).toBe(2);
  });

  it('P5, P7: one that froze is lost too: the next call runs on a new child', async () => {
    const some = bench();
    const { pool, deadline, sessions, clock } = some;
    const { kept } = unreliable(some);
    const lease = await pool.acquire(kept, deadline());
    const [session] = sessions;
    if (session !== undefined) session.alive = async () => false;
    await clock.advance(60_000);
    lease.release('timed-out');
    const next = pool.acquire(kept, deadline());
    await clock.advance(1_000);
    expect((await next).session).toBe(sessions[1]);
    expect(session?.closes).toBe(1);
  });
});

describe('calls to a kept entry that is lost', () => {
  it('P5: wait for the next try within their deadline, and run on the new connection', async () => {
    const some = bench();
    const { pool, deadline, sessions, clock } = some;
    const { kept } = unreliable(some);
    pool.keep(kept);
    await clock.advance(settledMs);
    sessions[0]?.die();
    await clock.advance(0);
    const waiting = [1, 2, 3].map(() => pool.acquire(kept, deadline()));
    await clock.advance(1_000);
    const leases = await Promise.all(waiting);
    expect(leases.every(({ session }) => session === sessions[1])).toBe(true);
    expect(some.dials()).toBe(2);
  });

  it('P5: fail at once, not sent and with the first reason, when the try lies beyond their deadline', async () => {
    const some = bench();
    const { pool, deadline, clock } = some;
    const { kept, way } = unreliable(some);
    way.down = refused('first.');
    pool.keep(kept);
    await clock.advance(0);
    way.down = refused('later.');
    await clock.advance(1_000);
    const failure = await pool.acquire(kept, deadline(1_500)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'connection_failed', message: 'first.', execution: 'not-sent' });
    expect(failure).toMatchObject({ hint: 'It is tried anew in 2 s (try 2 of 10).' });
  });

  it.each([
    ['command_not_found', 'Install it. It is tried anew in 1 s (try 1 of 10).'],
    ['server_exited', 'It is tried anew in 1 s (try 1 of 10).'],
  ] as const)('P5: are told what to do after %s, and nothing of a next call', async (code, hint) => {
    const some = bench();
    const { kept, way } = unreliable(some);
    way.down = new TrestleError({ code, message: 'no.', hint: 'Install it.' });
    some.pool.keep(kept);
    await some.clock.advance(0);
    const failure = await some.pool.acquire(kept, some.deadline(500)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, hint });
  });

  it('P5: get the reason of the try that they waited for', async () => {
    const some = bench();
    const { pool, deadline, clock } = some;
    const { kept, way } = unreliable(some);
    way.down = refused('first.');
    pool.keep(kept);
    await clock.advance(0);
    way.down = refused('second.');
    const failure = pool.acquire(kept, deadline()).catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await failure).toMatchObject({ message: 'second.' });
  });

  it('P5: fail at once when it was given up; a reset tries at once', async () => {
    const some = bench();
    const { pool, deadline, clock } = some;
    const { kept, way } = unreliable(some);
    way.down = refused('first.');
    pool.keep(kept);
    await clock.advance(400_000);
    const failure = await pool.acquire(kept, deadline()).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: 'first.',
      execution: 'not-sent',
      hint: 'It is tried no more. Once it is mended, start anew with: trestle sync fake',
    });
    pool.keep(kept);
    expect(pool.status()).toMatchObject([{ state: 'failed' }]);
    way.down = undefined;
    pool.reset('fake');
    await clock.advance(0);
    expect(pool.status()).toMatchObject([{ state: 'ready' }]);
  });

  it('P5: a reset cuts a pause short and starts the count anew, with the new reason', async () => {
    const some = bench();
    const { pool, clock } = some;
    const { kept, way } = unreliable(some);
    way.down = refused('first.');
    pool.keep(kept);
    await clock.advance(20_000);
    way.down = refused('after the reset.');
    pool.reset('another');
    pool.reset('fake');
    await clock.advance(0);
    expect(pool.status()).toMatchObject([{ state: 'waiting', nextTry: { attempt: 1 }, reason: 'after the reset.' }]);
  });

  it('P5: one failed entry blocks no other', async () => {
    const some = bench();
    const { kept, way } = unreliable(some, { key: 'down', definitionId: 'down' });
    way.down = refused('no.');
    some.pool.keep(kept);
    await some.clock.advance(400_000);
    expect((await some.pool.acquire(some.target(), some.deadline())).session.state).toBe('ready');
  });
});

describe('the end of kept entries', () => {
  const waitingEntry = async (some: PoolBench): Promise<ReturnType<typeof unreliable>> => {
    const { kept, way } = unreliable(some);
    way.down = refused('no.');
    some.pool.keep(kept);
    await some.clock.advance(0);
    expect(some.pool.status()).toMatchObject([{ state: 'waiting' }]);
    return { kept, way };
  };

  it('P8: closing a scope ends a waiting entry at once, and refuses who waits for it', async () => {
    const some = bench();
    const { kept, way } = await waitingEntry(some);
    const waiting = codeOf(some.pool.acquire(kept, some.deadline()));
    await some.pool.closeScope('library');
    expect(await waiting).toBe('session_closed');
    expect(some.pool.status()).toEqual([]);
    way.down = undefined;
    await some.clock.advance(600_000);
    expect(some.dials()).toBe(0);
  });

  it('P8: it waits for what is left of the connection before', async () => {
    const some = bench();
    some.pool.keep(unreliable(some).kept);
    await some.clock.advance(settledMs);
    const gone = Promise.withResolvers<void>();
    const [session] = some.sessions;
    if (session !== undefined) session.slowClose = gone.promise;
    session?.die();
    await some.clock.advance(0);
    let closed = false;
    const closing = some.pool.close().then(() => (closed = true));
    await some.clock.advance(0);
    expect(closed).toBe(false);
    gone.resolve();
    await closing;
  });

  it('P1: a changed definition ends a waiting entry, and who waited goes on with the new one', async () => {
    const some = bench();
    const { kept } = await waitingEntry(some);
    const waiting = some.pool.acquire({ ...kept, dial: async () => createFakeSession() }, some.deadline());
    some.pool.retire('fake');
    expect((await waiting).session.state).toBe('ready');
    expect(some.pool.status()).toMatchObject([{ state: 'ready' }]);
  });

  it('P1: a kept entry that is retired while it is dialled for nobody is ended at once', async () => {
    const some = bench();
    const slow = slowDial();
    some.pool.keep(some.target({ lifecycle: 'keep-alive', dial: slow.dial }));
    some.pool.retire('fake');
    await some.clock.advance(0);
    expect(slow.seen.deadline?.signal.aborted).toBe(true);
    expect(some.pool.status()).toEqual([]);
  });

  it('P1: one that is retired while somebody waits for it is dialled to its end, and not tried anew', async () => {
    const some = bench();
    const slow = slowDial();
    const kept = some.target({ lifecycle: 'keep-alive', dial: slow.dial });
    const waiting = codeOf(some.pool.acquire(kept, some.deadline()));
    some.pool.retire('fake');
    await some.clock.advance(0);
    expect(slow.seen.deadline?.signal.aborted).toBe(false);
    slow.reject(refused('no.'));
    expect(await waiting).toBe('connection_failed');
    expect(some.pool.status()).toEqual([]);
  });

  it('P2: an entry that gave up makes room before any other, a waiting one never does', async () => {
    const some = bench({ maxEntries: 2 });
    const { pool, target, deadline, clock } = some;
    await waitingEntry(some);
    await pool.acquire(target({ key: 'b', definitionId: 'b' }), deadline());
    const third = target({ key: 'c', definitionId: 'c' });
    expect(await codeOf(pool.acquire(third, deadline()))).toBe('pool_full');
    await clock.advance(400_000);
    expect(pool.status()).toMatchObject([{ state: 'failed' }, { state: 'ready' }]);
    await pool.acquire(third, deadline());
    expect(pool.status()).toMatchObject([{ state: 'ready' }, { state: 'ready' }]);
  });
});
