/** The daemon as users meet it: real commands, real processes. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runDaemon } from '../../src/daemon/index.ts';
import { type Cli, cliPath, createDaemonCli, finished, testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { configureServers } from '../support/home.ts';
import { isAlive, processesWithEnvironment } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A home whose one server marks its processes, so that they can be counted. */
function homeWithMarkedServer(env: Readonly<Record<string, string>> = {}): {
  readonly cli: Cli;
  readonly servers: () => readonly number[];
} {
  const cli = createDaemonCli();
  const [command, ...args] = testServer('counting.mjs', 'stdio', join(cli.home, 'ran'));
  const mark = `of-${process.pid}-${performance.now()}`;
  configureServers(cli.home, { counting: { command, args, env: { MARK: mark, ...env } } });
  return { cli, servers: () => processesWithEnvironment(`MARK=${mark}`) };
}

function daemonOf(cli: Cli): { readonly process: { readonly pid: number } } {
  return JSON.parse(readFileSync(join(cli.home, 'run', 'daemon.json'), 'utf8')) as ReturnType<typeof daemonOf>;
}

/** The record and the socket of a daemon, where they are. */
function remainsOf(cli: Cli): readonly string[] {
  return readdirSync(join(cli.home, 'run')).filter((name) => name === 'daemon.json' || name.endsWith('.sock'));
}

it('L7: ten cold calls at once get ten answers from one daemon and one server process', async () => {
  const { cli, servers } = homeWithMarkedServer();
  const calls = Array.from({ length: 10 }, (_, at) => cli.run(['call', 'counting', 'echo', `message=hello ${at}`]));
  const runs = await Promise.all(calls);
  for (const [at, run] of runs.entries()) expect(run).toMatchObject({ code: 0, stdout: `hello ${at}\n`, stderr: '' });
  expect(servers()).toHaveLength(1);
  const started = (await cli.run(['daemon', 'logs'])).stdout.split('\n').filter((line) => line.includes(' started, '));
  expect(started).toHaveLength(1);
});

it.each([['call'], ['read'], ['resources'], ['prompts'], ['prompt'], ['sync']])(
  'L7, L8: %s of an unknown server is refused without starting a daemon',
  async (command) => {
    const { cli } = homeWithMarkedServer();
    const words = { call: ['x', 'a=1'], read: ['x://y'], prompt: ['x'] }[command] ?? [];
    expect(await cli.run([command, 'nope', ...words])).toMatchObject({ code: 2 });
    expect(existsSync(join(cli.home, 'run'))).toBe(false);
  },
);

it('R6, P3: trestle daemon start brings up what is kept, and syncs what never was', async () => {
  const { cli, servers } = homeWithMarkedServer();
  const file = join(cli.home, 'servers.json');
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly mcpServers: { readonly counting: object };
  };
  configureServers(cli.home, { counting: { ...mcpServers.counting, lifecycle: 'keep-alive' } });
  expect(await cli.run(['daemon', 'start'])).toMatchObject({ code: 0, stdout: 'The daemon is started.\n', stderr: '' });
  await eventually(() => existsSync(join(cli.home, 'registry', 'counting', 'meta.json')), 'the sync');
  expect(servers()).toHaveLength(1);
  expect((await cli.run(['status'])).stdout).toMatch(/^counting +ready /);
});

it('L7: two shells with different tokens never get each other’s server, and neither token is the daemon’s', async () => {
  const { cli, servers } = homeWithMarkedServer({ SHELL_TOKEN: '${SHELL_TOKEN}' });
  const ask = (token: string) =>
    cli.run(['call', 'counting', 'environment', 'name=SHELL_TOKEN'], {
      env: { SHELL_TOKEN: token, OTHER_SECRET: 'x' },
    });
  for (const token of ['aa', 'bb', 'aa']) expect((await ask(token)).stdout).toBe(`SHELL_TOKEN=${token}\n`);
  expect(servers()).toHaveLength(2);
  const own = readFileSync(`/proc/${daemonOf(cli).process.pid}/environ`, 'utf8');
  expect(own).not.toContain('SECRET');
  expect(own).not.toContain('SHELL_TOKEN');
});

it('L7, P9: a daemon that is killed takes its servers with it, and the next command starts a new one', async () => {
  const { cli, servers } = homeWithMarkedServer();
  expect((await cli.run(['call', 'counting', 'echo', 'message=one'])).stdout).toBe('one\n');
  const { pid } = daemonOf(cli).process;
  expect(servers()).toHaveLength(1);
  process.kill(pid, 'SIGKILL');
  await eventually(() => servers().length === 0, 'the end of the server');
  const told = await cli.run(['daemon', 'status']);
  expect(told.stdout).toMatch(new RegExp(`^No daemon runs; the last one, pid ${pid}, was killed or crashed\\. `));
  expect(JSON.parse((await cli.run(['daemon', 'status', '--json'])).stdout)).toEqual({ running: false, lostPid: pid });
  expect(await cli.run(['call', 'counting', 'echo', 'message=two'])).toMatchObject({ stdout: 'two\n', stderr: '' });
  expect(daemonOf(cli).process.pid).not.toBe(pid);
});

it('L7: stop resolves when daemon and servers are gone', async () => {
  const { cli, servers } = homeWithMarkedServer();
  await cli.run(['call', 'counting', 'echo', 'message=one']);
  const { pid } = daemonOf(cli).process;
  expect(await cli.run(['daemon', 'stop'])).toMatchObject({ code: 0, stdout: 'The daemon has ended.\n' });
  expect(isAlive(pid)).toBe(false);
  expect(servers()).toEqual([]);
});

it('L7: restart ends the daemon with its servers and starts another one, also where none runs', async () => {
  const { cli, servers } = homeWithMarkedServer();
  expect(await cli.run(['daemon', 'restart'])).toMatchObject({ code: 0, stdout: 'No daemon ran; one is started.\n' });
  await cli.run(['call', 'counting', 'echo', 'message=one']);
  const [{ pid }, [server]] = [daemonOf(cli).process, servers()];
  expect(await cli.run(['daemon', 'restart', '--json'])).toMatchObject({
    code: 0,
    stdout: '{\n  "daemon": "restarted"\n}\n',
  });
  expect(isAlive(pid)).toBe(false);
  expect(servers()).not.toContain(server);
  const next = daemonOf(cli).process.pid;
  expect([next === pid, isAlive(next)]).toEqual([false, true]);
});

it('L7: a daemon that stands still: commands work without it, and stop ends it', async () => {
  const { cli, servers } = homeWithMarkedServer();
  await cli.run(['call', 'counting', 'echo', 'message=one']);
  const { pid } = daemonOf(cli).process;
  process.kill(pid, 'SIGSTOP');
  const alone = await cli.run(['call', 'counting', 'echo', 'message=two']);
  expect(alone).toMatchObject({ code: 0, stdout: 'two\n' });
  expect(alone.stderr).toBe(`note: The daemon is not used: the daemon (pid ${pid}) does not answer.\n`);
  expect(await cli.run(['daemon', 'stop'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('killed') as string,
  });
  expect(isAlive(pid)).toBe(false);
  expect(remainsOf(cli)).toEqual([]);
  await eventually(() => servers().length === 0, 'the end of the server');
});

it('L7: a daemon that dies in the middle of a call: the outcome says so, and the call is not done again', async () => {
  const { cli } = homeWithMarkedServer();
  await cli.run(['sync', 'counting']);
  const call = cli.run(['call', 'counting', 'hang']);
  await eventually(() => readFileSync(join(cli.home, 'ran'), 'utf8').includes('call hang'));
  const { pid } = daemonOf(cli).process;
  process.kill(pid, 'SIGKILL');
  const lost = await call;
  expect(lost).toMatchObject({ code: 3, stdout: '' });
  expect(lost.stderr).toContain('error[daemon_lost]: The daemon ended before it answered.');
  expect(lost.stderr).toContain('The server may have executed it; look before you repeat it.');
  expect(readFileSync(join(cli.home, 'ran'), 'utf8').match(/call hang/g)).toHaveLength(1);
  expect(remainsOf(cli)).toHaveLength(2);
  expect(await cli.run(['daemon', 'stop'])).toMatchObject({ code: 0, stdout: 'No daemon runs.\n' });
  expect(remainsOf(cli)).toEqual([]);
});

it('L7: Ctrl-C of a command reaches the server through the daemon', async () => {
  const { cli, servers } = homeWithMarkedServer();
  await cli.run(['sync', 'counting']);
  const child = cli.start(['call', 'counting', 'hang']);
  const ended = finished(child);
  await eventually(() => readFileSync(join(cli.home, 'ran'), 'utf8').includes('call hang'));
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130 });
  await eventually(() => readFileSync(join(cli.home, 'ran'), 'utf8').includes('cancelled'));
  expect(servers(), 'it lives on').toHaveLength(1);
});

it('L7: a home that goes takes its daemon and servers with it', async () => {
  const { cli, servers } = homeWithMarkedServer();
  await cli.run(['call', 'counting', 'echo', 'message=one']);
  const { pid } = daemonOf(cli).process;
  // What still writes there while it is emptied keeps it from going.
  rmSync(cli.home, { recursive: true, maxRetries: 20 });
  await eventually(() => !isAlive(pid), 'the end of the daemon');
  expect(servers()).toEqual([]);
});

it('L7: remove ends the connection that the daemon has; status shows those it has, and starts none', async () => {
  const { cli, servers } = homeWithMarkedServer();
  expect((await cli.run(['status'])).stdout).toContain('counting');
  expect((await cli.run(['daemon', 'status', '--json'])).stdout).toBe('{\n  "running": false\n}\n');
  await cli.run(['call', 'counting', 'echo', 'message=one']);
  expect((await cli.run(['status'])).stdout).toMatch(/^counting +ready/);
  await cli.run(['remove', 'counting']);
  await eventually(() => servers().length === 0, 'the end of the server');
});

it('P5, L7: status tells when a server that is kept, and was lost, is tried anew, and why it has to be', async () => {
  const cli = createDaemonCli();
  configureServers(cli.home, {
    lost: { command: process.execPath, args: ['-e', 'process.exit(3)'], lifecycle: 'keep-alive' },
  });
  expect(await cli.run(['daemon', 'start'])).toMatchObject({ code: 0 });
  let told = '';
  await eventually(async () => {
    told = (await cli.run(['status'])).stdout;
    // Between two looks it may just be tried.
    return /^lost +waiting /m.test(told);
  }, 'the wait for the next try');
  expect(told).toMatch(/^lost +waiting .* try \d+ of 10 in \S.*\n +.*exited with code 3/m);
});

it('L7: --no-daemon and TRESTLE_NO_DAEMON=1 do without it', async () => {
  const { cli } = homeWithMarkedServer();
  for (const [args, env] of [
    [['--no-daemon'], {}],
    [[], { TRESTLE_NO_DAEMON: '1' }],
  ] as const) {
    const run = await cli.run(['call', 'counting', 'echo', 'message=one', ...args], { env });
    expect(run).toMatchObject({ code: 0, stdout: 'one\n', stderr: '' });
  }
  expect((await cli.run(['daemon', 'stop'])).stdout).toBe('No daemon runs.\n');
});

it('L8: a refusal starts no daemon', async () => {
  const { cli } = homeWithMarkedServer();
  expect((await cli.run(['call', 'nobody', 'echo'])).code).toBe(2);
  await cli.run(['sync', 'counting', '--no-daemon']);
  expect((await cli.run(['call', 'counting', 'echo'])).code).toBe(2);
  expect((await cli.run(['call', 'counting', 'nothing'])).code).toBe(2);
  expect((await cli.run(['daemon', 'status'])).stdout).toMatch(/^No daemon runs/);
});

it('L7: a newer command ends an older daemon and starts its own', async () => {
  const { cli } = homeWithMarkedServer();
  const abort = new AbortController();
  const older = runDaemon({
    runFolder: join(cli.home, 'run'),
    temporaryFolder: tempFolder(),
    platform: process.platform,
    program: cliPath,
    version: '0.0.1',
    signal: abort.signal,
  });
  await eventually(() => existsSync(join(cli.home, 'run', 'daemon.json')));
  expect((await cli.run(['daemon', 'status'])).stdout).toContain(`pid ${process.pid}, version 0.0.1`);
  expect(await cli.run(['call', 'counting', 'echo', 'message=one'])).toMatchObject({ stdout: 'one\n', stderr: '' });
  expect(await older).toBe(true);
  expect(daemonOf(cli).process.pid).not.toBe(process.pid);
});

it('L7: Ctrl-C is not kept waiting by a daemon that stands still', async () => {
  const { cli } = homeWithMarkedServer();
  await cli.run(['call', 'counting', 'echo', 'message=one']);
  const { pid } = daemonOf(cli).process;
  process.kill(pid, 'SIGSTOP');
  const child = cli.start(['call', 'counting', 'echo', 'message=two']);
  const ended = finished(child);
  // It listens to signals, SIGHUP among them, from the moment it asks.
  await eventually(
    () => readFileSync(`/proc/${child.pid}/status`, 'utf8').match(/^SigCgt:\s*[0-9a-f]*[13579bdf]$/m) !== null,
  );
  const startedMs = performance.now();
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stdout: '' });
  expect(performance.now() - startedMs).toBeLessThan(3_000);
  process.kill(pid, 'SIGCONT');
});
