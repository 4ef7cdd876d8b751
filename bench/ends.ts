/** How soon callers hear, through the daemon, that they cancelled or that their server ended. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../src/base/index.ts';
import { createDaemonClient, stopDaemon } from '../src/daemon/index.ts';
import { createRuntime, type Outcome, placesOf, type Runtime } from '../src/runtime/index.ts';
import { temporaryHome } from './home.ts';
import { median, ms, rounds, type Row } from './table.ts';

const counting = join(import.meta.dirname, '../test/servers/counting.mjs');
const program = join(import.meta.dirname, '../dist/cli.js');
/** Calls that wait when a server ends. */
const waitingCalls = 10;

export async function measureEnds(): Promise<readonly Row[]> {
  const home = temporaryHome({});
  const ran = join(home.path, 'ran');
  home.configure({ counting: { command: process.execPath, args: [counting, 'stdio', ran] } });
  const places = placesOf(home.path);
  const client = {
    home: { places, userHome: home.path },
    command: [process.execPath, program] as const,
    platform: process.platform,
    clock: systemClock,
    onNote: (text: string) => console.error(text),
  };
  const caller = { env: { PATH: process.env['PATH'] }, cwd: home.path };
  const shared = { platform: process.platform, scope: 'library', userHome: home.path } as const;
  const runtime = createDaemonClient({
    ...client,
    ...shared,
    caller,
    openLocal: () => createRuntime({ ...shared, ...caller, places }),
  });
  try {
    const figures = { cancel: [] as number[], end: [] as number[] };
    const arrivals = (): number => (existsSync(ran) ? readFileSync(ran, 'utf8').split('call hang').length - 1 : 0);
    for (let round = 0; round < rounds; round += 1) {
      figures.cancel.push(await timeOfCancel(runtime, arrivals));
      figures.end.push(await timeOfEnd(runtime, arrivals));
    }
    const row = (what: string, value: number, bar: number): Row => ({
      what,
      value: ms(value),
      against: '',
      ratio: value,
      bar,
    });
    return [
      row('a cancel reaches its caller (through the daemon), ms', median(figures.cancel), 50),
      row(
        `the end of a server reaches ${waitingCalls} waiting calls (through the daemon), ms`,
        median(figures.end),
        100,
      ),
    ];
  } finally {
    await runtime.close();
    await stopDaemon({ ...client, env: caller.env });
    home.remove();
  }
}

async function timeOfCancel(runtime: Runtime, arrivals: () => number): Promise<number> {
  const abort = new AbortController();
  const [call] = await hanging(runtime, { count: 1, arrivals, signal: abort.signal });
  const startedMs = performance.now();
  abort.abort();
  await call;
  return performance.now() - startedMs;
}

async function timeOfEnd(runtime: Runtime, arrivals: () => number): Promise<number> {
  const calls = await hanging(runtime, { count: waitingCalls, arrivals });
  const pid = (await runtime.status()).servers[0]?.entries[0]?.info?.pid;
  if (pid === undefined) throw new Error('The server has no process.');
  const startedMs = performance.now();
  process.kill(pid, 'SIGKILL');
  await Promise.all(calls);
  return performance.now() - startedMs;
}

interface Hanging {
  readonly count: number;
  readonly arrivals: () => number;
  readonly signal?: AbortSignal;
}

/** Calls that have reached the server, which never answers them. */
async function hanging(
  runtime: Runtime,
  { count, arrivals, signal }: Hanging,
): Promise<readonly Promise<Outcome<unknown>>[]> {
  const before = arrivals();
  const calls = Array.from({ length: count }, () => runtime.call({ server: 'counting', tool: 'hang', signal }));
  while (arrivals() < before + count) await new Promise((resolve) => setTimeout(resolve, 5));
  return calls;
}
