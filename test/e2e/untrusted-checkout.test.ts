/** In a checkout that somebody else wrote nothing that it asks for is started or connected to before a person approved it (K2). */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandTable } from '../../src/cli/commands.ts';
import { createRuntime } from '../../src/index.ts';
import { createAdapter, createBridge } from '../../src/toolsets/index.ts';
import { cliPath, stopDaemon, testServer } from '../support/cli.ts';
import { projectRoot } from '../support/project-files.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type UntrustedCheckout, untrustedCheckout } from '../support/untrusted-checkout.ts';

type Words = readonly string[];

const each = (checkout: UntrustedCheckout, words: (server: string) => Words): readonly Words[] =>
  checkout.servers.map(words);

const tool = (name: string, args: unknown): Words => ['tool', name, JSON.stringify(args)];

/** How each command is used here; one that is not in the list fails the test. */
const uses: Readonly<Record<string, (checkout: UntrustedCheckout) => readonly Words[]>> = {
  add: () => [['add', 'own', '--', ...testServer('counting.mjs', 'stdio', '/dev/null')]],
  sync: (checkout) => [['sync'], ...each(checkout, (server) => ['sync', server])],
  remove: () => [['remove', 'mcp', '--keep-config']],
  list: () => [['list'], ['list', '--json'], ['list', 'mcp']],
  show: () => [
    ['show', 'mcp'],
    ['show', 'stray', 'x'],
  ],
  call: (checkout) => each(checkout, (server) => ['call', server, 'count', 'a=1']),
  resources: () => [['resources', 'mcp']],
  read: () => [['read', 'mcp', 'x://y']],
  prompts: () => [['prompts', 'mcp-web']],
  prompt: () => [['prompt', 'mcp', 'x']],
  search: () => [['search', 'count']],
  login: (checkout) => each(checkout, (server) => ['login', server]),
  logout: () => [
    ['logout', 'mcp-web'],
    ['logout', 'known'],
  ],
  import: () => [
    ['import', '--dry-run'],
    ['import', '--yes', '--conflicts', 'rename'],
  ],
  install: () => [
    ['install', '--host', 'claude-code', '--dry-run'],
    ['install', '--host', 'cursor'],
  ],
  export: () => [['export', '--format', 'codex']],
  status: () => [['status'], ['status', '--json']],
  context: () => [['context'], ['context', '--no-files']],
  validate: () => [['validate']],
  reload: () => [['reload']],
  doctor: () => [['doctor'], ['doctor', 'mcp']],
  secret: () => [['secret', 'list']],
  tool: () => [
    tool('CallMcpTool', { server: 'mcp', toolName: 'count', arguments: {} }),
    tool('FetchMcpResource', { server: 'mcp', uri: 'x://y' }),
    tool('ListMcpResources', { server: 'registry' }),
    tool('mcp_list', { configPath: '.mcp.json' }),
    tool('mcp_list', { configPath: '.cursor/mcp.json', server: 'cursor' }),
    tool('mcp_call', { configPath: '.mcp.json', server: 'mcp', tool: 'count' }),
    tool('mcp_request', { configPath: '.mcp.json', server: 'mcp-web', method: 'ping' }),
  ],
  daemon: () => [['daemon', 'start'], ['daemon'], ['daemon', 'logs']],
  completion: () => [['completion', 'bash']],
  probe: () => [['probe', 'mcp']],
  approve: () => [['approve'], ['approve', 'mcp', '--connect']],
  revoke: () => [['revoke', 'mcp']],
};

const preload = pathToFileURL(join(projectRoot, 'test/support/trace-starts.mjs')).href;
const hasStrace = process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0;

interface Traced {
  /** Each command with its exit code. */
  readonly codes: ReadonlyMap<string, number>;
  /** Programs that were started and addresses that were connected to, as the hook and the system told of them. */
  readonly traces: readonly string[];
}

interface Setting {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Goes before the words of each command. */
  readonly first?: Words;
  readonly daemon?: boolean;
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Runs commands one after another, with one trace over all that comes of them, the daemon among it. */
async function run(commands: readonly Words[], setting: Setting): Promise<Traced> {
  const { cwd, env = {}, first = [], daemon = false } = setting;
  const user = tempFolder();
  const [codes, starts, system] = ['codes', 'starts', 'system'].map((name) => join(user, name));
  const home = join(user, 'home');
  mkdirSync(home);
  const program = [process.execPath, ...(daemon ? [] : ['--import', preload]), cliPath, ...first].map(quote).join(' ');
  const lines = commands.map((words) => {
    const command = words.map(quote).join(' ');
    return `${program} ${command} </dev/null >/dev/null 2>&1; printf '%s\\t%s\\n' ${quote(words.join(' '))} $? >>${quote(codes ?? '')}`;
  });
  // A trace ends when everything has ended that it follows, the daemon too.
  const script = [...lines, `${program} daemon stop >/dev/null 2>&1`].join('\n');
  onTestFinished(() => stopDaemon(join(home, '.trestle')));
  const words = ['sh', '-c', script];
  const [command = '', ...args] = hasStrace
    ? ['strace', '-f', '--seccomp-bpf', '-qq', '-s', '4096', '-e', 'trace=execve,connect', '-o', system ?? '', ...words]
    : words;
  const child = spawn(command, args, {
    cwd,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      USERPROFILE: home,
      NO_COLOR: '1',
      STARTS_TRACED: starts ?? '',
      ...(daemon ? {} : { TRESTLE_NO_DAEMON: '1' }),
      ...env,
    },
  });
  await new Promise((resolve) => child.once('close', resolve));
  const read = (file = ''): readonly string[] =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return {
    codes: new Map(
      read(codes)
        .map((line) => line.split('\t'))
        .map(([name = '', code]) => [name, Number(code)]),
    ),
    traces: [...read(starts), ...read(system)],
  };
}

/** That nothing came of what the checkout asks for. */
function expectNothing(checkout: UntrustedCheckout, { traces }: Traced): void {
  expect([checkout.started(), checkout.connections()]).toEqual([[], 0]);
  // The script that runs all commands has everything in its arguments.
  const starts = traces.filter((line) => !line.includes('"-c"'));
  expect(starts.filter((line) => line.includes('canary.mjs'))).toEqual([]);
  expect(starts.filter((line) => line.includes(`:${checkout.port}"`))).toEqual([]);
  // The system's own word: no program but ours, and no connection but to our own socket.
  const programs = traces.flatMap((line) => /execve\("([^"]+)".* = 0$/.exec(line)?.[1] ?? []);
  expect(programs.filter((path) => !/\/(node|sh|dash|bash)$/.test(path))).toEqual([]);
  expect(traces.filter((line) => /connect\(.*AF_INET/.test(line))).toEqual([]);
}

describe('an untrusted checkout', () => {
  it('K2: this test runs every command', () => {
    expect(commandTable.map(({ name }) => name).filter((name) => !Object.hasOwn(uses, name))).toEqual([]);
  });

  it.each([
    ['at its root', (checkout: UntrustedCheckout): Setting => ({ cwd: checkout.folder })],
    ['with a daemon', (checkout: UntrustedCheckout): Setting => ({ cwd: checkout.folder, daemon: true })],
  ])(
    'K2, L7: %s no command starts or connects to what it asks for',
    async (_where, setting) => {
      const checkout = await untrustedCheckout();
      const commands = commandTable.flatMap(({ name }) => uses[name]?.(checkout) ?? []);
      const traced = await run(commands, setting(checkout));
      expectNothing(checkout, traced);
      expect([...traced.codes.keys()]).toEqual([...new Set(commands.map((words) => words.join(' ')))]);
      expect(traced.codes.get('call mcp count a=1')).toBe(4);
      expect(traced.codes.get('list')).toBe(0);
      expect(traced.traces.some((line) => line.includes('execve('))).toBe(hasStrace);
    },
    240_000,
  );

  it.each([
    [
      'a folder of it, with a link to files outside',
      (checkout: UntrustedCheckout): Setting => ({ cwd: checkout.deep }),
    ],
    [
      'a home that a variable puts into it',
      (checkout: UntrustedCheckout): Setting => ({ cwd: checkout.folder, env: { TRESTLE_HOME: 'home' } }),
    ],
    [
      "Pi's files, which variables put into it",
      (checkout: UntrustedCheckout): Setting => ({
        cwd: checkout.folder,
        env: { PI_CODING_AGENT_DIR: 'agent', PI_MCP_BRIDGE_REGISTRY: 'registry' },
        first: ['--home', 'pi'],
      }),
    ],
  ])(
    'K2: %s: neither do commands that look at servers',
    async (_where, setting) => {
      const checkout = await untrustedCheckout();
      const looking = ['sync', 'call', 'login', 'status', 'reload', 'doctor', 'tool'];
      const commands = looking.flatMap((name) => uses[name]?.(checkout) ?? []);
      const traced = await run(commands, setting(checkout));
      expectNothing(checkout, traced);
      expect(traced.codes.get('status')).toBe(0);
      // Code that was compiled before is taken from the user's own home alone.
      expect(existsSync(join(checkout.folder, 'home/cache'))).toBe(false);
    },
    240_000,
  );

  it('K2: a host in process, its bridge and its adapter start nothing, eagerly least', async () => {
    const checkout = await untrustedCheckout();
    const runtime = createRuntime({ home: tempFolder(), cwd: checkout.folder });
    onTestFinished(() => runtime.close());
    await runtime.reload();
    const tools = [
      ...createBridge(runtime, { downloadRoot: checkout.folder }),
      ...createAdapter(runtime, { cwd: checkout.folder }),
    ];
    for (const server of checkout.servers) {
      for (const given of tools) {
        await given.execute({ server, toolName: 'count', arguments: {} });
        await given.execute({ server, uri: 'x://y' });
        await given.execute({ server });
        await given.execute({ configPath: '.mcp.json', server });
        await given.execute({ configPath: '.mcp.json', server, tool: 'count' });
        await given.execute({ url: `http://127.0.0.1:${checkout.port}/mcp`, tool: 'count' });
        await given.execute({ url: `http://127.0.0.1:${checkout.port}/mcp`, method: 'ping' });
      }
    }
    await runtime.doctor();
    expect([checkout.started(), checkout.connections()]).toEqual([[], 0]);
  });

  it('K2: what a person approved is started, and no more once a byte of it is another one', async () => {
    const checkout = await untrustedCheckout();
    const file = join(checkout.folder, '.mcp.json');
    const runtime = createRuntime({ home: tempFolder(), cwd: checkout.folder });
    onTestFinished(() => runtime.close());
    await runtime.approve({ server: 'mcp', kind: 'connect' });
    expect(await runtime.call({ server: 'mcp', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(checkout.started()).toEqual(['mcp']);
    await runtime.disconnect(runtime.config().servers.get('mcp')?.registryName ?? '');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"mcp",', '"mcq",'));
    expect(await runtime.call({ server: 'mcp', tool: 'count' })).toMatchObject({
      failure: { code: 'approval_needed' },
    });
    expect(checkout.started()).toEqual(['mcp']);
  });
});
