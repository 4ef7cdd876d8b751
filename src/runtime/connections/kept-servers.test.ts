/** Connections that are kept, with real servers. Where limits are minutes the runtime's clock runs faster than the machine's. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { createFastClock } from '../../../test/support/fast-clock.ts';
import { isAlive } from '../../../test/support/processes.ts';
import {
  countingHttp,
  countingStdio,
  failureOf,
  type TestHome,
  trestleHome,
} from '../../../test/support/trestle-home.ts';
import type { EntryStatus } from '../../pool/index.ts';
import type { RuntimeEvent, RuntimeOptions } from '../index.ts';

function home(entry: Readonly<Record<string, unknown>>, options: Partial<RuntimeOptions> = {}): TestHome {
  return trestleHome({ it: entry }, { longLived: true, ...options });
}

async function connections({ runtime }: TestHome): Promise<readonly EntryStatus[]> {
  return (await runtime.status()).servers.flatMap(({ entries }) => entries);
}

/** The pid of the one server, once it is ready. */
async function readyPid(kept: TestHome, other?: number): Promise<number> {
  let pid: number | undefined;
  const look = async (): Promise<boolean> => {
    const [connection] = await connections(kept);
    pid = connection?.state === 'ready' ? connection.info?.pid : undefined;
    return pid !== undefined && pid !== other;
  };
  await eventually(look, 'a ready server');
  return pid ?? 0;
}

function told({ events }: TestHome, kind: RuntimeEvent['kind']): readonly RuntimeEvent[] {
  return events.filter((event) => event.kind === kind);
}

describe('servers that are kept', () => {
  it('P3: eager and keep-alive ones are connected at the start of a long-lived host, lazy ones are not', async () => {
    const { entry } = countingStdio();
    const lifecycles = { lazy: 'lazy', eager: 'eager', kept: 'keep-alive' };
    const servers = Object.entries(lifecycles).map(([name, lifecycle]) => [name, { ...entry, lifecycle }] as const);
    const kept = trestleHome(Object.fromEntries(servers), { longLived: true });
    // What was synced already is connected for this reason alone.
    for (const server of Object.keys(lifecycles)) await kept.runtime.sync({ server });
    for (const server of Object.keys(lifecycles)) await kept.runtime.disconnect(server);
    expect(await connections(kept)).toEqual([]);
    await kept.runtime.reload();
    await eventually(async () => (await connections(kept)).every(({ state }) => state === 'ready'));
    expect((await connections(kept)).map(({ server }) => server).sort()).toEqual(['eager', 'kept']);
    expect(kept.runtime.holdsKept()).toBe(true);
  });

  it('P3: in a host that lives for one command they are lazy', async () => {
    const { entry } = countingStdio();
    const brief = home({ ...entry, lifecycle: 'keep-alive' }, { longLived: false });
    await brief.runtime.call({ server: 'it', tool: 'count' });
    expect(await connections(brief)).toMatchObject([{ state: 'ready', lifecycle: 'lazy' }]);
    expect(brief.runtime.holdsKept()).toBe(false);
  });

  it('P5: one that is killed comes back by itself, and its descriptors are read anew', async () => {
    const counting = countingStdio();
    const kept = home({ ...counting.entry, lifecycle: 'keep-alive' });
    await kept.runtime.reload();
    const pid = await readyPid(kept);
    const lists = (): number => counting.ran().filter((line) => line === 'tools/list').length;
    const before = lists();
    process.kill(pid, 'SIGKILL');
    const next = await readyPid(kept, pid);
    expect(isAlive(pid)).toBe(false);
    expect(isAlive(next)).toBe(true);
    expect(told(kept, 'reconnecting')).toMatchObject([{ server: 'it', attempt: 1, of: 10 }]);
    expect(told(kept, 'ready')).toMatchObject([{ reconnected: false }, { reconnected: true }]);
    await eventually(() => lists() === before + 1, 'a refresh of the tools');
    expect(await kept.runtime.call({ server: 'it', tool: 'count' })).toMatchObject({ kind: 'ok' });
  });

  it('P5: a call that comes while it is gone waits for the next try, and runs once', async () => {
    const counting = countingStdio();
    const kept = home({ ...counting.entry, lifecycle: 'keep-alive' });
    await kept.runtime.reload();
    process.kill(await readyPid(kept), 'SIGKILL');
    await eventually(async () => (await connections(kept))[0]?.state === 'waiting');
    expect(await kept.runtime.call({ server: 'it', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(counting.ran().filter((line) => line === 'call count')).toHaveLength(1);
  });

  it('P5: one that dies at once is given up; calls fail at once with the first reason, a sync tries again', async () => {
    const clock = createFastClock(50);
    const kept = home(
      { command: '/bin/sh', args: ['-c', 'echo broken >&2; exit 7'], lifecycle: 'keep-alive' },
      { clock },
    );
    await kept.runtime.reload();
    await eventually(() => told(kept, 'gave-up').length > 0, 'giving up');
    const attempts = told(kept, 'reconnecting').map((event) => 'attempt' in event && event.attempt);
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await connections(kept)).toMatchObject([{ state: 'failed', nextTry: undefined }]);
    expect(kept.runtime.holdsKept()).toBe(false);
    const read = failureOf(await kept.runtime.read({ server: 'it', uri: 'x://y' }));
    expect(read).toMatchObject({ kind: 'unavailable', execution: 'not-sent', failure: { code: 'server_exited' } });
    expect(read.failure.message).toContain('7');
    expect(told(kept, 'gave-up')).toHaveLength(1);
    await kept.runtime.sync({ server: 'it' });
    expect(await connections(kept)).toMatchObject([{ state: 'waiting', nextTry: { attempt: 1 } }]);
  });

  it('P8: closing ends one that waits for its next try', async () => {
    const kept = home({ command: '/bin/sh', args: ['-c', 'exit 7'], lifecycle: 'keep-alive' });
    await kept.runtime.reload();
    expect(await connections(kept)).toMatchObject([{ state: 'waiting' }]);
    await kept.runtime.closeScope('library');
    expect(await connections(kept)).toEqual([]);
  });
});

describe('servers that stand still', () => {
  it('P4, P7: on stdio the call’s own deadline decides, misses are shown, and the next call runs on a new child', async () => {
    const counting = countingStdio();
    const clock = createFastClock(1);
    const kept = home({ ...counting.entry, lifecycle: 'keep-alive' }, { clock });
    await kept.runtime.sync({ server: 'it' });
    const pid = await readyPid(kept);
    // From here on nobody has to answer in time.
    clock.run(20);
    const call = kept.runtime.call({ server: 'it', tool: 'freeze', timeoutMs: 200_000 });
    await eventually(async () => (await connections(kept))[0]?.misses === 3, 'three misses');
    expect(await connections(kept)).toMatchObject([{ state: 'ready', callsInFlight: 1 }]);
    expect(await call).toMatchObject({ kind: 'timed-out', execution: 'unknown' });
    clock.run(1);
    expect(await kept.runtime.call({ server: 'it', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(await readyPid(kept)).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
  });

  it('P4, P6: over HTTP three misses end the connection, and the call with it, unknown', async () => {
    const { entry } = await countingHttp();
    const clock = createFastClock(1);
    const kept = home(entry, { clock });
    await kept.runtime.sync({ server: 'it' });
    // Its timeout asks for a sign of life, so that the server is known to give them.
    await kept.runtime.call({ server: 'it', tool: 'hang', timeoutMs: 1_000 });
    // From here on nobody has to answer in time.
    clock.run(20);
    const outcome = await kept.runtime.call({ server: 'it', tool: 'freeze', timeoutMs: 300_000 });
    expect(outcome).toMatchObject({
      kind: 'unavailable',
      execution: 'unknown',
      failure: { code: 'connection_closed' },
    });
    await eventually(async () => (await connections(kept)).length === 0, 'the end of the connection');
  });
});
