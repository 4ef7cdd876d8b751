import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { FrameReader, frameText } from './frames.ts';
import { isProof, newNonce, proofOf } from './proof.ts';

const read = (reader: FrameReader, chunk: string | Buffer): unknown[] => [...reader.read(Buffer.from(chunk))];

describe('frames', () => {
  it('L7: arrive as they were sent, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.string({ unit: 'binary' }))), fc.nat(7), (frames, cut) => {
        const bytes = Buffer.from(frames.map(frameText).join(''));
        const reader = new FrameReader(() => 1_000_000);
        const got: unknown[] = [];
        for (let at = 0; at < bytes.length; at += cut + 1) got.push(...read(reader, bytes.subarray(at, at + cut + 1)));
        expect(got).toEqual(JSON.parse(JSON.stringify(frames)));
      }),
    );
  });

  it('L7: one that is too long is refused before it is whole', () => {
    const reader = new FrameReader(() => 10);
    expect(() => read(reader, '[12345678')).not.toThrow();
    expect(() => read(reader, '90')).toThrow(/too long/);
  });

  it('L7: a line that is no JSON is refused', () => {
    expect(() => read(new FrameReader(() => 100), '{"a":\n')).toThrow(/no JSON/);
  });
});

describe('proofs', () => {
  it('L7: each side’s is its own, bound to both nonces and the token', () => {
    const nonces = { client: newNonce(), daemon: newNonce() };
    const proof = proofOf('client', 'token', nonces);
    expect(isProof(proof, proofOf('client', 'token', nonces))).toBe(true);
    const others = [
      proofOf('daemon', 'token', nonces),
      proofOf('client', 'other', nonces),
      proofOf('client', 'token', { ...nonces, client: newNonce() }),
      proofOf('client', 'token', { ...nonces, daemon: newNonce() }),
    ];
    for (const other of [...others, '', undefined, 1, `${proof}0`]) expect(isProof(other, proof)).toBe(false);
  });
});
