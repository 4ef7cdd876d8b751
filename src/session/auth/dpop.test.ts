import { createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { createDpopKey, openDpopKey } from './dpop.ts';

it('K6: a key that was kept signs as it did before', async () => {
  const made = await createDpopKey();
  const opened = await openDpopKey(JSON.parse(JSON.stringify(made.jwk)) as typeof made.jwk);
  expect(opened.thumbprint).toBe(made.session.thumbprint);
  const proof = await opened.buildProof({ htm: 'POST', htu: 'https://x.example/mcp?a', accessToken: 'token' });
  const [header = '', payload = '', signature = ''] = proof.split('.');
  const { jwk } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly jwk: object };
  expect(Object.keys(jwk).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    htm: 'POST',
    htu: 'https://x.example/mcp',
  });
  const key = createPublicKey({ key: { ...jwk, kty: 'EC' }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  const given = { key, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', signed, given, Buffer.from(signature, 'base64url'))).toBe(true);
});
