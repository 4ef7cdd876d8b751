import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { isAlive } from '../../../test/support/processes.ts';
import { testKeeper, testServer } from '../../../test/support/stdio-link.ts';
import { ownIdentity, silentLog, systemClock } from '../../base/index.ts';
import { endLeak, findLeaks, type Leak } from './leaks.ts';
import { newOwnerMark } from './process-marks.ts';
import { listByPs, listProcesses } from './process-table.ts';

const linux = process.platform === 'linux';
const context = { clock: systemClock, log: silentLog };

function killAtEnd(pids: readonly number[]): void {
  onTestFinished(() => {
    for (const pid of pids.filter((one) => one > 1 && isAlive(one))) process.kill(pid, 'SIGKILL');
  });
}

/** A host with one server a kind, and the processes of all of them. */
async function startHost(...kinds: readonly string[]): Promise<{ host: ChildProcess; pids: readonly number[] }> {
  const script = join(import.meta.dirname, '../../../test/support/keeper-host.ts');
  const endpoints = kinds.map((kind) => JSON.stringify(testServer('stubborn-tree.mjs', kind)));
  const host = spawn(process.execPath, [script, 'wait', ...endpoints], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void host.kill('SIGKILL'));
  const pids: number[] = [];
  let seen = 0;
  for await (const line of createInterface({ input: host.stdout })) {
    pids.push(...Object.values((JSON.parse(line) as { params: Record<string, number> }).params));
    if ((seen += 1) === kinds.length) break;
  }
  killAtEnd(pids);
  return { host, pids };
}

/** Kills a host in a way that leaves nobody to end its servers. */
async function killWithWatcher(host: ChildProcess): Promise<void> {
  const isWatcher = (one: Awaited<ReturnType<typeof listProcesses>>[number]): boolean =>
    one.parent === host.pid && one.variable('TRESTLE_WATCHER') === '1';
  // Stopped first: it would start another watcher.
  host.kill('SIGSTOP');
  for (const { pid } of (await listProcesses()).filter(isWatcher)) process.kill(pid, 'SIGKILL');
  host.kill('SIGKILL');
  await eventually(() => host.signalCode !== null);
}

async function leaksWith(pids: readonly number[]): Promise<readonly Leak[]> {
  const search = await findLeaks();
  if (search.kind !== 'searched') throw new Error('leaks cannot be looked for');
  return search.leaks.filter(({ processes }) => processes.some(({ pid }) => pids.includes(pid)));
}

/** A process that carries the given variables and nothing else of Trestle. */
async function startMarked(env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn('/bin/sleep', ['60'], { env, detached: true, stdio: 'ignore' });
  await new Promise((resolve) => child.once('spawn', resolve));
  killAtEnd([child.pid ?? 0]);
  return child.pid ?? 0;
}

const startedOf = async (pid: number): Promise<number> =>
  (await listProcesses()).find((one) => one.pid === pid)?.started ?? 0;

/** A mark as {@link newOwnerMark} makes it, with other members. */
function markWith(members: { readonly pid?: number; readonly started?: string; readonly space?: string }): string {
  const [pid, started, space, random] = newOwnerMark().split('.');
  return [members.pid ?? pid, members.started ?? started, members.space ?? space, random].join('.');
}

describe.runIf(linux)('leaks', () => {
  it('P9: what a host killed with its watcher leaves is found, by server, and ended', async () => {
    const { host, pids } = await startHost('stubborn', 'setsid', 'double-fork', 'hidden');
    expect(await leaksWith(pids)).toEqual([]);
    await killWithWatcher(host);
    // Those with manners leave with the end of their input; what they started stays, the one without any mark unfindable.
    const hidden = pids.at(-1);
    const stay = pids.filter((pid, index) => pid !== hidden && (index === 0 || index % 2 === 0));
    await eventually(() => pids.filter((pid) => pid !== hidden && isAlive(pid)).length === stay.length);
    const leaks = await leaksWith(pids);
    const found = leaks.flatMap(({ processes }) => processes.map(({ pid }) => pid));
    expect(new Set(found)).toEqual(new Set(stay));
    expect(leaks).toHaveLength(3);
    for (const leak of leaks) {
      expect(leak).toMatchObject({ server: 'thing', ownerPid: host.pid });
      expect(leak.processes[0]?.name).toBe(basename(process.execPath));
      expect(leak.processes[0]?.ageMs).toBeGreaterThanOrEqual(0);
      expect(leak.processes[0]?.ageMs).toBeLessThan(60_000);
    }
    expect(await Promise.all(leaks.map((leak) => endLeak(leak, context)))).toEqual([[], [], []]);
    expect(stay.filter(isAlive)).toEqual([]);
    expect(await leaksWith(pids)).toEqual([]);
  });

  it('P9: servers of a living Trestle are no leaks, nor are those of this very process', async () => {
    const { pids } = await startHost('stubborn', 'double-fork');
    const own = await testKeeper().start(testServer('echo-stdio.mjs'), 'thing');
    expect(await leaksWith([...pids, own.pid])).toEqual([]);
  });

  it('P9: a later process that has the id of a dead Trestle is not taken for it', async () => {
    const { started } = ownIdentity();
    const earlier = markWith({ pid: process.pid, started: String(Number(started) - 1) });
    const pid = await startMarked({ TRESTLE_OWNER: earlier, TRESTLE_TREE: `${earlier}.1` });
    expect(await leaksWith([pid])).toMatchObject([{ ownerPid: process.pid, server: undefined, processes: [{ pid }] }]);
    const [leak] = await leaksWith([pid]);
    await endLeak(leak as Leak, context);
    expect(isAlive(pid)).toBe(false);
  });

  it('P9: without the start of the Trestle process, one that is younger than its servers is not taken for it', async () => {
    // Becomes the server with its mark only when the other one stands, and is older all the same.
    const script = 'read mark; exec env TRESTLE_OWNER="$mark" sleep 60';
    const elder = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    const pid = elder.pid ?? 0;
    killAtEnd([pid]);
    let younger = 0;
    await eventually(async () => {
      younger = await startMarked({});
      return (await startedOf(younger)) > (await startedOf(pid));
    });
    const equal = await startMarked({ TRESTLE_OWNER: markWith({ pid: younger, started: '' }) });
    expect(await leaksWith([equal])).toEqual([]);
    elder.stdin.end(`${markWith({ pid: younger, started: '' })}\n`);
    await eventually(async () => (await leaksWith([pid])).length === 1);
  });

  it.each([
    ['no mark at all', ''],
    ['a text that is no mark', '12345'],
    ['a mark from a container, whose ids are others', markWith({ pid: 4_000_000, started: '1', space: '1' })],
  ])('P9: what cannot be judged is no leak: %s', async (_what, mark) => {
    const pid = await startMarked({ TRESTLE_OWNER: mark, TRESTLE_TREE: mark });
    expect(await leaksWith([pid])).toEqual([]);
  });

  it('P9: a tree in which the search itself runs is not offered', async () => {
    const owner = markWith({ pid: 4_000_000, started: '1' });
    const script = `
      const { findLeaks } = await import(${JSON.stringify(join(import.meta.dirname, 'leaks.ts'))});
      const { leaks } = await findLeaks();
      console.log(JSON.stringify(leaks.flatMap(({ processes }) => processes.map(({ pid }) => pid))));`;
    const env = { PATH: process.env['PATH'] ?? '', TRESTLE_OWNER: owner, TRESTLE_TREE: `${owner}.1` };
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (data) => (text += String(data)));
    await new Promise((resolve) => child.once('close', resolve));
    expect(JSON.parse(text)).not.toContain(child.pid);
  });
});

describe.runIf(linux)('the table of processes', () => {
  it('T7: `ps`, for systems without /proc, says the same as /proc', async () => {
    const pid = await startMarked({ TRESTLE_OWNER: 'someone', OTHER: '1' });
    const facts = (records: Awaited<ReturnType<typeof listByPs>>): object | undefined => {
      const found = records.find((one) => one.pid === pid);
      return (
        found && {
          parent: found.parent,
          group: found.group,
          name: found.name,
          user: found.userId(),
          marks: [found.variable('TRESTLE_OWNER'), found.variable('TRESTLE_TREE'), found.variable('WNER')],
        }
      );
    };
    const byPs = await listByPs();
    // Until the program has replaced this one, its environment is ours.
    expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('sleep\n');
    expect(facts(byPs)).toEqual(facts(await listProcesses()));
    expect(facts(byPs)).toMatchObject({ name: 'sleep', marks: ['someone', undefined, undefined] });
    const own = byPs.find((one) => one.pid === process.pid);
    expect(Math.abs((own?.ageMs ?? 0) - process.uptime() * 1_000)).toBeLessThan(5_000);
  });
});
