/** The tool objects of both toolsets through `trestle tool`, over real servers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Cli,
  type CliRun,
  createCli,
  createDaemonCli,
  finished,
  referenceServer,
  testServer,
} from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { startEverything, startHttpServer } from '../support/everything.ts';
import { configureServers } from '../support/home.ts';
import { replyTo, type SeenRequest, sendJson, serveHttp } from '../support/http-server.ts';

type Json = Readonly<Record<string, unknown>>;

const over = ([command, ...args]: readonly string[]): Json => ({ command, args });

/** Uses a tool object; `args` is what a model would give. */
const use = (cli: Cli, name: string, args: Json): Promise<CliRun> => cli.run(['tool', name, JSON.stringify(args)]);

/** What a model sees, of a use that must succeed. */
async function seen(cli: Cli, name: string, args: Json): Promise<string> {
  const run = await use(cli, name, args);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  return run.stdout;
}

/** The whole output of a use as `--json` prints it. */
async function outputOf(
  cli: Cli,
  name: string,
  args: Json,
): Promise<{
  readonly code: number | null;
  readonly isError: boolean;
  readonly content: readonly Json[];
  readonly details: Json;
}> {
  const run = await cli.run(['tool', name, JSON.stringify(args), '--json']);
  const output = JSON.parse(run.stdout) as { isError: boolean; content: Json[]; details: Json };
  return { code: run.code, ...output };
}

describe('the published reference servers', () => {
  const inFile = (server: string): Json => ({ configPath: 'mcp.json', server });
  let cli: Cli;

  /** A user who has these servers, and a project file that asks for the same. */
  const prepare = (): Cli => {
    const made = createCli();
    const servers = {
      everything: over([...referenceServer('everything'), 'stdio']),
      memory: { ...over(referenceServer('memory')), env: { MEMORY_FILE_PATH: join(made.cwd, 'memory.jsonl') } },
    };
    configureServers(made.home, servers);
    writeFileSync(join(made.cwd, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
    return made;
  };

  it('A2, A5: are listed from a file, then with their tools, and closed', async () => {
    cli = prepare();
    expect(JSON.parse(await seen(cli, 'mcp_list', { configPath: 'mcp.json' }))).toMatchObject({
      servers: [
        { server: 'everything', transport: 'stdio', enabled: true },
        { server: 'memory', transport: 'stdio', enabled: true },
      ],
    });
    const listed = JSON.parse(await seen(cli, 'mcp_list', inFile('everything'))) as { readonly tools: readonly Json[] };
    expect(listed).toMatchObject({
      server: 'everything',
      serverInfo: { name: 'mcp-servers/everything', version: expect.any(String) as string },
      protocolVersion: '2025-11-25',
    });
    const echo = listed.tools.find(({ name }) => name === 'echo');
    expect(echo).toMatchObject({ description: expect.any(String) as string, inputSchema: { required: ['message'] } });
    expect(Object.keys(echo ?? {})).toEqual(['name', 'description', 'inputSchema']);
    const closed = await seen(cli, 'mcp_list', { ...inFile('everything'), action: 'close' });
    expect(JSON.parse(closed)).toEqual({ server: 'everything', closed: true });
  });

  it('A3: text and images are native, links and structured content are JSON', async () => {
    cli = prepare();
    const call = (tool: string, args: Json): Promise<string> =>
      seen(cli, 'mcp_call', { ...inFile('everything'), tool, arguments: args });
    expect(await call('echo', { message: 'hello' })).toBe('Echo: hello\n');
    expect(await call('get-resource-links', { count: 1 })).toMatch(/\n\{.*"type":"resource_link"/);
    const [text, structured, ...others] = (await call('get-structured-content', { location: 'Chicago' }))
      .trimEnd()
      .split('\n');
    expect(others).toEqual([]);
    expect(JSON.parse(structured ?? '')).toEqual(JSON.parse(text ?? ''));
    const image = await outputOf(cli, 'mcp_call', { ...inFile('everything'), tool: 'get-tiny-image' });
    expect(image.content).toContainEqual({ type: 'image', mimeType: 'image/png', data: expect.any(String) as string });
    expect(image.details).toMatchObject({
      kind: 'ok',
      execution: 'done',
      server: 'everything',
      tool: 'get-tiny-image',
    });
  });

  it('A3: a name that is not listed and arguments that do not fit are refused with what would', async () => {
    cli = prepare();
    const slip = await use(cli, 'mcp_call', { ...inFile('everything'), tool: 'ecko' });
    expect(slip).toMatchObject({ code: 2, stderr: '' });
    expect(slip.stdout).toMatch(/no tool named "ecko".*\nDid you mean echo\?/);
    const bare = await use(cli, 'mcp_call', { ...inFile('everything'), tool: 'echo', arguments: { massage: 'x' } });
    expect(bare.code).toBe(2);
    expect(bare.stdout).toMatch(/message is required/);
  });

  it('A3: another published server answers with structured content, too', async () => {
    cli = prepare();
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote a program'] }];
    const made = await seen(cli, 'mcp_call', { ...inFile('memory'), tool: 'create_entities', arguments: { entities } });
    expect(made).toContain('wrote a program');
  });

  it.each(['streamableHttp', 'sse'] as const)(
    'A1, A3: over %s by the URL that the user has configured',
    async (transport) => {
      cli = createCli();
      const url = await startEverything(transport);
      configureServers(cli.home, { remote: { url } });
      expect(await seen(cli, 'mcp_call', { url, tool: 'get-sum', arguments: { a: 2, b: 40 } })).toContain('42');
      const listed = JSON.parse(await seen(cli, 'mcp_list', { url })) as Json;
      expect(listed).toMatchObject({ server: 'remote', serverInfo: { name: 'mcp-servers/everything' } });
    },
  );

  it('A4: a raw initialize and a raw list reach it; what it needs a session for it says itself', async () => {
    cli = createCli();
    const url = await startEverything('streamableHttp');
    configureServers(cli.home, { remote: { url } });
    const clientInfo = { name: 'somebody', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const hello = await seen(cli, 'mcp_request', { url, method: 'initialize', params, id: 'first' });
    expect(JSON.parse(hello)).toMatchObject({
      jsonrpc: '2.0',
      id: 'first',
      result: { serverInfo: { name: 'mcp-servers/everything' }, protocolVersion: '2025-06-18' },
    });
    const without = await outputOf(cli, 'mcp_request', { url, method: 'tools/list' });
    expect(without.details).toMatchObject({ execution: expect.stringMatching(/rejected|unknown/) as string });
  });

  it('B6: the bridge answers under its own names', async () => {
    cli = prepare();
    const args = { server: 'everything', toolName: 'echo', arguments: { message: 'hi' } };
    expect(await seen(cli, 'CallMcpTool', args)).toBe('Echo: hi\n');
    expect(await seen(cli, 'ListMcpResources', { server: 'everything' })).toMatch(/^7 resources:/);
  });
});

describe('a server of 2026-07-28', () => {
  it('A4, A5: is listed under its configured name where it says none, and a raw request has its headers', async () => {
    const cli = createCli();
    const url = await startHttpServer(testServer('modern.mjs', 'http'));
    configureServers(cli.home, { now: { url } });
    expect(JSON.parse(await seen(cli, 'mcp_list', { url }))).toMatchObject({ protocolVersion: '2026-07-28' });
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'somebody', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'echo', arguments: { message: 'raw' }, _meta: meta };
    const response = JSON.parse(await seen(cli, 'mcp_request', { url, method: 'tools/call', params })) as Json;
    expect(response).toMatchObject({ id: 1, result: { content: [{ text: 'Echo: raw' }] } });
  });
});

describe('in the daemon', () => {
  it('A2, A3, P8: calls of several commands share one server, which close ends; its secrets stay unseen', async () => {
    const cli = createDaemonCli();
    const log = join(cli.home, 'log');
    const server = { ...over(testServer('counting.mjs', 'stdio', log)), env: { API_TOKEN: '${MY_TOKEN}' } };
    configureServers(cli.home, { counting: server });
    const target = { configPath: join(cli.home, 'servers.json'), server: 'counting' };
    const env = { MY_TOKEN: 'hunter2-hunter2' };
    const told = async (name: string, args: Json): Promise<string> => {
      const run = await cli.run(['tool', name, JSON.stringify({ ...target, ...args }), '--json'], { env });
      expect(run.code, run.stdout + run.stderr).toBe(0);
      return run.stdout;
    };
    const environment = { tool: 'environment', arguments: { name: 'API_TOKEN' } };
    for (let nth = 0; nth < 2; nth += 1) {
      const said = await told('mcp_call', environment);
      expect(said).toContain('API_TOKEN=[redacted]');
      expect(said).not.toContain('hunter2');
    }
    const initialized = (): number =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line === 'initialize').length;
    expect(initialized()).toBe(1);
    const status = async (): Promise<unknown> => JSON.parse((await cli.run(['status', '--json'], { env })).stdout);
    expect(await status()).toMatchObject({ servers: [{ entries: [{ state: 'ready' }] }] });
    await told('mcp_list', { action: 'close' });
    expect(await status()).toMatchObject({ servers: [{ entries: [] }] });
    await told('mcp_call', environment);
    expect(initialized()).toBe(2);
  });
});

describe('what goes wrong', () => {
  const counting = (log: string): Json => over(testServer('counting.mjs', 'stdio', log));

  it('L3: the exit code follows the outcome, and standard output is what the model would see', async () => {
    const cli = createCli();
    const log = join(cli.home, 'log');
    configureServers(cli.home, { counting: counting(log), off: { ...counting(log), enabled: false } });
    const own = join(cli.home, 'servers.json');
    const mine = { configPath: own, server: 'counting' };
    const cases: readonly (readonly [Json, number, RegExp])[] = [
      [{ ...mine, tool: 'fail' }, 1, /^MCP tool execution failed: it failed/],
      [{ ...mine, tool: 'hang', timeoutSeconds: 4 }, 5, /timed out after 4 s.*\n.*timeoutSeconds/],
      [{ ...mine, tool: 'crash' }, 3, /exited with code 7[^]*may have executed it/],
      [{ configPath: own, server: 'off', tool: 'count' }, 3, /off is disabled/],
      [{ url: 'https://unknown.example/', tool: 'x' }, 4, /no configuration names this address/],
      [{ url: 'http://127.0.0.1:9/', tool: 'x' }, 3, /is on this machine/],
      [{ tool: 'x' }, 2, /configPath or url is required/],
    ];
    for (const [args, code, expected] of cases) {
      const run = await use(cli, 'mcp_call', args);
      expect(run, JSON.stringify(args)).toMatchObject({ code, stdout: expect.stringMatching(expected) as string });
    }
    const calls = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('call '));
    expect(calls).toEqual(['call fail', 'call hang', 'call crash']);
  });

  it('L1: an unknown name, and arguments that are no JSON, get the command put right', async () => {
    const cli = createCli();
    const slip = await cli.run(['tool', 'mcp_cal', '{}']);
    expect(slip).toMatchObject({ code: 2, stdout: '' });
    expect(slip.stderr).toMatch(/Did you mean: trestle tool mcp_call '\{\}'/);
    const loose = await cli.run(['tool', 'mcp_call', 'tool=echo']);
    expect(loose).toMatchObject({ code: 2, stdout: '' });
    expect(loose.stderr).toMatch(/is not JSON/);
    const odd = await cli.run(['tool', 'mcp_call', '[1]']);
    expect(odd.code).toBe(2);
    expect(odd.stdout).toMatch(/must be an object/);
  });

  it('L1: the arguments may come from a file or from standard input', async () => {
    const cli = createCli();
    writeFileSync(join(cli.cwd, 'args.json'), '{"action": "open", "configPath": "x"}');
    expect((await cli.run(['tool', 'mcp_list', '@args.json'])).stdout).toMatch(/action must be/);
    expect((await cli.run(['tool', 'mcp_list', '-'], { input: '{"server": "x"}' })).stdout).toMatch(/server needs/);
  });

  it('L1: without a name both toolsets are listed', async () => {
    const cli = createCli();
    const { stdout, code } = await cli.run(['tool']);
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ', 1)[0]),
    ).toEqual(['CallMcpTool', 'FetchMcpResource', 'ListMcpResources', 'mcp_list', 'mcp_call', 'mcp_request']);
    const { tools } = JSON.parse((await cli.run(['tool', '--json'])).stdout) as { readonly tools: readonly Json[] };
    expect(tools).toHaveLength(6);
  });

  it('K4: a secret that a server sends back is shown neither to the model nor to the host', async () => {
    const cli = createCli();
    const server = { ...counting(join(cli.home, 'log')), env: { API_TOKEN: '${MY_TOKEN}' } };
    configureServers(cli.home, { counting: server });
    const args = { tool: 'environment', arguments: { name: 'API_TOKEN' } };
    const target = { configPath: join(cli.home, 'servers.json'), server: 'counting' };
    const run = await cli.run(['tool', 'mcp_call', JSON.stringify({ ...target, ...args }), '--json'], {
      env: { MY_TOKEN: 'hunter2-hunter2' },
    });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain('API_TOKEN=[redacted]');
    expect(run.stdout).not.toContain('hunter2');
  });

  it.skipIf(process.platform === 'win32')('L3: Ctrl-C cancels the call', async () => {
    const cli = createCli();
    const log = join(cli.home, 'log');
    configureServers(cli.home, { counting: counting(log) });
    const args = { server: 'counting', configPath: join(cli.home, 'servers.json'), tool: 'hang' };
    writeFileSync(log, '');
    const child = cli.start(['tool', 'mcp_call', JSON.stringify(args)]);
    const end = finished(child);
    await eventually(() => readFileSync(log, 'utf8').includes('call hang'), 'the call');
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130 });
    expect(readFileSync(log, 'utf8')).toContain('cancelled');
  });

  it('A4, K4: the headers of the user go along and are not shown; an answer with another id is an error', async () => {
    const cli = createCli();
    const seenRequests: SeenRequest[] = [];
    const server = await serveHttp((request, response) => {
      seenRequests.push(request);
      const { authorization } = request.headers;
      const id = request.message['method'] === 'odd' ? 'another' : request.message['id'];
      sendJson(response, { ...(replyTo(request, { you: authorization }) as Json), id });
    });
    const url = `${server.origin}/mcp`;
    configureServers(cli.home, { web: { url, headers: { Authorization: 'Bearer ${WEB_TOKEN}' } } });
    const env = { WEB_TOKEN: 'hunter2-hunter2' };
    const request = (method: string): Promise<CliRun> =>
      cli.run(['tool', 'mcp_request', JSON.stringify({ url, method }), '--json'], { env });
    const right = await request('ping');
    expect(right.code, right.stdout).toBe(0);
    expect(right.stdout).not.toContain('hunter2');
    expect(right.stdout).toContain('[redacted]');
    const odd = await request('odd');
    expect(odd.code).toBe(1);
    expect(odd.stdout).toMatch(/has the id \\"another\\" instead of 1/);
    expect(seenRequests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('Bearer hunter2-hunter2'));
  });
});
