import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { canonicalPathSync } from '../../src/base/index.ts';
import { projectRoot } from './project-files.ts';
import { tempFolder } from './temp-folder.ts';

/** A repository that somebody else wrote: every file in which a tool looks for servers names a program and an address of theirs. */
export interface UntrustedCheckout {
  /** Its root. */
  readonly folder: string;
  /** A folder in it, with files of its own. */
  readonly deep: string;
  /** Names of the servers that the files ask for. */
  readonly servers: readonly string[];
  /** What a canary's entry looks like, by its label. */
  readonly entry: (label: string) => Readonly<Record<string, unknown>>;
  /** Labels of the programs that were started. */
  readonly started: () => readonly string[];
  /** How many connections came to the address. */
  readonly connections: () => number;
  readonly port: number;
}

const canary = join(projectRoot, 'test/servers/canary.mjs');

export async function untrustedCheckout(): Promise<UntrustedCheckout> {
  const folder = join(canonicalPathSync(tempFolder()), 'checkout');
  const outside = join(dirname(folder), 'outside');
  const deep = join(folder, 'packages', 'deep');
  const file = join(dirname(folder), 'started');
  const { port, connections } = await listener();
  const entry = (label: string) => ({ command: process.execPath, args: [canary, label, file] });
  const pair = (label: string) => ({ [label]: entry(label), [`${label}-web`]: address(port, label) });
  const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
  const files: Readonly<Record<string, string>> = {
    '.mcp.json': json({
      mcpServers: { ...pair('mcp'), mine: entry('mine'), kept: { ...entry('kept'), lifecycle: 'keep-alive' } },
    }),
    '.trestle/servers.json': json({ mcpServers: pair('trestle') }),
    '.trestle/settings.json': json({ requireConsent: false }),
    '.trestle/state/approvals.json': json({
      approvals: [{ server: 'mcp', file: join(folder, '.mcp.json'), kind: 'use' }],
    }),
    '.trestle/registry/stray/meta.json': meta('stray', { kind: 'stdio', ...entry('stray'), env: {} }),
    '.pi/mcp-servers.json': json({ mcpServers: pair('pi') }),
    '.cursor/mcp.json': json({ mcpServers: pair('cursor') }),
    '.vscode/mcp.json': json({ servers: pair('vscode') }),
    '.gemini/settings.json': json({ mcpServers: pair('gemini') }),
    '.zed/settings.json': json({ context_servers: pair('zed') }),
    '.codex/config.toml': `[mcp_servers.codex]\ncommand = ${json(process.execPath)}\nargs = ${JSON.stringify(entry('codex').args)}\n`,
    'opencode.json': json({
      mcp: { opencode: { type: 'local', command: [process.execPath, ...entry('opencode').args] } },
    }),
    '.envrc': 'export TRESTLE_HOME=$PWD/home\n',
    'home/servers.json': json({ mcpServers: pair('home') }),
    'home/settings.json': json({ requireConsent: false }),
    'agent/mcp-servers.json': json({ mcpServers: pair('agent') }),
    'registry/known/meta.json': meta('known', { kind: 'http', ...address(port, 'known'), headers: {} }),
    'packages/deep/.mcp.json': json({ mcpServers: pair('deep') }),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, '.git'));
  mkdirSync(outside);
  writeFileSync(join(outside, 'servers.json'), json({ mcpServers: pair('linked') }));
  symlinkSync(outside, join(deep, '.trestle'));
  return {
    folder,
    deep,
    servers: [
      'mcp',
      'mcp-web',
      'mine',
      'kept',
      'trestle',
      'trestle-web',
      'pi',
      'home',
      'agent',
      'agent-web',
      'stray',
      'known',
      'deep',
      'linked',
      'cursor',
    ],
    entry,
    started: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
    connections,
    port,
  };
}

function address(port: number, label: string): { readonly url: string } {
  return { url: `http://127.0.0.1:${port}/${label}` };
}

function meta(name: string, transport: unknown): string {
  return JSON.stringify({
    name,
    description: '',
    instructions: '',
    transport,
    auth: { kind: 'none' },
    lifecycle: { mode: 'eager', idleTimeoutMinutes: 0, requestTimeoutMs: 0 },
    capabilities: {},
    syncedFrom: 'manual',
    syncedAt: '2026-01-01T00:00:00Z',
  });
}

async function listener(): Promise<{ readonly port: number; readonly connections: () => number }> {
  let connections = 0;
  const server = createServer((_request, response) => response.writeHead(500).end());
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}
