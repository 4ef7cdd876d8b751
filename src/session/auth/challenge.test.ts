import { describe, expect, it } from 'vitest';
import { exceeds, joinScopes, otherScheme, readChallenge } from './challenge.ts';

const of = (header?: string): Headers => new Headers(header === undefined ? {} : { 'www-authenticate': header });

describe('what a server says of the sign-in that it wants', () => {
  it.each([
    [undefined, {}],
    ['Bearer', {}],
    ['Basic realm="x"', {}],
    ['Bearer realm="x", scope="a b", error=invalid_token', { scope: 'a b', error: 'invalid_token' }],
    ['bearer SCOPE = "a"', { scope: 'a' }],
    ['Bearer error_scope="no", scope=""', {}],
    ['Basic realm="a, b", Bearer scope="c"', { scope: 'c' }],
    ['DPoP algs="ES256", error="use_dpop_nonce"', { error: 'use_dpop_nonce' }],
    [
      'Bearer resource_metadata="https://x.example/.well-known/a"',
      { resourceMetadataUrl: 'https://x.example/.well-known/a' },
    ],
    ['Bearer resource_metadata="nowhere"', {}],
    ['Bearer error_description="it lacks scope=a, error=b", scope="c"', { scope: 'c' }],
    [String.raw`Bearer scope="a\"b"`, { scope: 'a"b' }],
  ])('K6: %s', (header, expected) => {
    const nothing = { scope: undefined, resourceMetadataUrl: undefined, error: undefined };
    expect(readChallenge(of(header))).toEqual({ ...nothing, ...expected });
  });

  it('K6: another scheme alone is no sign-in of this kind', () => {
    expect(otherScheme(of('Basic realm="bearer"'))).toBe('Basic');
    expect(otherScheme(of('!'))).toBe('unknown');
    expect(otherScheme(of('Basic realm="x", Bearer'))).toBeUndefined();
    expect(otherScheme(of('DPoP algs="ES256"'))).toBeUndefined();
    expect(otherScheme(of())).toBeUndefined();
  });

  it('K6: scopes are joined once each, and one that is missing is noticed', () => {
    expect(joinScopes('a b', undefined, 'b  c')).toBe('a b c');
    expect(joinScopes(undefined, '')).toBeUndefined();
    expect([exceeds('a', 'a b'), exceeds('a c', 'a b'), exceeds(undefined, 'a'), exceeds('a', undefined)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});
