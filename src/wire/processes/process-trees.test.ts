import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { isAlive, processesWithEnvironment } from '../../../test/support/processes.ts';
import { testServer } from '../../../test/support/stdio-link.ts';
import { limits, silentLog, systemClock, type TrestleError } from '../../base/index.ts';
import type { KeptProcess, ProcessKeeper } from './process-keeper.ts';
import { listProcesses } from './process-table.ts';
import { createProcessKeeper } from './process-trees.ts';

const unix = process.platform !== 'win32';
const linux = process.platform === 'linux';

/** Kinds of trees in test/servers/stubborn-tree.mjs. */
const trees = ['stubborn', 'wrapper', 'orphans', 'setsid', 'double-fork'] as const;

const stubborn = (mode: string) => testServer('stubborn-tree.mjs', mode);

// Tests here run side by side, since they mostly wait: what they leave is tidied up at the end of the file.
const keepers: ProcessKeeper[] = [];
const tidyUps: (() => void)[] = [];
afterAll(async () => {
  await closeAll();
  for (const tidy of tidyUps) tidy();
});

const closeAll = (): Promise<unknown> => Promise.all(keepers.map((keeper) => keeper.close()));

function newKeeper(): ProcessKeeper {
  const keeper = createProcessKeeper({ clock: systemClock, log: silentLog });
  keepers.push(keeper);
  return keeper;
}

/** Never of an unknown process: to the system the number 0 means this process and all around it. */
function kill(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) throw new Error('no process to kill');
  process.kill(pid, 'SIGKILL');
}

const killAtEnd = (pids: readonly number[]): void => {
  tidyUps.push(() => {
    for (const pid of pids.filter(isAlive)) kill(pid);
  });
};

async function startTree(keeper: ProcessKeeper, mode: string): Promise<{ kept: KeptProcess; pids: readonly number[] }> {
  const kept = await keeper.start(stubborn(mode), 'thing');
  return { kept, pids: await readPids(kept.child) };
}

async function readPids({ stdout }: Pick<KeptProcess['child'], 'stdout'>): Promise<readonly number[]> {
  const line = await new Promise<string>((resolve) => stdout.once('data', (data) => resolve(String(data))));
  const { params } = JSON.parse(line) as { params: Record<string, number> };
  killAtEnd(Object.values(params));
  return Object.values(params);
}

const markOf = ({ pid }: KeptProcess): string => `TRESTLE_TREE=${environmentOf(pid)['TRESTLE_TREE']}`;

function environmentOf(pid: number): Record<string, string> {
  const text = readFileSync(`/proc/${pid}/environ`, 'utf8');
  return Object.fromEntries(text.split('\0').map((entry) => entry.split('=', 2) as [string, string]));
}

describe.runIf(unix).concurrent('the end of a tree', () => {
  it.each(trees)('T7: nothing is left of: %s', async (mode) => {
    const keeper = newKeeper();
    const { kept, pids } = await startTree(keeper, mode);
    const mark = linux && mode !== 'orphans' ? markOf(kept) : '';
    expect(pids.every((pid) => isAlive(pid) || mode === 'orphans')).toBe(true);
    if (mode === 'orphans') await eventually(() => kept.child.exitCode !== null);
    await kept.end();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(marked(mark)).toEqual([]);
    await keeper.close();
  });

  it('T7: a grandchild without mark, group and stream is found by the walk before the first signal', async () => {
    const { kept, pids } = await startTree(newKeeper(), 'hidden');
    await kept.end();
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('T7: a server that leaves in time is never signalled, and soon gone', async () => {
    const kept = await newKeeper().start(testServer('leaves-late.mjs', '300'), 'thing');
    const output = collect(kept);
    await eventually(() => output().includes('ready'));
    const startedMs = performance.now();
    await kept.end();
    expect(output()).toBe('ready\nleft by itself\n');
    expect([kept.child.exitCode, kept.child.signalCode]).toEqual([5, null]);
    expect(performance.now() - startedMs).toBeLessThan(limits.closeGraceMs);
  });

  it('T7: SIGTERM comes before SIGKILL, so that a server may tidy up', async () => {
    const kept = await newKeeper().start(testServer('leaves-late.mjs', 'on-signal'), 'thing');
    const output = collect(kept);
    await eventually(() => output().includes('ready'));
    await kept.end();
    expect(output()).toBe('ready\ntidied up\n');
    expect(kept.child.exitCode).toBe(6);
  });

  it('T7: ending is one work however often it is asked for', async () => {
    const kept = await newKeeper().start(testServer('echo-stdio.mjs'), 'thing');
    expect(kept.end()).toBe(kept.end());
    await kept.end();
  });

  it('T7: a server that keeps servers of its own: their watcher is left to do its work', async () => {
    const script = join(import.meta.dirname, '../../../test/support/keeper-host.ts');
    const args = [script, 'wait', JSON.stringify(stubborn('double-fork'))];
    const kept = await newKeeper().start({ ...stubborn(''), args }, 'thing');
    const pids = await readPids(kept.child);
    expect(pids.filter(isAlive)).toHaveLength(2);
    await kept.end();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('T7: processes of other trees and keepers stay', async () => {
    const [one, other] = [newKeeper(), newKeeper()];
    const { kept } = await startTree(one, 'setsid');
    const neighbour = await startTree(one, 'setsid');
    const stranger = await startTree(other, 'setsid');
    await kept.end();
    expect(neighbour.pids.filter(isAlive)).toEqual(neighbour.pids);
    await one.close();
    expect(neighbour.pids.filter(isAlive)).toEqual([]);
    expect(stranger.pids.filter(isAlive)).toEqual(stranger.pids);
  });
});

function collect({ child }: KeptProcess): () => string {
  let text = '';
  child.stdout.on('data', (data) => (text += String(data)));
  return () => text;
}

/** Servers that this process has started and that live. */
async function ownChildren(): Promise<readonly number[]> {
  const all = await listProcesses();
  const servers = all.filter(({ parent, group, pid }) => parent === process.pid && group === pid);
  return servers.map(({ pid }) => pid);
}

/** Watchers of this process: its children that carry their mark. */
async function watchers(): Promise<readonly number[]> {
  const all = await listProcesses();
  return all
    .filter((record) => record.parent === process.pid && record.variable('TRESTLE_WATCHER') === '1')
    .map((record) => record.pid);
}

interface Host {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  /** Ids of all processes of all trees, once they stand. */
  readonly pids: readonly number[];
  /** The owner's mark; Linux only. */
  readonly mark: string;
}

/** Processes that carry a mark, as far as this system lets one look. */
const marked = (entry: string): readonly number[] => (entry === '' ? [] : processesWithEnvironment(entry));

/** A host process with a keeper of its own and one tree a mode. */
async function startHost(mode: string, kinds: readonly string[], lines = kinds.length): Promise<Host> {
  const endpoints = kinds.map((kind) => JSON.stringify(stubborn(kind)));
  const script = join(import.meta.dirname, '../../../test/support/keeper-host.ts');
  const child = spawn(process.execPath, [script, mode, ...endpoints], { stdio: ['ignore', 'pipe', 'inherit'] });
  tidyUps.push(() => child.kill('SIGKILL'));
  const pids: number[] = [];
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const { params } = JSON.parse(line) as { params: Record<string, number> };
    pids.push(...Object.values(params));
    seen += 1;
    if (seen === lines) break;
  }
  killAtEnd(pids);
  const alive = pids.find(isAlive) ?? 0;
  return { child, pids, mark: linux && alive > 0 ? `TRESTLE_OWNER=${environmentOf(alive)['TRESTLE_OWNER']}` : '' };
}

describe.runIf(unix).concurrent('a host that dies', () => {
  it.each([['SIGKILL'], ['SIGTERM'], ['SIGINT']] as const)(
    'P9: of every kind of tree nothing is left after %s',
    async (signal) => {
      const { child, pids, mark } = await startHost('wait', trees);
      expect(!linux || marked(mark).length >= trees.length).toBe(true);
      child.kill(signal);
      const expected = linux ? pids : pids.slice(0, 3);
      await eventually(() => !expected.some(isAlive), 'the end of all servers');
      expect([expected.filter(isAlive), marked(mark)]).toEqual([[], []]);
    },
  );

  it('P9: nothing is left of a host that exits without closing', async () => {
    const { pids } = await startHost('exit', ['wrapper']);
    await eventually(() => !pids.some(isAlive), 'the end of all servers');
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it.runIf(linux)('P9: a server that was started but not yet told of is found by its mark', async () => {
    const { child, pids, mark } = await startHost('untold', ['stubborn'], 2);
    expect(marked(mark)).toEqual([...pids].sort((a, b) => a - b));
    child.kill('SIGKILL');
    await eventually(() => !pids.some(isAlive), 'the end of all servers');
  });

  it('P9: a host ends by itself once its keeper is closed: no watcher holds it', async () => {
    const { child, pids } = await startHost('close', ['stubborn']);
    await eventually(() => child.exitCode !== null, 'the end of the host');
    expect([child.exitCode, pids.filter(isAlive)]).toEqual([0, []]);
  });
});

describe.runIf(unix)('the watcher', () => {
  beforeAll(closeAll);

  it('P8: a server that is being started while its keeper closes is ended or refused', async () => {
    for (const turns of [0, 1, 2, 3, 5]) {
      const keeper = newKeeper();
      const starting = keeper.start(testServer('echo-stdio.mjs'), 'thing').then(
        ({ pid }) => pid,
        (error: TrestleError) => error.code,
      );
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await keeper.close();
      const outcome = await starting;
      expect(outcome === 'session_closed' || !isAlive(Number(outcome))).toBe(true);
      expect(await ownChildren()).toEqual([]);
    }
  });

  it('P8: closing the keeper ends every tree and the watcher; it starts nothing after', async () => {
    const keeper = newKeeper();
    const kept = await Promise.all([1, 2, 3].map(() => keeper.start(testServer('echo-stdio.mjs'), 'thing')));
    expect(await watchers()).toHaveLength(1);
    await Promise.all([keeper.close(), keeper.close()]);
    expect(kept.map(({ pid }) => pid).filter(isAlive)).toEqual([]);
    expect(await watchers()).toEqual([]);
    await expect(keeper.start(testServer('echo-stdio.mjs'), 'thing')).rejects.toMatchObject({ code: 'session_closed' });
  });

  it('P9: one that was killed is replaced at once', async () => {
    const keeper = newKeeper();
    await keeper.start(testServer('echo-stdio.mjs'), 'thing');
    const [first] = await watchers();
    kill(first);
    await eventually(async () => {
      const now = await watchers();
      return now.length === 1 && now[0] !== first;
    });
    await keeper.close();
    expect(await watchers()).toEqual([]);
  });
});
