import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { testServer } from '../../../test/support/cli.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { serveHttp } from '../../../test/support/http-server.ts';
import { isAlive } from '../../../test/support/processes.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/index.ts';
import type { Bridge } from './bridge.ts';
import { createPiBridge } from './host.ts';
import type { Pi, PiContext, PiToolResult } from './pi.ts';

interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly agent: string;
  /** Pids of the servers that were started. */
  pids(): readonly number[];
}

/** A home of Pi with servers of these modes, each named by it. */
function place(...modes: readonly string[]): Place {
  const root = tempFolder();
  const [agent = '', cwd = '', home = ''] = ['agent', 'project', 'home'].map((name) => join(root, name));
  for (const folder of [agent, cwd, home]) mkdirSync(folder);
  const pidsFile = join(root, 'pids');
  writeFileSync(pidsFile, '');
  const entry = (mode: string): unknown => ({
    ...entryOf(testServer('family.mjs', mode)),
    env: { PIDS_FILE: pidsFile },
  });
  write(agent, Object.fromEntries(modes.map((mode) => [mode, entry(mode)])));
  const env = { PI_CODING_AGENT_DIR: agent, TRESTLE_HOME: join(root, 'trestle'), HOME: home };
  return { env, cwd, agent, pids: () => readFileSync(pidsFile, 'utf8').split('\n').filter(Boolean).map(Number) };
}

function write(agent: string, mcpServers: unknown): void {
  writeFileSync(join(agent, 'mcp-servers.json'), JSON.stringify({ mcpServers }));
}

function entryOf([command, ...args]: readonly string[]): {
  readonly command: string | undefined;
  readonly args: readonly string[];
} {
  return { command, args };
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  /** From the end of `close` to the end of the process, milliseconds. */
  readonly lingeredMs: number;
}

/** Runs a process that does what Pi does in print mode. */
function printed({ env, cwd }: Place): Promise<Run> {
  const script = join(import.meta.dirname, '../../../test/support/pi-bridge-process.ts');
  const child = spawn(process.execPath, [script, 'echo'], { cwd, env: { ...process.env, ...env } });
  let stdout = '';
  let closedMs = NaN;
  child.stdout.on('data', (piece: Buffer) => {
    stdout += piece.toString();
    if (stdout.includes('closed')) closedMs = performance.now();
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, lingeredMs: performance.now() - closedMs }));
  });
}

describe('the end of a session', () => {
  it('N2: a server that does not leave holds nobody up, and is ended once its host is gone', async () => {
    const here = place('stubborn');
    const { code, stdout, lingeredMs } = await printed(here);
    expect(code).toBe(0);
    const [, closeMs] = /closed (\d+)/.exec(stdout) ?? [];
    // Under any grace that a server has.
    expect(Number(closeMs)).toBeLessThan(limits.closeGraceMs - 500);
    expect(lingeredMs).toBeLessThan(limits.closeGraceMs - 500);
    expect(here.pids().length).toBeGreaterThan(0);
    await eventually(() => !here.pids().some(isAlive), 'the end of every process');
  });

  it('N2: a server over HTTP that does not answer a goodbye holds nobody up either', async () => {
    const answers: Readonly<Record<string, unknown>> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      },
      'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'by HTTP' }] },
    };
    const server = await serveHttp(({ method, message }, response) => {
      if (method === 'DELETE') return;
      const { id, method: asked } = message;
      const result = answers[String(asked)];
      const reply = result === undefined ? { error: { code: -32601, message: 'Not here' } } : { result };
      response.writeHead(method === 'GET' ? 405 : id === undefined ? 202 : 200, {
        'content-type': 'application/json',
        'mcp-session-id': 'one',
      });
      response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
    });
    const here = place();
    write(here.agent, { web: { url: `${server.origin}/mcp` } });
    const { code, stdout, lingeredMs } = await printed(here);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('by HTTP') as string });
    expect(server.seen.some(({ method }) => method === 'DELETE')).toBe(true);
    expect(lingeredMs).toBeLessThan(limits.sessionDeleteMs);
  });
});

describe('in one process', () => {
  const context = (cwd: string, more: Partial<PiContext> = {}): PiContext =>
    ({ cwd, hasUI: false, sessionManager: { getSessionId: () => 'one' }, ...more }) as unknown as PiContext;
  let told: string[] = [];

  beforeEach(() => {
    told = [];
  });

  function bridgeOver({ env }: Place): Bridge {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const pi = { getActiveTools: () => ['CallMcpTool', 'read'] } as unknown as Pi;
    const bridge = createPiBridge(pi, { program: '' });
    onTestFinished(async () => {
      await bridge.close();
      vi.unstubAllEnvs();
    });
    return bridge;
  }

  function listenToStderr(): void {
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(String(text)) > 0);
    onTestFinished(() => stderr.mockRestore());
  }

  const textOf = ({ content }: PiToolResult): string =>
    content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

  it.each([true, false])('N2: what is called after the end starts nothing, opened before: %s', async (isOpened) => {
    const here = place('stubborn');
    const bridge = bridgeOver(here);
    if (isOpened) bridge.open(context(here.cwd));
    await bridge.close();
    const params = { server: 'stubborn', toolName: 'echo', arguments: { message: 'x' } };
    const result = await bridge.execute('CallMcpTool', '1', params, undefined, undefined, context(here.cwd));
    expect(result).toMatchObject({ isError: true, details: { execution: 'not-sent' } });
    expect(await bridge.block(context(here.cwd))).toEqual({ text: '', changes: [] });
    expect(here.pids()).toEqual([]);
  });

  it('N1: the next turn after a sync has another block, and says what changed; the turn after that the same', async () => {
    const here = place();
    const bridge = bridgeOver(here);
    const turn = (): ReturnType<Bridge['block']> => bridge.block(context(here.cwd));
    expect(await turn()).toEqual({ text: '', changes: [] });
    const [command, ...args] = testServer('counting.mjs', 'stdio', join(here.cwd, 'ran'));
    write(here.agent, { counting: { command, args } });
    const params = { server: 'counting', toolName: 'echo', arguments: { message: 'x' } };
    const result = await bridge.execute('CallMcpTool', '1', params, undefined, undefined, context(here.cwd));
    expect(textOf(result)).toBe('x');
    const next = await turn();
    expect(next.text).toContain('## counting');
    expect(next.changes).toEqual(['new server: counting']);
    expect(await turn()).toEqual({ text: next.text, changes: [] });
  });

  it('N1, C4: what came and went between two turns is told in a line or two, and only what is different now', async () => {
    const here = place();
    const bridge = bridgeOver(here);
    const params = { server: 'counting', toolName: 'echo', arguments: { message: 'x' } };
    const call = (server: string): Promise<PiToolResult> =>
      bridge.execute('CallMcpTool', '1', { ...params, server }, undefined, undefined, context(here.cwd));
    const counting = entryOf(testServer('counting.mjs', 'stdio', join(here.cwd, 'ran')));
    write(here.agent, { counting });
    await call('counting');
    const { text } = await bridge.block(context(here.cwd));
    for (let round = 0; round < 4; round += 1) {
      write(here.agent, { counting, [`passing${round}`]: counting });
      await call(`passing${round}`);
    }
    expect((await bridge.block(context(here.cwd))).changes).toEqual(['new server: passing3']);
    write(here.agent, { counting });
    expect(await bridge.block(context(here.cwd))).toEqual({ text, changes: ['gone server: passing3'] });
  });

  it('N1: a home that cannot be is told once to a prompt, to a command also by its exit code, and to a call before it is sent', async () => {
    const here = place();
    const bridge = bridgeOver({ ...here, env: { ...here.env, HOME: '' } });
    const exitCodeBefore = process.exitCode;
    onTestFinished(() => void (process.exitCode = exitCodeBefore));
    listenToStderr();
    bridge.open(context(here.cwd));
    for (let turn = 0; turn < 2; turn += 1) await bridge.block(context(here.cwd));
    expect(told).toEqual([expect.stringMatching(/home folder/) as string]);
    expect(process.exitCode).toBe(exitCodeBefore);
    await bridge.command('list', context(here.cwd));
    expect([told.length, process.exitCode]).toEqual([2, 1]);
    const params = { server: 'any', toolName: 'echo' };
    const result = await bridge.execute('CallMcpTool', '1', params, undefined, undefined, context(here.cwd));
    expect(result).toMatchObject({ isError: true, details: { execution: 'not-sent' } });
    expect(textOf(result)).toMatch(/home folder.*\(/);
  });

  it('N1: what a command is told of by its own answer is not told besides', async () => {
    const here = place();
    writeFileSync(join(here.agent, 'mcp-servers.json'), '{"mcpServers": ');
    writeFileSync(join(here.agent, 'mcp-bridge.json'), '{"footer": ');
    const bridge = bridgeOver(here);
    const exitCodeBefore = process.exitCode;
    onTestFinished(() => void (process.exitCode = exitCodeBefore));
    listenToStderr();
    bridge.open(context(here.cwd));
    await bridge.command('list', context(here.cwd));
    expect(told.join('').match(/mcp-servers\.json cannot be read/g)).toHaveLength(1);
  });

  it.each([
    ['without a person is told at its end', false, 1],
    ['with one is not', true, 0],
  ] as const)('N1: what a run could not tell its model of: a run %s', async (_what, hasUI, lines) => {
    const here = place();
    write(here.agent, { mute: entryOf(testServer('one-vice.mjs', 'mute')), off: { command: 'none', enabled: false } });
    listenToStderr();
    const bridge = bridgeOver(here);
    const run = context(here.cwd, { hasUI, ui: { notify() {}, setStatus() {} } as never });
    bridge.open(run);
    await bridge.block(run);
    await bridge.close();
    expect(told.filter((text) => /^The model was told nothing of mute: .*\/mcp-bridge sync/.test(text))).toHaveLength(
      lines,
    );
    expect(told).toHaveLength(lines);
  });

  it('N1: a run that was no prompt has told its model of nothing, and says nothing of it', async () => {
    const here = place();
    write(here.agent, { mute: entryOf(testServer('one-vice.mjs', 'mute')) });
    listenToStderr();
    const bridge = bridgeOver(here);
    bridge.open(context(here.cwd));
    await bridge.command('list', context(here.cwd));
    await bridge.close();
    expect(told.filter((text) => text.includes('The model'))).toEqual([]);
  });

  it('N1: a servers file that cannot be read is told once, and is no reason for a turn to fail', async () => {
    const here = place();
    writeFileSync(join(here.agent, 'mcp-servers.json'), '{"mcpServers": ');
    const bridge = bridgeOver(here);
    const ui = { notify: (text: string) => void told.push(text) };
    const withUi = context(here.cwd, { hasUI: true, ui: ui as never });
    bridge.open(withUi);
    expect(await bridge.block(withUi)).toEqual({ text: '', changes: [] });
    await eventually(() => told.length > 0, 'a notice');
    expect(told).toEqual([expect.stringMatching(/mcp-servers\.json/) as string]);
  });

  it('N2: what a project asks for that Pi does not trust is not told of, not even as waiting', async () => {
    const here = place();
    mkdirSync(join(here.cwd, '.pi'));
    writeFileSync(join(here.cwd, '.pi/mcp-servers.json'), JSON.stringify({ mcpServers: { theirs: { command: 'x' } } }));
    const call = async (trusted: boolean): Promise<string> => {
      const bridge = bridgeOver(here);
      const of = context(here.cwd, { isProjectTrusted: () => trusted });
      const params = { server: 'theirs', toolName: 'x' };
      return textOf(await bridge.execute('CallMcpTool', '1', params, undefined, undefined, of));
    };
    expect(await call(false)).toMatch(/unknown_server/);
    expect(await call(true)).toMatch(/approval_needed/);
  });
});
