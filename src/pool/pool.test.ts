import { describe, expect, it } from 'vitest';
import { createFakeSession, type FakeSession } from '../../test/support/fake-session.ts';
import { codeOf, poolBench, slowDial } from '../../test/support/pool-bench.ts';
import { TrestleError } from '../base/index.ts';
import type { Target } from './index.ts';

describe('dialling', () => {
  it('P2: concurrent first uses share one dial', async () => {
    const { pool, target, deadline, dials } = poolBench();
    const leases = await Promise.all([1, 2, 3].map(() => pool.acquire(target(), deadline())));
    expect(dials()).toBe(1);
    expect(new Set(leases.map((lease) => lease.session)).size).toBe(1);
    expect(pool.status()).toMatchObject([{ state: 'ready', callsInFlight: 3 }]);
  });

  it('P1: two keys never share a session', async () => {
    const { pool, target, deadline, dials } = poolBench();
    const a = await pool.acquire(target({ key: 'a', scope: 'session:a' }), deadline());
    const b = await pool.acquire(target({ key: 'b', scope: 'session:b' }), deadline());
    expect(a.session).not.toBe(b.session);
    expect(dials()).toBe(2);
  });

  it('P2: the first caller leaving does not end the dial while another one waits', async () => {
    const { pool, target, deadline } = poolBench();
    const slow = slowDial();
    const abort = new AbortController();
    const first = codeOf(pool.acquire(target({ dial: slow.dial }), deadline(60_000, abort.signal)));
    const second = pool.acquire(target({ dial: slow.dial }), deadline());
    abort.abort();
    expect(await first).toBe('cancelled');
    expect(slow.seen.deadline?.signal.aborted).toBe(false);
    slow.resolve(createFakeSession());
    expect((await second).session.state).toBe('ready');
    expect(slow.seen.starts).toBe(1);
  });

  it('S9: the dial is aborted when the last one who waited has timed out, and leaves nothing', async () => {
    const { pool, target, deadline, clock } = poolBench();
    const slow = slowDial();
    const waiting = [codeOf(pool.acquire(target({ dial: slow.dial }), deadline(1_000)))];
    await clock.advance(500);
    waiting.push(codeOf(pool.acquire(target({ dial: slow.dial }), deadline(1_000))));
    await clock.advance(600);
    expect(slow.seen.deadline?.signal.aborted).toBe(false);
    await clock.advance(500);
    expect(await Promise.all(waiting)).toEqual(['timed_out', 'timed_out']);
    expect(slow.seen.deadline?.signal.aborted).toBe(true);
    await clock.advance(0);
    expect(pool.status()).toEqual([]);
  });

  it('S9: signs of a long start renew and raise the limits of all who wait, also of those who come later', async () => {
    const { pool, target, deadline, clock } = poolBench();
    const slow = slowDial();
    const first = pool.acquire(target({ dial: slow.dial }), deadline(1_000));
    slow.seen.deadline?.allow(180_000);
    const second = pool.acquire(target({ dial: slow.dial }), deadline(1_000));
    await clock.advance(100_000);
    slow.resolve(createFakeSession());
    await expect(Promise.all([first, second])).resolves.toHaveLength(2);
  });

  it('P2: a failed dial fails everybody who waited, and the next use dials anew', async () => {
    const { pool, target, deadline, changes, dials } = poolBench();
    const slow = slowDial();
    const both = [1, 2].map(() => codeOf(pool.acquire(target({ dial: slow.dial }), deadline())));
    slow.reject(new TrestleError({ code: 'command_not_found', message: 'fake: no such command.' }));
    expect(await Promise.all(both)).toEqual(['command_not_found', 'command_not_found']);
    expect(pool.status()).toEqual([]);
    expect(changes.flatMap((change) => (change.event === 'state' ? [change.state] : []))).toEqual([
      'dialling',
      'failed',
    ]);
    await pool.acquire(target(), deadline());
    expect(dials()).toBe(1);
  });

  it('one failed entry blocks no other', async () => {
    const { pool, target, deadline } = poolBench();
    const slow = slowDial();
    const stuck = codeOf(pool.acquire(target({ key: 'stuck', definitionId: 'stuck', dial: slow.dial }), deadline()));
    expect((await pool.acquire(target(), deadline())).session.state).toBe('ready');
    slow.reject(new TrestleError({ code: 'connection_failed', message: 'no.' }));
    expect(await stuck).toBe('connection_failed');
  });

  it('a server that dies right after its handshake fails the caller and is not dialled in a circle', async () => {
    const { pool, target, deadline, dials } = poolBench();
    const plain = target();
    const dying: Target = {
      ...plain,
      dial: async (limit) => {
        const session = await plain.dial(limit);
        (session as FakeSession).die();
        return session;
      },
    };
    const failure = await pool.acquire(dying, deadline()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'server_exited', execution: 'not-sent' });
    expect(dials()).toBe(1);
  });
});

describe('the end of entries', () => {
  it('P6: when a session is over its entry is dropped at once and the next use dials anew', async () => {
    const { pool, target, deadline, sessions, dials, clock } = poolBench();
    const lease = await pool.acquire(target(), deadline());
    sessions[0]?.die();
    lease.release('finished');
    await clock.advance(0);
    expect(pool.status()).toEqual([]);
    expect((await pool.acquire(target(), deadline())).session).toBe(sessions[1]);
    expect(dials()).toBe(2);
  });

  it('P3: an idle entry is closed after its idle time, one in use is not', async () => {
    const { pool, target, deadline, sessions, clock } = poolBench();
    const lease = await pool.acquire(target({ idleMs: 1_000 }), deadline(500_000));
    await clock.advance(5_000);
    expect(sessions[0]?.closes).toBe(0);
    lease.release('finished');
    await clock.advance(999);
    expect(sessions[0]?.closes).toBe(0);
    await clock.advance(1);
    expect(sessions[0]?.closes).toBe(1);
    expect(pool.status()).toEqual([]);
  });

  it('P2: a full pool closes its least recently used idle entry, and refuses when all are in use', async () => {
    const { pool, target, deadline, sessions, clock } = poolBench({ maxEntries: 2 });
    const named = (name: string): Target => target({ key: name, definitionId: name, server: name });
    (await pool.acquire(named('a'), deadline())).release('finished');
    await clock.advance(10);
    (await pool.acquire(named('b'), deadline())).release('finished');
    await pool.acquire(named('c'), deadline());
    expect(sessions[0]?.closes).toBe(1);
    await pool.acquire(named('b'), deadline());
    const failure = await pool.acquire(named('d'), deadline()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'pool_full', execution: 'not-sent', server: 'd' });
  });

  it('P1: a changed definition closes its old entry after its calls', async () => {
    const { pool, target, deadline, sessions, clock } = poolBench();
    const old = await pool.acquire(target({ key: 'old' }), deadline());
    const next = await pool.acquire(target({ key: 'new' }), deadline());
    expect(next.session).not.toBe(old.session);
    expect(sessions[0]?.closes).toBe(0);
    expect(pool.status().map((entry) => entry.state)).toEqual(['closing', 'ready']);
    old.release('finished');
    await clock.advance(0);
    expect(sessions[0]?.closes).toBe(1);
    expect(pool.status().map((entry) => entry.state)).toEqual(['ready']);
  });

  it('P1: a definition that is retired while it is dialled still serves those who waited, then closes', async () => {
    const { pool, target, deadline, clock } = poolBench();
    const slow = slowDial();
    const waiting = pool.acquire(target({ dial: slow.dial }), deadline());
    pool.retire('fake');
    const session = createFakeSession();
    slow.resolve(session);
    const lease = await waiting;
    expect(lease.session).toBe(session);
    lease.release('finished');
    await clock.advance(0);
    expect(session.closes).toBe(1);
  });

  it('P8: closing a scope ends its entries and dials, resolves when nothing is left, and leaves other scopes alone', async () => {
    const { pool, target, deadline, sessions, clock } = poolBench();
    await pool.acquire(target({ key: 'a', scope: 'session:1' }), deadline());
    await pool.acquire(target({ key: 'b', scope: 'session:2' }), deadline());
    const slow = slowDial();
    const dialling = codeOf(pool.acquire(target({ key: 'c', scope: 'session:1', dial: slow.dial }), deadline()));
    const gate = Promise.withResolvers<void>();
    const [first, second] = sessions;
    if (first !== undefined) first.slowClose = gate.promise;
    let closed = false;
    const closing = pool.closeScope('session:1').then(() => (closed = true));
    expect(await dialling).toBe('session_closed');
    await clock.advance(0);
    expect(closed).toBe(false);
    gate.resolve();
    await closing;
    expect(second?.closes).toBe(0);
    expect(pool.status().map((entry) => entry.scope)).toEqual(['session:2']);
  });

  it('P8: a closed pool gives no leases', async () => {
    const { pool, target, deadline, sessions } = poolBench();
    await pool.acquire(target(), deadline());
    await pool.close();
    expect(sessions[0]?.closes).toBe(1);
    expect(await codeOf(pool.acquire(target(), deadline()))).toBe('session_closed');
  });

  it('a session that a dial brings after everybody left is closed', async () => {
    const { pool, target, deadline, clock } = poolBench();
    const end = Promise.withResolvers<FakeSession>();
    const waiting = codeOf(pool.acquire(target({ dial: () => end.promise }), deadline(1_000)));
    await clock.advance(1_000);
    expect(await waiting).toBe('timed_out');
    const late = createFakeSession();
    end.resolve(late);
    await clock.advance(0);
    expect(late.closes).toBe(1);
    expect(pool.status()).toEqual([]);
  });
});

describe('after a timeout or cancel', () => {
  it('S10: a sign of life is asked, new calls wait for it, and the entry stays', async () => {
    const { pool, target, deadline, sessions, clock, dials } = poolBench();
    const lease = await pool.acquire(target(), deadline());
    const sign = Promise.withResolvers<boolean>();
    const [session] = sessions;
    if (session !== undefined) session.alive = () => sign.promise;
    lease.release('timed-out');
    expect(pool.status()).toMatchObject([{ state: 'checking' }]);
    let granted = false;
    const next = pool.acquire(target(), deadline()).then((lease) => {
      granted = true;
      return lease;
    });
    await clock.advance(0);
    expect(granted).toBe(false);
    sign.resolve(true);
    expect((await next).session).toBe(session);
    expect(session?.asked).toBe(1);
    expect(dials()).toBe(1);
  });

  it('P7: without a sign and without other calls the session is ended and the next call dials anew', async () => {
    const { pool, target, deadline, sessions, clock } = poolBench();
    const lease = await pool.acquire(target(), deadline());
    const [session] = sessions;
    if (session !== undefined) session.alive = async () => false;
    await clock.advance(1_000);
    lease.release('timed-out');
    expect((await pool.acquire(target(), deadline())).session).toBe(sessions[1]);
    expect(session?.closes).toBe(1);
  });

  it('S10: waiting for the sign has the deadline of the one who waits', async () => {
    const { pool, target, deadline, sessions, clock } = poolBench();
    const lease = await pool.acquire(target(), deadline());
    const [session] = sessions;
    if (session !== undefined) session.alive = () => new Promise(() => {});
    lease.release('cancelled');
    const next = codeOf(pool.acquire(target(), deadline(1_000)));
    await clock.advance(1_000);
    expect(await next).toBe('timed_out');
  });

  it('S10: traffic on another call keeps the session, whoever waits for it', async () => {
    const { pool, target, deadline, sessions, clock } = poolBench();
    const [given, other] = await Promise.all([
      pool.acquire(target(), deadline()),
      pool.acquire(target(), deadline(500_000)),
    ]);
    const [session] = sessions;
    if (session !== undefined) session.alive = async () => false;
    await clock.advance(20_000);
    given?.release('timed-out');
    await clock.advance(3_000);
    expect(pool.status()).toMatchObject([{ state: 'checking' }]);
    if (session !== undefined) session.lastInMs = clock.monotonicMs();
    await clock.advance(1_000);
    expect(pool.status()).toMatchObject([{ state: 'ready', callsInFlight: 1 }]);
    other?.release('finished');
    expect(session?.closes).toBe(0);
  });

  it('S10, P6: other calls in flight without any traffic for ten seconds do not keep it, and end with that reason', async () => {
    const { pool, target, deadline, sessions, clock } = poolBench();
    const [given] = await Promise.all([pool.acquire(target(), deadline()), pool.acquire(target(), deadline(500_000))]);
    const [session] = sessions;
    if (session !== undefined) session.alive = async () => false;
    await clock.advance(20_000);
    given?.release('timed-out');
    await clock.advance(9_000);
    expect(session?.closes).toBe(0);
    await clock.advance(1_500);
    expect(session?.closes).toBe(1);
    expect(session?.reason?.message).toContain('no sign of life');
    expect(pool.status()).toEqual([]);
  });

  it('P8: closing the pool does not wait for a sign', async () => {
    const { pool, target, deadline, sessions } = poolBench();
    const lease = await pool.acquire(target(), deadline());
    const [session] = sessions;
    if (session !== undefined) session.alive = () => new Promise(() => {});
    lease.release('timed-out');
    const next = codeOf(pool.acquire(target(), deadline()));
    await pool.close();
    expect(await next).toBe('session_closed');
    expect(session?.closes).toBe(1);
  });

  it('P8: whoever waits for a sign when the scope closes is refused and opens nothing new', async () => {
    const { pool, target, deadline, sessions, dials } = poolBench();
    const lease = await pool.acquire(target(), deadline());
    const [session] = sessions;
    if (session !== undefined) session.alive = () => new Promise(() => {});
    lease.release('timed-out');
    const next = codeOf(pool.acquire(target(), deadline()));
    await pool.closeScope('library');
    expect(await next).toBe('session_closed');
    expect(dials()).toBe(1);
  });

  it('H5: a lost session gives no new leases, and concurrent callers share the new dial', async () => {
    const { pool, target, deadline, dials, sessions, clock } = poolBench();
    const leases = await Promise.all([1, 2].map(() => pool.acquire(target(), deadline())));
    leases[0]?.release('lost');
    const next = await Promise.all([1, 2].map(() => pool.acquire(target(), deadline())));
    expect(dials()).toBe(2);
    expect(next.every((lease) => lease.session === sessions[1])).toBe(true);
    expect(sessions[0]?.closes).toBe(0);
    leases[1]?.release('lost');
    await clock.advance(0);
    expect(sessions[0]?.closes).toBe(1);
  });
});
