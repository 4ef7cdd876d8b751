import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/index.ts';
import type { DefinitionSource } from './definition.ts';
import { readEntry } from './entries.ts';
import { identityHash } from './identity.ts';
import type { ResolveContext } from './where-it-runs.ts';

const context: ResolveContext = { env: { A: 'a' }, platform: 'linux', userHome: '/home/me', cwd: '/project' };
const user: DefinitionSource = { file: '/home/me/.trestle/servers.json', shape: 'mcpServers', scope: 'user' };
const project: DefinitionSource = { file: '/project/.mcp.json', shape: 'mcpServers', scope: 'project' };

function hash(entry: JsonObject, source = user, env: ResolveContext['env'] = context.env): string {
  return identityHash(readEntry({ name: 'it', source }, entry), { ...context, env });
}

const program = {
  command: './run',
  args: ['--fast', '${A}'],
  env: { ONE: '1', TWO: '2' },
  cwd: 'sub',
  framing: 'newline',
} satisfies JsonObject;
const site = {
  url: 'https://example.com/${A}',
  headers: { Authorization: 'Bearer ${T}', 'X-One': '1' },
  transport: 'sse',
} satisfies JsonObject;

describe('the identity of a definition', () => {
  it.each([
    ['command', { command: './other' }],
    ['args', { args: ['--fast'] }],
    ['the order of args', { args: ['${A}', '--fast'] }],
    ['the names of env', { env: { ONE: '1' } }],
    ['cwd', { cwd: 'other' }],
    ['framing', { framing: 'auto' }],
  ])('K1: changes with %s', (_, change) => {
    expect(hash({ ...program, ...change })).not.toBe(hash(program));
  });

  it.each([
    ['url', { url: 'https://example.com/b' }],
    ['the names of headers', { headers: { Authorization: 'Bearer ${T}' } }],
    ['transport', { transport: 'streamable' }],
    ['redirects', { redirects: 'none' }],
  ])('K1: changes with %s', (_, change) => {
    expect(hash({ ...site, ...change })).not.toBe(hash(site));
  });

  it('K1: does not change with the order of members, the values of secrets, texts and time limits', () => {
    const { env: _env, ...rest } = program;
    const turned = { description: 'new', timeout: 5, idleTimeoutMinutes: 3, ...rest, env: { TWO: 'x', ONE: 'y' } };
    expect(hash(turned)).toBe(hash(program));
    expect(hash({ ...site, headers: { 'x-one': '2', authorization: 'Bearer other' } })).toBe(hash(site));
  });

  it('K1: is that of resolved values; what is not set stands as text', () => {
    expect(hash({ ...program, args: ['--fast', 'a'] })).toBe(hash(program));
    expect(hash(program, user, { A: 'b' })).not.toBe(hash(program));
    expect(hash(program, user, {})).toBe(hash({ ...program, args: ['--fast', '$${A}'] }, user, {}));
    expect(hash({ command: 'x', args: ['${keychain:one}'] })).not.toBe(
      hash({ command: 'x', args: ['${keychain:two}'] }),
    );
    expect(hash({ command: 'x', args: ['${B:-${A}}'] })).toBe(hash({ command: 'x', args: ['a'] }));
  });

  it('K1: a program given by a relative path is another one in each folder', () => {
    const elsewhere = { ...user, file: '/other/servers.json' };
    expect(hash(program, elsewhere)).not.toBe(hash(program));
    expect(hash({ command: 'npx' }, elsewhere)).toBe(hash({ command: 'npx' }));
  });

  it('K2: of an entry that a project wrote, variables and headers count as written', () => {
    const options = (value: string): JsonObject => ({ command: 'node', env: { NODE_OPTIONS: value } });
    expect(hash(options('--require ./evil.js'), project)).not.toBe(hash(options(''), project));
    const token = (value: string): JsonObject => ({ url: 'https://example.com', headers: { 'X-Key': value } });
    expect(hash(token('${OTHER}'), project)).not.toBe(hash(token('${KEY}'), project));
    const signed = (file: string): JsonObject => ({
      url: 'https://example.com',
      auth: { type: 'private-key-jwt', clientId: 'a', privateKeyFile: file },
    });
    expect(hash(signed('~/.ssh/id_rsa'), project)).not.toBe(hash(signed('key.pem'), project));
    // A secret that is renewed is no change.
    expect(hash(token('${KEY}'), project, { KEY: 'new' })).toBe(hash(token('${KEY}'), project, { KEY: 'old' }));
  });
});
