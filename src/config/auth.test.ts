import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/index.ts';
import type { Definition, ResolvedServer } from './definition.ts';
import { readEntry } from './entries.ts';
import { referencedVariables } from './referenced.ts';
import { resolveDefinition } from './resolve-definition.ts';

const file = '/home/me/.trestle/servers.json';

function read(entry: JsonObject, shape: 'mcpServers' | 'mcp' = 'mcpServers'): Definition {
  return readEntry({ name: 'web', source: { file, shape, scope: 'user' } }, { url: 'https://x.example/mcp', ...entry });
}

function resolve(auth: JsonObject, env: Readonly<Record<string, string>> = {}): Promise<ResolvedServer> {
  return resolveDefinition(read({ auth }), { env, platform: 'linux', userHome: '/home/me', cwd: '/project' });
}

describe('how a server is signed in to, as written', () => {
  it.each([
    [undefined, undefined, 'none'],
    [false, 'none', 'none'],
    ['oauth', 'oauth', 'oauth'],
    [{}, 'oauth', 'oauth'],
    [{ type: 'bearer', token: 'x' }, 'bearer', 'bearer'],
    [{ type: 'workload', assertionFile: 'x' }, 'workload', 'workload'],
  ])('K6: auth %j is %s, recorded as %s', (...[auth, kind, recorded]) => {
    const definition = read(auth === undefined ? {} : { auth });
    expect([definition.auth?.kind, definition.authKind]).toEqual([kind, recorded]);
  });

  it("K6: OpenCode's oauth is the same, and its false means none", () => {
    const remote = { type: 'remote' };
    expect(read({ ...remote, oauth: { clientId: 'a', scope: 'b' } }, 'mcp').auth).toMatchObject({
      kind: 'oauth',
      values: { clientId: 'a', scope: 'b' },
    });
    expect(read({ ...remote, oauth: false }, 'mcp').auth?.kind).toBe('none');
    expect(read(remote, 'mcp').auth).toBeUndefined();
  });

  it('K6: scopes are a text or a list', () => {
    expect(read({ auth: { scopes: ['a', 'b'] } }).auth?.values.scope).toBe('a b');
    expect(read({ auth: { scope: 'a b' } }).auth?.values.scope).toBe('a b');
  });

  it.each<[JsonObject, string]>([
    [{ auth: 5 }, 'auth must be an object, got 5'],
    [{ auth: { type: 'magic' } }, 'auth: type must be one of "none", "bearer", "oauth", '],
    [{ auth: { clientId: 5 } }, 'auth: clientId must be text, got 5'],
    [{ auth: { type: 'bearer' } }, 'auth.token is missing; sign-in by "bearer" needs it'],
    [{ auth: { type: 'client-credentials', clientId: 'a' } }, 'auth.clientSecret is missing'],
    [{ auth: { type: 'private-key-jwt', clientId: 'a' } }, 'auth.privateKey or auth.privateKeyFile is missing'],
    [{ auth: { type: 'enterprise', clientId: 'a', idToken: 'b' } }, 'auth.idpTokenEndpoint is missing'],
    [{ auth: {}, headers: { authorization: 'Bearer x' } }, 'auth contradicts the Authorization header'],
  ])('K6: %j is refused', (entry, problem) => {
    expect(() => read(entry)).toThrow(`Server "web" in ${file}: ${problem}`);
  });

  it('K6: a process is not signed in to', () => {
    const source = { file, shape: 'mcpServers', scope: 'user' } as const;
    expect(() => readEntry({ name: 'web', source }, { command: 'x', auth: {} })).toThrow('auth belongs to a "url"');
  });
});

describe('how a server is signed in to, resolved', () => {
  it('K6: references are replaced, secrets told, files found beside the one that names them', async () => {
    const { auth, secrets } = await resolve(
      { type: 'private-key-jwt', clientId: '${ID}', privateKeyFile: 'key.pem', idToken: 'literal-token' },
      { ID: 'an-id' },
    );
    expect(auth?.values).toEqual({
      clientId: 'an-id',
      privateKeyFile: '/home/me/.trestle/key.pem',
      idToken: 'literal-token',
    });
    expect(secrets).toContain('literal-token');
  });

  it('K6: a bearer token is a header', async () => {
    const { endpoint, secrets } = await resolve({ type: 'bearer', token: '${T}' }, { T: 'abc-token' });
    expect(endpoint).toMatchObject({ headers: { Authorization: 'Bearer abc-token' } });
    expect(secrets).toContain('abc-token');
  });

  it('K6: another client is another session, and its variables are asked of the caller', async () => {
    const auth = { clientId: '${ID}' };
    const [one, other] = [await resolve(auth, { ID: 'a' }), await resolve(auth, { ID: 'b' })];
    expect(one.valuesDigest).not.toBe(other.valuesDigest);
    expect(one.definitionHash).not.toBe((await resolve({ clientId: 'a' })).definitionHash);
    expect(referencedVariables(read({ auth }))).toEqual(['ID']);
  });

  it.each([
    [{ issuer: 'auth.example' }, 'auth.issuer is no https:// URL'],
    [{ clientId: '${EMPTY}' }, 'auth.clientId is empty'],
  ])('K6: %j is refused', async (auth, problem) => {
    await expect(resolve(auth, { EMPTY: '' })).rejects.toThrow(problem);
  });
});
