/**
 * `npm run soak [calls] [seed]`: calls over eight servers whose processes are killed at random, and what that leaves behind. Prints the
 * course of memory, handles and processes, their slopes, and every call that was told otherwise than it happened. It fails
 * when a call ran twice, when something else was said of it than what it did, when a process or handle is left, or when memory grows.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime, type Outcome, type Runtime } from '../src/index.ts';
import { isAlive } from '../test/support/processes.ts';
import { mebibytes } from './table.ts';

const [wantedCalls = '100000', seed = '1'] = process.argv.slice(2);
const calls = Number(wantedCalls);
const inFlight = 16;
/** One kill in so many calls, on average. */
const callsAKill = 250;
const samples = 20;
/**
 * Bytes a call, in the second half, beyond which the heap grows: one that holds still moves by some ten over so many calls, and
 * what is kept of one call takes more. A short run is all warming up, and judges nothing.
 */
const heapBytesACall = 64;
const judgedCalls = 50_000;

const serverFile = join(import.meta.dirname, '../test/servers/faulty.mjs');
const servers = [
  { name: 'stdio-1', link: 'stdio' },
  { name: 'stdio-2', link: 'stdio' },
  { name: 'stdio-3', link: 'stdio' },
  { name: 'stdio-modern', link: 'stdio-modern' },
  { name: 'http-legacy', link: 'http-legacy' },
  { name: 'http-modern', link: 'http-modern' },
  { name: 'sse', link: 'sse' },
  { name: 'events', link: 'events' },
] as const;
type Server = (typeof servers)[number];

/** The same course for the same seed (mulberry32). */
function chances(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A server over HTTP, started again on its port whenever it was killed. */
class Remote {
  readonly #link: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  url = '';

  constructor(link: string, folder: string) {
    this.#link = link;
    this.#folder = folder;
  }

  async start(port = '0'): Promise<void> {
    const child = spawn(process.execPath, [serverFile, this.#link, this.#folder, port], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.url = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
      child.once('exit', () => reject(new Error(`${this.#link} left before it listened`)));
    });
  }

  async restart(): Promise<void> {
    const { port } = new URL(this.url);
    await this.stop();
    await this.start(port);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise((resolve) => {
      child.once('close', resolve);
      child.stdout?.resume();
      child.kill('SIGKILL');
    });
  }
}

interface Sample {
  readonly calls: number;
  readonly heap: number;
  readonly resident: number;
  readonly handles: number;
  /** Of servers that Trestle started. */
  readonly processes: number;
}

function sample(done: number): Sample {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  return { calls: done, heap: heapUsed, resident: rss, handles, processes: ownProcesses().length };
}

/** Least squares over the second half, a call: the first half is warming up. */
function slope(course: readonly Sample[], of: (sample: Sample) => number): number {
  const half = course.slice(course.length >> 1);
  const mean = (value: (sample: Sample) => number): number =>
    half.reduce((sum, item) => sum + value(item), 0) / half.length;
  const [meanX, meanY] = [mean((item) => item.calls), mean(of)];
  const over = half.reduce((sum, item) => sum + (item.calls - meanX) * (of(item) - meanY), 0);
  const under = half.reduce((sum, item) => sum + (item.calls - meanX) ** 2, 0);
  return over / under;
}

const folder = mkdtempSync(join(tmpdir(), 'trestle-soak-'));
const folderOf = ({ name }: Server): string => join(folder, name);
const linesOf = (server: Server, file: string): readonly string[] =>
  readFileSync(join(folderOf(server), file), 'utf8')
    .split('\n')
    .slice(0, -1);
/** Those of the servers that Trestle starts, as far as they have written down their id. */
function ownProcesses(): readonly number[] {
  const own = servers.filter((server) => server.link.startsWith('stdio') && existsSync(join(folderOf(server), 'pids')));
  return own.flatMap((server) => linesOf(server, 'pids').map(Number).filter(isAlive));
}

const remotes = new Map<Server, Remote>();
const chance = chances(Number(seed));

async function prepare(): Promise<Runtime> {
  const mcpServers: Record<string, unknown> = {};
  for (const server of servers) {
    mkdirSync(folderOf(server));
    writeFileSync(join(folderOf(server), 'ran'), '');
    writeFileSync(join(folderOf(server), 'pids'), '');
    if (server.link.startsWith('stdio')) {
      mcpServers[server.name] = { command: process.execPath, args: [serverFile, server.link, folderOf(server)] };
      continue;
    }
    const remote = new Remote(server.link, folderOf(server));
    await remote.start();
    remotes.set(server, remote);
    mcpServers[server.name] = { url: remote.url, ...(server.link === 'events' ? { transport: 'events' } : {}) };
  }
  writeFileSync(join(folder, 'servers.json'), JSON.stringify({ mcpServers }));
  return createRuntime({ home: folder, cwd: folder });
}

async function kill(runtime: Runtime, server: Server): Promise<void> {
  const remote = remotes.get(server);
  if (remote !== undefined) {
    await remote.restart();
    return;
  }
  const { servers: known } = await runtime.status();
  for (const { info } of known.find(({ name }) => name === server.name)?.entries ?? []) {
    if (info?.pid !== undefined && isAlive(info.pid)) process.kill(info.pid, 'SIGKILL');
  }
}

/** What was said of every call, a line each. Kept on the disk: it must not look like a leak. */
const saidFile = join(folder, 'said');

async function work(runtime: Runtime): Promise<{ readonly course: readonly Sample[]; readonly kills: number }> {
  const course: Sample[] = [];
  const killing = new Set<Server>();
  let started = 0;
  let kills = 0;
  const pick = (): Server => servers[Math.floor(chance() * servers.length)] ?? servers[0];
  const hand = async (): Promise<void> => {
    while (started < calls) {
      const index = (started += 1);
      const server = pick();
      const victim = pick();
      if (chance() < 1 / callsAKill && !killing.has(victim)) {
        killing.add(victim);
        kills += 1;
        void kill(runtime, victim).finally(() => killing.delete(victim));
      }
      const id = `${server.name} ${index}`;
      const outcome: Outcome<unknown> = await runtime.call({ server: server.name, tool: 'work', arguments: { id } });
      appendFileSync(saidFile, `${id}: ${outcome.kind} ${outcome.execution}\n`);
      if (index % Math.ceil(calls / samples) === 0) {
        course.push(sample(index));
        console.log(row(course.at(-1)));
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, hand));
  while (killing.size > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  return { course, kills };
}

const widths = [8, 10, 10, 7, 9] as const;

function row(at: Sample | undefined): string {
  const cells =
    at === undefined
      ? ['calls', 'heap', 'resident', 'handles', 'processes']
      : [at.calls, mebibytes(at.heap), mebibytes(at.resident), at.handles, at.processes];
  return cells
    .map((cell, column) => String(cell).padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
}

interface Verdict {
  /** How often each end was told. */
  readonly ends: ReadonlyMap<string, number>;
  /** What was said of calls and is not so. */
  readonly lies: readonly string[];
}

function judge(): Verdict {
  const times = new Map<string, number>();
  for (const server of servers) for (const id of linesOf(server, 'ran')) times.set(id, (times.get(id) ?? 0) + 1);
  const ends = new Map<string, number>();
  const lies: string[] = [];
  for (const line of readFileSync(saidFile, 'utf8').split('\n').slice(0, -1)) {
    const [id = '', end = ''] = line.split(': ');
    const ran = times.get(id) ?? 0;
    const execution = end.split(' ')[1];
    ends.set(end, (ends.get(end) ?? 0) + 1);
    const honest = ran <= 1 && (execution === 'unknown' || ran === (execution === 'done' ? 1 : 0));
    if (!honest) lies.push(`${line}, and it ran ${ran} times`);
  }
  return { ends, lies };
}

console.log(row(undefined));
// Both ways out are open before anything is counted.
process.stderr.write('');
const before = sample(0);
const runtime = await prepare();
// The first sync of every server, and one call, so that the start is what a warm host is.
for (const server of servers) await runtime.call({ server: server.name, tool: 'work', arguments: { id: 'warm' } });
console.log(row(sample(0)));
const startedMs = performance.now();
const { course, kills } = await work(runtime);
const seconds = (performance.now() - startedMs) / 1000;
await runtime.close();
const left = ownProcesses();
for (const remote of remotes.values()) await remote.stop();
// The handle of a process goes some turns after its last event.
for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
const afterClose = sample(calls);
const { ends, lies } = judge();
rmSync(folder, { recursive: true });

const heapSlope = slope(course, ({ heap }) => heap);
const failures = [
  ...(left.length === 0 ? [] : [`${left.length} processes of servers are left`]),
  ...(afterClose.handles <= before.handles ? [] : [`${afterClose.handles - before.handles} handles are left`]),
  ...(lies.length === 0 ? [] : [`${lies.length} calls ran twice, or were told otherwise than it happened`]),
  ...(calls < judgedCalls || heapSlope <= heapBytesACall ? [] : ['the heap grows']),
];
console.log(`\n${calls} calls in ${seconds.toFixed(0)} s, ${kills} servers killed, seed ${seed}`);
for (const [end, number] of [...ends].sort((a, b) => b[1] - a[1])) console.log(`  ${end}: ${number}`);
console.log('slopes by 1,000 calls, second half:');
console.log(`  heap ${(heapSlope / 1.024).toFixed(1)} KiB (a leak from ${(heapBytesACall / 1.024).toFixed(1)} on)`);
console.log(`  resident ${(slope(course, ({ resident }) => resident) / 1.024).toFixed(1)} KiB`);
console.log(`  handles ${(slope(course, ({ handles }) => handles) * 1000).toFixed(3)}`);
console.log(`  processes ${(slope(course, ({ processes }) => processes) * 1000).toFixed(3)}`);
console.log(
  `before: ${before.handles} handles; after close: ${afterClose.handles} handles, ${left.length} processes of servers`,
);
console.log(`told otherwise than it happened, or run twice: ${lies.length}`);
for (const line of lies.slice(0, 20)) console.log(`  ${line}`);
console.log(failures.length === 0 ? 'nothing is left, and nothing grew' : `FAILED: ${failures.join('; ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;
