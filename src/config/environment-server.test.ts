import { join, resolve } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { JsonValue } from '../base/index.ts';
import { environmentServer } from './environment-server.ts';
import type { Definition } from './definition.ts';
import type { ConfigView } from './config-view.ts';
import { loadConfig } from './load.ts';
import { resolveDefinition } from './resolve-definition.ts';

type Env = Readonly<Record<string, string>>;

function load(env: Env, servers: JsonValue = {}): ConfigView {
  const cwd = tempFolder();
  const serversFile = join(cwd, 'servers.json');
  writeFileSync(serversFile, JSON.stringify(servers));
  return loadConfig({ serversFile, settingsFile: '' }, env);
}

function named(env: Env): Definition {
  const found = environmentServer(env);
  if (found === undefined || !('definition' in found)) throw new Error('no definition');
  return found.definition;
}

const resolved = (env: Env) =>
  resolveDefinition(named(env), { env, platform: 'linux', userHome: resolve('/home/me'), cwd: resolve('/project') });

describe('a server that the environment names', () => {
  it('H10: is there when no server is configured, to be found in any way', () => {
    const { servers, broken } = load({ MCP_SERVER_URL: ' http://localhost:3000/sse ' });
    expect(broken.size).toBe(0);
    expect([...servers.values()]).toMatchObject([
      {
        name: 'localhost-3000',
        source: { file: undefined, shape: 'environment', scope: 'user' },
        transport: { kind: 'http', url: 'http://localhost:3000/sse', headers: {}, choice: 'auto' },
        enabled: true,
        authKind: 'none',
      },
    ]);
  });

  it.each<[string, JsonValue]>([
    ['one', { mcpServers: { a: { command: 'x' } } }],
    ['a disabled one', { mcp: { a: { type: 'remote', url: 'https://x', enabled: false } } }],
    ['a broken one', { mcpServers: { a: { command: 5 } } }],
  ])('H10: is not there when %s is configured', (_name, servers) => {
    const view = load({ MCP_SERVER_URL: 'http://localhost:3000/sse', MCP_API_KEY: 'secret-key' }, servers);
    expect([...view.servers.keys(), ...view.broken.keys()]).toEqual(['a']);
    expect(JSON.stringify([...view.servers])).not.toContain('MCP_API_KEY');
  });

  it.each([
    ['https://mcp.example.org/sse', 'mcp.example.org'],
    ['http://127.0.0.1:8080', '127.0.0.1-8080'],
    ['http://[::1]:8080/sse', '1-8080'],
    ['https://example.org./', 'example.org'],
    ['https://registry/', 'server-registry'],
    ['https://con/', 'server-con'],
    [`https://${'a'.repeat(60)}.example.org/`, `${'a'.repeat(60)}.exa`],
  ])('H10, R4: %s is called %s', (url, name) => {
    expect(named({ MCP_SERVER_URL: url }).name).toBe(name);
  });

  it('H10, K4: the token goes as a bearer token, is a secret, and stands in the definition by its name alone', async () => {
    const env = { MCP_SERVER_URL: 'https://mcp.example.org/sse', MCP_API_KEY: 'secret-key' };
    const { endpoint, secrets, definition } = await resolved(env);
    expect(endpoint).toMatchObject({ url: env.MCP_SERVER_URL, headers: { Authorization: 'Bearer secret-key' } });
    expect(secrets).toContain('secret-key');
    expect(secrets).not.toContain(env.MCP_SERVER_URL);
    expect(JSON.stringify(definition)).not.toContain('secret-key');
    expect(definition.authKind).toBe('bearer');
  });

  it('H10: what looks like a reference in the URL is none', async () => {
    const { endpoint } = await resolved({ MCP_SERVER_URL: 'https://x/${HOME}?a=$env:B', HOME: '/home/me' });
    expect(endpoint).toMatchObject({ url: 'https://x/${HOME}?a=$env:B' });
  });

  it.each([{}, { MCP_SERVER_URL: '' }, { MCP_SERVER_URL: ' ' }, { MCP_API_KEY: 'secret-key' }] as Env[])(
    'H10: nothing is named by %j',
    (env) => {
      expect(load(env)).toEqual({ servers: new Map(), waiting: new Map(), broken: new Map(), notices: [] });
    },
  );

  it('H10: an empty token is none', () => {
    expect(named({ MCP_SERVER_URL: 'https://x', MCP_API_KEY: ' ' }).transport).toMatchObject({ headers: {} });
  });

  it.each(['localhost:3000/sse', 'sse', 'ftp://x', 'https://me:secret-key@x'])(
    'H10: %s is told as a fault of the variable, and not repeated',
    (url) => {
      const { servers, broken } = load({ MCP_SERVER_URL: url });
      expect(servers.size).toBe(0);
      const problem = broken.get('MCP_SERVER_URL');
      expect(problem).toMatchObject({ code: 'config_entry_invalid', details: { variable: 'MCP_SERVER_URL' } });
      expect(problem?.message).toMatch(/^The environment variable MCP_SERVER_URL /);
      expect(problem?.message).not.toContain('secret-key');
    },
  );
});
