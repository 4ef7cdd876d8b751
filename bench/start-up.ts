/** What a command costs from the shell, beside `node -e 0`. The registry holds 2,500 tools of 25 servers. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createRuntime, hasValue } from '../src/index.ts';
import { benchServer, type ServerCommand, temporaryHome } from './home.ts';
import { interleaved, ms, type Row } from './table.ts';

const serverCount = 25;
const toolsEach = 100;
const cli = join(import.meta.dirname, '../dist/cli.js');

/** Milliseconds from the start of a process to its end. */
export function timeOf(args: readonly string[], home: string, noDaemon = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, TRESTLE_HOME: home, TRESTLE_NO_DAEMON: noDaemon };
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: home, env });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(performance.now() - startedMs);
      else reject(new Error(`${args.join(' ')} ended with ${code}`));
    });
  });
}

export async function measureStartUp(): Promise<readonly Row[]> {
  const servers: Record<string, ServerCommand> = {};
  for (let at = 0; at < serverCount; at += 1) servers[`bench${at}`] = benchServer(toolsEach, at * toolsEach);
  const home = temporaryHome(servers);
  try {
    const runtime = createRuntime({ home: home.path, cwd: home.path, reconcile: false });
    for (const server of Object.keys(servers)) {
      const synced = await runtime.sync({ server });
      if (!hasValue(synced)) throw new Error(synced.failure.message);
    }
    await runtime.close();
    const command =
      (...args: readonly string[]) =>
      (): Promise<number> =>
        timeOf([cli, ...args], home.path);
    const call = [cli, 'call', 'bench7', 'echo', 'text=hello'];
    // The first one starts the daemon.
    await timeOf(call, home.path);
    const figures = await interleaved({
      node: () => timeOf(['-e', '0'], home.path),
      version: command('--version'),
      list: command('list'),
      show: command('show', 'bench7', 'echo'),
      search: command('search', 'say', 'hello', '--json'),
      warm: () => timeOf(call, home.path),
      cold: () => timeOf(call, home.path, '1'),
    });
    const row = (what: string, value: number, bar?: number): Row => ({
      what,
      value: ms(value),
      against: `node -e 0 ${ms(figures.node)}`,
      ratio: value / figures.node,
      bar,
    });
    return [
      row('trestle --version', figures.version, 1.3),
      row('trestle list (25 servers, 2,500 tools)', figures.list, 1.6),
      row('trestle show SERVER TOOL (of 2,500)', figures.show, 1.6),
      row('trestle search (2,500 tools)', figures.search, 6),
      row('trestle call, warm (through the daemon)', figures.warm, 2),
      row('trestle call, cold (server and client start)', figures.cold),
    ];
  } finally {
    await timeOf([cli, 'daemon', 'stop'], home.path);
    home.remove();
  }
}
