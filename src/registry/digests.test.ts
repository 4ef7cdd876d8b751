import { describe, expect, it } from 'vitest';
import { descriptorDigest } from './digests.ts';

const base = {
  name: 'find',
  description: 'Finds.',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
};
const pin = descriptorDigest(base);

describe('descriptorDigest', () => {
  it('R8: is a lower-case hex SHA-256', () => {
    expect(pin).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    [
      'key order',
      {
        inputSchema: { required: ['q'], properties: { q: { type: 'string' } }, type: 'object' },
        name: 'find',
        description: 'Finds.',
      },
    ],
    ['_meta', { ...base, _meta: { a: 1 } }],
    [
      'a default',
      { ...base, inputSchema: { ...base.inputSchema, properties: { q: { type: 'string', default: 'x' } } } },
    ],
    ['examples', { ...base, inputSchema: { ...base.inputSchema, examples: [{ q: 'x' }] } }],
  ])('R8: ignores %s', (_, descriptor) => {
    expect(descriptorDigest(descriptor)).toBe(pin);
  });

  const withProperties = (properties: Record<string, { type: string }>): object => ({
    ...base,
    inputSchema: { ...base.inputSchema, properties },
  });

  it.each([
    ['a description', { ...base, description: 'Deletes.' }],
    ['an annotation', { ...base, annotations: { destructiveHint: true } }],
    ['a type', withProperties({ q: { type: 'number' } })],
    ['a parameter called default', withProperties({ q: { type: 'string' }, default: { type: 'string' } })],
    ['a parameter called examples', withProperties({ q: { type: 'string' }, examples: { type: 'string' } })],
    ['the order of an array', { ...base, inputSchema: { ...base.inputSchema, required: ['q', 'p'] } }],
    ['a value of an enum', { ...base, inputSchema: { ...base.inputSchema, enum: [{ default: 1 }] } }],
  ])('R8: changes with %s', (_, descriptor) => {
    expect(descriptorDigest(descriptor as typeof base)).not.toBe(pin);
  });

  it('R8: two values of an enum that differ in a member called default differ', () => {
    const of = (value: number): string =>
      descriptorDigest({ name: 'a', inputSchema: { const: { default: value }, enum: [{ examples: value }] } });
    expect(of(1)).not.toBe(of(2));
  });
});
