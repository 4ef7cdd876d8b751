import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import {
  canonicalJson,
  cutLevels,
  isObject,
  jsonEquals,
  type JsonValue,
  nestsDeeper,
  parseJson,
  prettyJson,
  whyUnwritable,
} from './json.ts';

describe('json', () => {
  it('tolerates a byte order mark', () => {
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  it('keeps a member named __proto__ as data', () => {
    const value = parseJson('{"__proto__":{"polluted":true}}');
    expect(Object.getOwnPropertyNames(value)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(canonicalJson(value)).toBe('{"__proto__":{"polluted":true}}');
  });

  it('writes equal values as equal canonical text, whatever the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const reversed = reverseMembers(value);
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(jsonEquals(parseJson(canonicalJson(value)), parseJson(JSON.stringify(value)))).toBe(true);
      }),
    );
  });

  it('tells different values apart', () => {
    expect(jsonEquals({ a: 1 }, { a: '1' })).toBe(false);
    expect(jsonEquals([1, 2], [2, 1])).toBe(false);
  });

  it('leaves undefined members out of canonical text', () => {
    expect(canonicalJson({ b: undefined, a: [undefined] })).toBe('{"a":[null]}');
  });

  it('knows objects from arrays and null', () => {
    expect([{}, [], null, 'x'].map(isObject)).toEqual([true, false, false, false]);
  });

  it('tells how deep a value goes, whatever its depth', () => {
    const nested = (levels: number): JsonValue => parseJson(`${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`);
    expect(nestsDeeper(nested(5), 9)).toBe(false);
    expect(nestsDeeper(nested(5), 8)).toBe(true);
    expect(nestsDeeper(nested(100_000), 512)).toBe(true);
    expect(nestsDeeper(1, 0)).toBe(false);
    expect(nestsDeeper([[], {}, 'x'], 1)).toBe(false);
  });

  it('puts a text in place of what is nested too deeply, and leaves all else alone', () => {
    const shallow = parseJson('{"__proto__": [1, {"a": []}]}');
    expect(cutLevels(shallow, 3)).toBe(shallow);
    expect(cutLevels(shallow, 2)).toEqual(parseJson('{"__proto__": [1, {"a": "[nested too deeply]"}]}'));
    const deep = parseJson(`{"a": 1, "b": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(cutLevels(deep, 3)).toEqual({ a: 1, b: [[['[nested too deeply]']]] });
  });

  it('tells what cannot be written as it is', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    // Each of many levels twice: what was seen is not looked at again.
    const twice: Record<string, unknown> = {};
    Object.assign(twice, { a: twice, b: twice });
    expect(whyUnwritable(twice)).toBe('depth');
    expect([{ a: [1, 'x', null, 2n] }, 1e308, 'x', undefined].map(whyUnwritable)).toEqual(Array(4).fill(undefined));
    expect([{ a: [parseJson('-1e400')] }, Number.NaN].map(whyUnwritable)).toEqual(['number', 'number']);
    const nested = (levels: number): JsonValue => parseJson(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect([circle, ...[100_000, 3_000, 514].map(nested)].map(whyUnwritable)).toEqual(Array(4).fill('depth'));
    expect(whyUnwritable(nested(513))).toBeUndefined();
  });

  it('ends files with a newline', () => {
    expect(prettyJson({ a: 1 })).toBe('{\n  "a": 1\n}\n');
  });
});

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, reverseMembers(member)] as const)
      .toReversed(),
  );
}
