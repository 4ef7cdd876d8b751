/** Keys that tokens are bound to (RFC 9449), kept with the sign-in: a bound token is of no use without its key. */
import { DpopSession, generateDpopKeyPair } from '@modelcontextprotocol/client';
import { webcrypto } from 'node:crypto';
import type { JsonObject } from '../../base/index.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

export interface BoundKey {
  readonly session: DpopSession;
  /** To be kept; secret. */
  readonly jwk: JsonObject;
}

/** A new key. */
export async function createDpopKey(): Promise<BoundKey> {
  const keyPair = await generateDpopKeyPair({ alg: 'ES256', extractable: true });
  const jwk = (await webcrypto.subtle.exportKey('jwk', keyPair.privateKey)) as JsonObject;
  return { session: await DpopSession.create({ keyPair }), jwk };
}

/** The session of a key that was kept. */
export async function openDpopKey(jwk: JsonObject): Promise<DpopSession> {
  const { subtle } = webcrypto;
  const { kty, crv, x, y } = jwk as {
    readonly kty: string;
    readonly crv: string;
    readonly x: string;
    readonly y: string;
  };
  const publicJwk = { kty, crv, x, y };
  const [privateKey, publicKey] = await Promise.all([
    subtle.importKey('jwk', jwk as webcrypto.JsonWebKey, algorithm, false, ['sign']),
    subtle.importKey('jwk', publicJwk, algorithm, true, ['verify']),
  ]);
  // RFC 7638: the required members in the order of their names.
  const canonical = new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }));
  const digest = await subtle.digest('SHA-256', canonical);
  const thumbprint = Buffer.from(digest).toString('base64url');
  return DpopSession.create({ keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: 'ES256' } });
}
