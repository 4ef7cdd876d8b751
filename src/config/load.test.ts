import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { limits, stringifyJson, TrestleError } from '../base/index.ts';
import type { ConfigView } from './config-view.ts';
import { loadConfig } from './load.ts';
import { loadSettings } from './settings.ts';

/** The view of a home whose servers.json has this text. */
function load(contents: unknown, files: Readonly<Record<string, string>> = {}): ConfigView {
  const folder = tempFolder();
  const text = typeof contents === 'string' ? contents : stringifyJson(contents);
  for (const [name, body] of Object.entries({ 'home/servers.json': text, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), body);
  }
  return loadConfig({
    serversFile: join(folder, 'home/servers.json'),
    settingsFile: join(folder, 'home/settings.json'),
  });
}

const entry = (value: unknown): ConfigView => load({ mcpServers: { good: { command: 'x' }, it: value } });

function thrown(work: () => unknown): TrestleError {
  try {
    work();
  } catch (error) {
    if (error instanceof TrestleError) return error;
  }
  throw new Error('nothing was thrown');
}

describe('files', () => {
  it.each([
    ['a missing file', undefined],
    ['an empty file', ''],
    ['a byte order mark alone', '\ufeff'],
    ['comments alone', '// soon\n'],
    ['an empty object', '{}'],
    ['null for the servers', '{"mcpServers": null}'],
  ])('F2: %s has no servers', (_, text) => {
    const view =
      text === undefined
        ? loadConfig({ serversFile: join(tempFolder(), 'no/servers.json'), settingsFile: '' })
        : load(text);
    expect([view.servers.size, view.broken.size, view.notices]).toEqual([0, 0, []]);
  });

  it('F2: a file that an editor saved as UTF-16 is told as such', () => {
    const file = join(tempFolder(), 'servers.json');
    writeFileSync(file, Buffer.from('\uFEFF{"mcpServers": {}}', 'utf16le'));
    const failure = thrown(() => loadConfig({ serversFile: file, settingsFile: '' }));
    expect(failure).toMatchObject({
      code: 'config_unreadable',
      message: `${file} cannot be read: it is no text in UTF-8.`,
    });
  });

  it('F2: a truncated file is an error with line and column, and stays as it is', () => {
    const file = join(tempFolder(), 'servers.json');
    const text = '{\n  "mcpServers": {\n    "a": {"command": "x"';
    writeFileSync(file, text);
    const error = thrown(() => loadConfig({ serversFile: file, settingsFile: '' }));
    expect(error).toMatchObject({
      code: 'config_unreadable',
      message: `${file} cannot be read: line 3, column 25: the file ends where "," or "}" is expected.`,
      details: { file, line: 3, column: 25 },
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each(['[]', '5', '"x"', '{"mcpServers": []}', '{"mcp": "x"}'])('F2: %s is no servers file', (text) => {
    expect(thrown(() => load(text)).code).toBe('config_unreadable');
  });
});

describe('shapes', () => {
  it('F3: all members of the mcpServers shape are read', () => {
    const { servers, broken, notices } = load({
      mcpServers: {
        local: {
          command: 'node',
          args: ['a.js'],
          env: { A: 'b' },
          cwd: 'x',
          timeout: 1.5,
          enabled: false,
          description: 'd',
          idleTimeoutMinutes: 0,
          sharing: 'shared',
          protocol: 'legacy',
          protocolVersions: ['2025-01-01'],
          framing: 'content-length',
          type: 'stdio',
        },
        web: {
          url: 'https://x/mcp',
          headers: { Authorization: 'Bearer x' },
          transport: 'sse',
          redirects: 'none',
          disabled: false,
        },
      },
    });
    expect([...broken.values(), ...notices]).toEqual([]);
    expect(servers.get('local')).toMatchObject({
      source: { shape: 'mcpServers', scope: 'user' },
      transport: {
        kind: 'stdio',
        command: 'node',
        args: ['a.js'],
        env: { A: 'b' },
        cwd: 'x',
        framing: 'content-length',
      },
      enabled: false,
      description: 'd',
      timeoutMs: 1_500,
      idleMinutes: 0,
      sharing: 'shared',
      protocol: 'legacy',
      protocolVersions: ['2025-01-01'],
      authKind: 'none',
      tools: undefined,
      ignored: [],
    });
    expect(servers.get('web')).toMatchObject({
      transport: {
        kind: 'http',
        url: 'https://x/mcp',
        headers: { Authorization: 'Bearer x' },
        choice: 'sse',
        redirects: 'none',
      },
      enabled: true,
      authKind: 'bearer',
    });
  });

  it('F3: the mcp shape may stand in the same file', () => {
    const { servers, broken } = load({
      mcpServers: { a: { command: 'x' } },
      mcp: {
        b: {
          type: 'local',
          command: ['node', 'x.js'],
          environment: { A: '1' },
          cwd: 'w',
          timeout: 5_000,
          enabled: false,
        },
        c: { type: 'remote', url: 'https://x', headers: { A: 'b' }, oauth: false, description: 'd' },
      },
    });
    expect(broken.size).toBe(0);
    expect([...servers.keys()]).toEqual(['a', 'b', 'c']);
    expect(servers.get('b')).toMatchObject({
      transport: { command: 'node', args: ['x.js'], env: { A: '1' }, cwd: 'w' },
      timeoutMs: 5_000,
      enabled: false,
    });
    expect(servers.get('c')).toMatchObject({
      transport: { kind: 'http', url: 'https://x' },
      description: 'd',
      ignored: [],
    });
  });

  it.each(['auto', 'streamable', 'sse', 'events'])('F3, H10: the transport %s', (choice) => {
    const definition = load({ mcpServers: { it: { url: 'https://x', transport: choice } } }).servers.get('it');
    expect(definition).toMatchObject({ transport: { choice }, ignored: [] });
  });

  it.each<[string, string | undefined]>([
    ['http', 'auto'],
    ['streamable-http', 'auto'],
    ['sse', 'sse'],
    ['remote', 'auto'],
  ])('F3: type %s, as other tools write it, is taken', (type, choice) => {
    expect(entry({ type, url: 'https://x' }).servers.get('it')?.transport).toMatchObject({ choice });
  });

  it.each<[string, unknown, string]>([
    ['no way to reach it', {}, 'command or url is missing; a server has one of them'],
    [
      'two ways',
      { command: 'x', url: 'https://x' },
      'command and url stand both in the entry; a server has one of them',
    ],
    ['an empty command', { command: ' ' }, 'command is empty'],
    ['an empty url', { url: '' }, 'url is empty'],
    ['a number for a command', { command: 5 }, 'command must be text, got 5'],
    ['a text for args', { command: 'x', args: '-y' }, 'args must be a list of texts, got text "-y"'],
    ['a number in args', { command: 'x', args: ['a', 1] }, 'args[1] must be text, got 1'],
    ['a number in env', { command: 'x', env: { PORT: 80 } }, 'env.PORT must be text, got 80; write it in quotes, "80"'],
    [
      'a large one, to the last digit (S13)',
      { command: 'x', env: { ID: 9007199254740993n } },
      'env.ID must be text, got 9007199254740993; write it in quotes, "9007199254740993"',
    ],
    [
      'a variable with its value in its name',
      { command: 'x', env: { 'TOKEN=hunter2': '' } },
      'env has "TOKEN" with a "=" in its name',
    ],
    ['a variable without a name', { command: 'x', env: { '': 'a' } }, 'env has a variable without a name'],
    [
      'a variable with a NUL character in its name',
      { command: 'x', env: { 'A\0': 'a' } },
      String.raw`env has "A\u0000" with a NUL character in its name`,
    ],
    [
      'a header that HTTP has not',
      { url: 'https://x', headers: { 'a b': 'hunter2' } },
      'headers has "a b", a name that HTTP does not allow',
    ],
    [
      'a header without a name',
      { url: 'https://x', headers: { '': 'a' } },
      'headers has "", a name that HTTP does not allow',
    ],
    [
      'headers beside a command',
      { command: 'x', headers: { a: 'b' } },
      'headers belongs to a "url", but the entry has a "command"',
    ],
    ['args beside a url', { url: 'https://x', args: ['a'] }, 'args belongs to a "command", but the entry has a "url"'],
    [
      'a text for a timeout',
      { command: 'x', timeout: 'soon' },
      'timeout must be a number of seconds from 0.001 to 86400, got text "soon"',
    ],
    [
      'a timeout of zero',
      { command: 'x', timeout: 0 },
      'timeout must be a number of seconds from 0.001 to 86400, got 0',
    ],
    [
      'a contradiction',
      { command: 'x', enabled: true, disabled: true },
      'enabled contradicts "disabled": both are true',
    ],
    ['a wrong type', { type: 'sse', command: 'x' }, 'type is "sse" but the entry has a "command"'],
    [
      'an unknown transport',
      { url: 'https://x', transport: 'pigeon' },
      'transport must be one of "auto", "streamable", "sse", "events", "stdio", got text "pigeon"',
    ],
    [
      'an unknown protocol',
      { command: 'x', protocol: 'new' },
      'protocol must be one of "auto", "legacy", "modern", got text "new"',
    ],
    ['no object', 'npx x', 'the entry must be an object, got text "npx x"'],
    ['null', null, 'the entry must be an object, got null'],
  ])('F2: %s breaks that entry alone, naming entry and field', (_, value, problem) => {
    const { servers, broken } = entry(value);
    expect([...servers.keys()]).toEqual(['good']);
    const error = broken.get('it');
    expect(error).toMatchObject({ code: 'config_entry_invalid', server: 'it' });
    expect(error?.message).toMatch(/^Server "it" in .*servers\.json: /);
    expect(error?.message.endsWith(`: ${problem}.`)).toBe(true);
  });

  it.each<[unknown, string]>([
    [{ command: ['x'] }, 'type is missing; it is "local" or "remote"'],
    [{ type: 'local', command: 'x y' }, 'command must be a list of texts, got text "x y"'],
    [{ type: 'local', command: [] }, 'command is missing or empty; it is a list of the program and its arguments'],
    [{ type: 'local', command: ['x'], url: 'https://x' }, 'url does not belong to an entry of type "local"'],
    [{ type: 'remote' }, 'url is missing or empty'],
    [{ type: 'remote', url: 'https://x', oauth: 'yes' }, 'oauth must be an object, got text "yes"'],
  ])('F3: the mcp entry %j is refused with its field', (value, problem) => {
    expect(
      load({ mcp: { it: value } })
        .broken.get('it')
        ?.message.endsWith(`: ${problem}.`),
    ).toBe(true);
  });
});

describe('names', () => {
  it('F3: a name twice is an error for that name, within a shape and across shapes', () => {
    const { servers, broken } = load(
      '{"mcpServers": {"a": {"command": "x"},\n "a": {"command": "y"}, "b": {"command": "x"}, "c": {"command": "x"}},' +
        '"mcp": {"b": {"type": "local", "command": ["y"]}}}',
    );
    expect([...servers.keys()]).toEqual(['c']);
    expect(broken.get('a')?.message).toMatch(/its name stands twice, the second time in line 2\.$/);
    expect(broken.get('b')?.message).toMatch(/its name stands twice, under "mcpServers" and under "mcp"\.$/);
  });

  it('R4: unusable names and names equal but for case are refused, the others work', () => {
    const names = ['ok', 'Case', 'case', '.x', 'con', 'registry', 'a b', '__proto__'];
    const text = `{"mcpServers":{${names.map((name) => `${JSON.stringify(name)}:{"command":"x"}`).join(',')}}}`;
    const { servers, broken } = load(text);
    expect([...servers.keys()]).toEqual(['__proto__', 'ok']);
    expect([...broken.keys()].sort()).toEqual(['.x', 'Case', 'a b', 'case', 'con', 'registry']);
    expect(broken.get('a b')?.code).toBe('invalid_name');
    expect(broken.get('case')?.message).toContain('differs from "Case" only in case');
  });
});

describe('what has no effect', () => {
  it('F3: a slip in the name of a member is told with what was probably meant', () => {
    const { broken, notices } = load({
      mcpServer: {},
      mcpServers: {
        a: { command: 'x', tiemout: 5 },
        b: { url: 'https://x', auth: { clientID: 'x' } },
        c: { comand: 'x' },
        d: { other: 'x' },
      },
    });
    expect(notices).toEqual([
      expect.stringMatching(
        /: mcpServer \(mcpServers\?\), a\.tiemout \(timeout\?\), b\.auth\.clientID \(clientId\?\)\.$/,
      ),
    ]);
    expect(broken.get('c')?.message).toMatch(
      /: command or url is missing; a server has one of them: comand \(command\?\)\.$/,
    );
    expect(broken.get('d')?.message).toMatch(/: command or url is missing; a server has one of them\.$/);
  });

  it('F3: members without effect and unknown ones are named in one line a file', () => {
    const { servers, notices } = load({
      $schema: 'x',
      other: 1,
      mcpServers: {
        a: { command: 'x', exposure: 'direct', lifecycle: 'eager', foo: 1 },
      },
      mcp: { b: { type: 'remote', url: 'https://x', oauth: { tenant: 'x' } } },
    });
    expect(servers.size).toBe(2);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(
      /servers\.json: without effect in this version: other, a\.exposure, a\.foo, b\.oauth\.tenant\.$/,
    );
  });

  it('F3, K3: lists of tools stand in entries of both shapes', () => {
    const tools = { allow: ['a*'], deny: ['b'], ask: ['c?'] };
    const { servers, notices } = load({
      mcpServers: {
        a: { command: 'x', tools },
        none: { command: 'x' },
        some: { command: 'x', tools: { deny: ['b'] } },
      },
      mcp: { b: { type: 'local', command: ['x'], tools } },
    });
    expect(servers.get('a')?.tools).toEqual(tools);
    expect(servers.get('b')?.tools).toEqual(tools);
    expect(servers.get('some')?.tools).toEqual({ allow: undefined, deny: ['b'], ask: [] });
    expect(servers.get('none')?.tools).toBeUndefined();
    expect(notices).toEqual([]);
  });

  it.each([
    [{ denied: ['a'] }, 'tools.denied is none of the lists allow, deny and ask'],
    [{ deny: 'a' }, 'deny must be a list of texts'],
    [{ deny: [1] }, 'deny[0] must be text'],
    [['a'], 'tools must be an object'],
  ])('F3, K3: lists that cannot be meant break the entry instead of widening it: %j', (tools, problem) => {
    expect(load({ mcpServers: { it: { command: 'x', tools } } }).broken.get('it')?.message).toContain(problem);
  });
});

describe('settings', () => {
  function settings(contents?: unknown): ReturnType<typeof loadSettings> {
    const file = join(tempFolder(), 'settings.json');
    if (contents !== undefined) writeFileSync(file, JSON.stringify(contents));
    return loadSettings(file);
  }

  it('N3: a missing file is all defaults and is not made', () => {
    const file = join(tempFolder(), 'settings.json');
    expect(loadSettings(file)).toEqual({
      outputGuard: {
        enabled: true,
        maxBytes: limits.shownBytes,
        maxLines: limits.shownLines,
        detailsMaxBytes: limits.detailsBytes,
      },
      idleMinutes: limits.idleMinutes,
      requestTimeoutMs: undefined,
      contextBudgetTokens: 4_000,
      schemaToolLimit: 10,
      requireConsent: false,
      destructiveTools: 'allow',
      secretStore: 'auto',
      shareServers: false,
      footer: true,
      notices: [],
      unused: [],
    });
    expect(existsSync(file)).toBe(false);
  });

  it('N3: names are read, 0 is the default timeout, others are named in one line', () => {
    expect(
      settings({
        outputGuard: { maxBytes: 5, other: 1 },
        idleTimeout: 0,
        requestTimeoutMs: 9,
        contextBudgetTokens: 0,
        schemaInjectionToolLimit: 3,
        secretStore: 'file',
        uiViewer: 'auto',
        requireConsent: true,
        destructiveTools: 'ask',
      }),
    ).toMatchObject({
      requireConsent: true,
      destructiveTools: 'ask',
      outputGuard: { enabled: true, maxBytes: 5, maxLines: limits.shownLines },
      idleMinutes: 0,
      requestTimeoutMs: 9,
      contextBudgetTokens: 0,
      schemaToolLimit: 3,
      notices: [expect.stringMatching(/without effect in this version: outputGuard\.other\.$/)],
      unused: [expect.stringMatching(/without effect in this version: uiViewer\.$/)],
      secretStore: 'file',
    });
    expect(settings({ outputGuard: false, requestTimeoutMs: 0 })).toMatchObject({
      outputGuard: { enabled: false },
      requestTimeoutMs: undefined,
    });
  });

  it.each([
    { outputGuard: 'off' },
    { outputGuard: { maxBytes: 0 } },
    { idleTimeout: -1 },
    { requestTimeoutMs: '1' },
    { secretStore: 'vault' },
  ])('N3: %j is an error naming the field', (contents) => {
    const error = thrown(() => settings(contents));
    expect(error.code).toBe('config_entry_invalid');
    expect(error.message).toMatch(
      /settings\.json: (outputGuard|maxBytes|idleTimeout|requestTimeoutMs|secretStore) must be /,
    );
  });
});
