import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { isObject, type JsonObject } from '../../base/index.ts';
import type { Definition } from '../definition.ts';
import { readEntry } from '../entries.ts';
import { entryOfDefinition } from './definition-entry.ts';
import { type ExportFormat, exportServers } from './export.ts';
import type { FormatId } from './format.ts';
import { readSource } from './read-source.ts';
import { formats } from './table.ts';

const entries: Readonly<Record<string, JsonObject>> = {
  program: {
    command: 'npx',
    args: ['-y', 'server', 'C:\\data', 'with "quotes" and \u00e9'],
    env: { LEVEL: 'warn', HOME_TOKEN: '${HOME_TOKEN}' },
    cwd: '/srv/data',
  },
  remote: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${REMOTE_TOKEN}', 'X-Key': '${KEY}' } },
  events: { url: 'https://example.com/sse', transport: 'sse' },
  off: { command: 'off', enabled: false },
};

const define = (all: Readonly<Record<string, JsonObject>>): readonly Definition[] =>
  Object.entries(all).map(([name, entry]) =>
    readEntry({ name, source: { file: undefined, shape: 'mcpServers', scope: 'user' } }, entry),
  );

const readers: Readonly<Record<ExportFormat, FormatId>> = {
  mcpServers: 'claude-code',
  vscode: 'vscode',
  opencode: 'opencode',
  codex: 'codex',
};

/** What the tool's own reader finds in an exported file. */
async function readBack(text: string, format: ExportFormat): Promise<Readonly<Record<string, JsonObject>>> {
  const root = tempFolder();
  const file = join(root, 'file');
  writeFileSync(file, text);
  const source = { format: formats[readers[format]], file, root, folder: undefined };
  const reading = await readSource(source, { platform: 'linux', isProject: () => false });
  expect(reading?.problems).toEqual([]);
  return Object.fromEntries((reading?.servers ?? []).map(({ name, entry }) => [name, entry]));
}

it('F1: a definition and the entry that is made of it are the same', () => {
  const full: Readonly<Record<string, JsonObject>> = {
    ...entries,
    full: {
      url: 'https://example.com/mcp',
      transport: 'streamable',
      redirects: 'none',
      auth: { type: 'oauth', clientId: 'abc', redirectPort: 8080, dpop: true },
      timeout: 12.5,
      description: 'words',
      lifecycle: 'keep-alive',
      idleTimeoutMinutes: 0,
      sharing: 'shared',
      protocol: 'legacy',
      protocolVersions: ['2024-10-07'],
      tools: { allow: ['a*'], ask: ['b'] },
    },
    framed: { command: 'x', framing: 'content-length', tools: { deny: ['c'] }, auth: false },
  };
  for (const definition of define(full)) expect(entryOfDefinition(definition)).toEqual(full[definition.name]);
});

it.each(['mcpServers', 'opencode', 'codex', 'vscode'] as const)(
  'F1: %s: what is exported and imported again is what it was',
  async (format) => {
    const { text, remarks } = await exportServers(define(entries), format);
    const back = await readBack(text, format);
    // VS Code has no switch in the file, and OpenCode and Codex find the transport out.
    const expected: Record<string, JsonObject> = { ...entries };
    if (format === 'vscode') expected['off'] = { command: 'off' };
    // Claude Code knows no folder of a server, and names the transport.
    const { cwd: _cwd, ...program } = entries['program'] ?? {};
    if (format === 'mcpServers') expected['program'] = program;
    if (format === 'mcpServers') expected['remote'] = { ...entries['remote'], transport: 'streamable' };
    if (format === 'opencode' || format === 'codex') expected['events'] = { url: 'https://example.com/sse' };
    expect(back).toEqual(expected);
    expect(remarks.map(({ server }) => server)).toEqual(format === 'vscode' ? ['off'] : []);
  },
);

it.each([
  ['mcpServers', { clientId: 'abc', scope: 'read write', redirectPort: 8080 }, ['dpop']],
  ['opencode', { clientId: 'abc', scope: 'read write' }, ['redirectPort', 'dpop']],
  ['codex', { clientId: 'abc', scope: 'read write' }, ['redirectPort', 'dpop']],
  ['vscode', { clientId: 'abc' }, ['scope', 'redirectPort', 'dpop']],
] as const)(
  'F1: %s: a sign-in is exported by what the tool knows of it, and the rest is named',
  async (format, known, lost) => {
    const auth = { type: 'oauth', clientId: 'abc', scope: 'read write', redirectPort: 8080, dpop: true };
    const { text, remarks } = await exportServers(define({ docs: { url: 'https://example.com/mcp', auth } }), format);
    expect((await readBack(text, format))['docs']).toMatchObject({ auth: { type: 'oauth', ...known } });
    expect(remarks.map(({ field }) => field)).toEqual(lost.map((name) => `auth.${name}`));
  },
);

it('F1 K4: secrets are never written out; they become variables, or inputs, and what has no equal is named', async () => {
  const secret: Readonly<Record<string, JsonObject>> = {
    a: {
      command: 'x',
      args: ['--token=sk-1'],
      env: { A_TOKEN: 'sk-2', B_KEY: '${keychain:b-key}' },
      lifecycle: 'eager',
    },
    b: { url: 'https://example.com/mcp?key=sk-3', headers: { Authorization: 'Bearer sk-4', 'X-Default': 'a ${V:-w}' } },
  };
  for (const format of ['mcpServers', 'opencode', 'codex', 'vscode'] as const) {
    const { text, remarks } = await exportServers(define(secret), format);
    expect(text).not.toContain('sk-');
    expect(remarks).toContainEqual({ server: 'a', field: 'lifecycle', why: 'has no equal there' });
    if (format !== 'codex') await readBack(text, format);
  }
  const vscode = JSON.parse((await exportServers(define(secret), 'vscode')).text) as {
    inputs: { id: string }[];
    servers: JsonObject;
  };
  expect(vscode.inputs.map(({ id }) => id)).toEqual([
    'a.args.token',
    'a.env.A_TOKEN',
    'b-key',
    'b.url.key',
    'b.headers.Authorization',
  ]);
  expect(isObject(vscode.servers['a']) && vscode.servers['a']['env']).toEqual({
    A_TOKEN: '${input:a.env.A_TOKEN}',
    B_KEY: '${input:b-key}',
  });
  const codex = await exportServers(define(secret), 'codex');
  expect(codex.text).toContain('bearer_token_env_var = "B_HEADERS_AUTHORIZATION"');
  expect(codex.remarks).toContainEqual({
    server: 'b',
    field: 'headers.X-Default',
    why: 'refers to a variable or a secret, which has no equal there: put the value in by hand',
  });
});
