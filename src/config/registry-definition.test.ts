import { describe, expect, it } from 'vitest';
import { type RegisteredEntry, registryDefinition } from './registry-definition.ts';

const registered: RegisteredEntry = {
  name: 'docs',
  file: '/registry/docs/meta.json',
  transport: { kind: 'http', url: 'https://example.com/mcp', headers: {} },
  auth: 'none',
  signIn: {},
  description: '',
  lifecycle: { mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 },
};

describe('a server that only the registry knows', () => {
  it.each([
    ['none', {}, undefined],
    ['unheard-of', { token: 'x' }, undefined],
    ['bearer', { bearerTokenEnv: 'DOCS_TOKEN' }, { kind: 'bearer', values: { token: '${DOCS_TOKEN}' } }],
    ['bearer', { bearerToken: '$env:DOCS_TOKEN' }, { kind: 'bearer', values: { token: '$env:DOCS_TOKEN' } }],
    ['oauth', {}, undefined],
    [
      'oauth',
      { clientId: 'abc', clientSecret: '${SECRET}', scope: 'read', redirectUri: 'http://127.0.0.1:1/' },
      { kind: 'oauth', values: { clientId: 'abc', clientSecret: '${SECRET}', scope: 'read' } },
    ],
    [
      'oauth',
      { grantType: 'client_credentials', clientId: 'abc', clientSecret: '${SECRET}' },
      { kind: 'client-credentials', values: { clientId: 'abc', clientSecret: '${SECRET}' } },
    ],
  ])('R6: signs in by %s as it is noted there: %j', (auth, signIn, expected) => {
    const definition = registryDefinition({ ...registered, auth, signIn });
    expect(
      definition.auth === undefined ? undefined : { kind: definition.auth.kind, values: definition.auth.values },
    ).toEqual(expected);
  });

  it('R6: a header is the sign-in where one is recorded', () => {
    const transport = { ...registered.transport, headers: { authorization: 'Bearer ${DOCS_TOKEN}' } };
    const definition = registryDefinition({ ...registered, transport, auth: 'bearer' });
    expect([definition.auth, definition.authKind]).toEqual([undefined, 'bearer']);
  });

  it.each([
    ['bearer', 'has no token'],
    ['client-credentials', 'has nothing of the sign-in of kind client-credentials but its name'],
  ])('R6: a sign-in by %s of which nothing is left is told, not tried without', (auth, what) => {
    expect(() => registryDefinition({ ...registered, auth })).toThrow(
      expect.objectContaining({ code: 'not_configured', message: expect.stringContaining(what) as string }),
    );
  });

  it('R1, R6: keeps its description and how long it runs, so that a sync records them again', () => {
    const description = 'Documents of the team';
    const lifecycle = { mode: 'keep-alive', idleTimeoutMinutes: 30, requestTimeoutMs: 1_500 } as const;
    expect(registryDefinition({ ...registered, description, lifecycle })).toMatchObject({
      description,
      lifecycle: 'keep-alive',
      idleMinutes: 30,
      timeoutMs: 1_500,
    });
    expect(registryDefinition(registered)).toMatchObject({ lifecycle: 'lazy', timeoutMs: undefined });
  });
});
