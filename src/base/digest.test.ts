import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { keyedDigest, nameDigest, sha256Hex } from './digest.ts';

const reference = (text: string): string => createHash('sha256').update(text.toWellFormed()).digest('hex');

describe('digests', () => {
  it('R3: the digest of a name is SHA-256, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(nameDigest(name)).toBe(reference(name));
      }),
    );
  });

  it('R3: names around the block size have their padding right', () => {
    for (let length = 0; length < 200; length += 1) {
      const name = 'é'.repeat(length >> 1) + 'x'.repeat(length & 1);
      expect(nameDigest(name)).toBe(reference(name));
    }
  });

  it('L7: a keyed digest is HMAC-SHA-256', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 64 }), fc.string({ unit: 'binary' }), (key, text) => {
        expect(keyedDigest(key, text)).toBe(createHmac('sha256', key).update(text.toWellFormed()).digest('hex'));
      }),
    );
  });

  it('contents are digested by the same function', () => {
    expect(sha256Hex('contents')).toBe(reference('contents'));
    expect(sha256Hex(new TextEncoder().encode('contents'))).toBe(reference('contents'));
  });
});
