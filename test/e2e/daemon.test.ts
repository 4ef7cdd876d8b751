/** The daemon as users meet it: real commands, real processes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Cli, createDaemonCli, testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { configureServers } from '../support/home.ts';
import { isAlive, processesWithEnvironment } from '../support/processes.ts';

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

it('L7: ten cold calls at once get ten answers from one daemon and one server process', async () => {
  const { cli, servers } = homeWithMarkedServer();
  const calls = Array.from({ length: 10 }, (_, at) => cli.run(['call', 'counting', 'echo', `message=hello ${at}`]));
  const runs = await Promise.all(calls);
  for (const [at, run] of runs.entries()) expect(run).toMatchObject({ code: 0, stdout: `hello ${at}\n`, stderr: '' });
  expect(servers()).toHaveLength(1);
  const started = (await cli.run(['daemon', 'logs'])).stdout.split('\n').filter((line) => line.includes(' started, '));
  expect(started).toHaveLength(1);
}, 60_000);

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
}, 60_000);

it('L7, P9: a daemon that is killed takes its servers with it, and the next command starts a new one', async () => {
  const { cli, servers } = homeWithMarkedServer();
  expect((await cli.run(['call', 'counting', 'echo', 'message=one'])).stdout).toBe('one\n');
  const { pid } = daemonOf(cli).process;
  expect(servers()).toHaveLength(1);
  process.kill(pid, 'SIGKILL');
  await eventually(() => servers().length === 0, 20_000, 'the end of the server');
  expect(await cli.run(['call', 'counting', 'echo', 'message=two'])).toMatchObject({ stdout: 'two\n', stderr: '' });
  expect(daemonOf(cli).process.pid).not.toBe(pid);
}, 60_000);

it('L7: stop resolves when daemon and servers are gone', async () => {
  const { cli, servers } = homeWithMarkedServer();
  await cli.run(['call', 'counting', 'echo', 'message=one']);
  const { pid } = daemonOf(cli).process;
  expect(await cli.run(['daemon', 'stop'])).toMatchObject({ code: 0, stdout: 'The daemon has ended.\n' });
  expect(isAlive(pid)).toBe(false);
  expect(servers()).toEqual([]);
}, 60_000);
