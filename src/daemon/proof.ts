/** How client and daemon prove to each other that they can read the token, without sending it. */
import { keyedDigest, randomHex } from '../base/index.ts';

/** Both nonces of one connection. */
export interface Nonces {
  readonly client: string;
  readonly daemon: string;
}

export const newNonce = (): string => randomHex(16);
export const newToken = (): string => randomHex(32);

/** The proof of one side: a keyed digest over both nonces, different for each side, so that none can be sent back. */
export function proofOf(side: 'client' | 'daemon', token: string, nonces: Nonces): string {
  return keyedDigest(token, `trestle ${side} ${nonces.client} ${nonces.daemon}`);
}

/** Takes the same time wherever the texts differ. */
export function isProof(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
