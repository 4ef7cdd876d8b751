import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { replaceIntegers } from './big-integers.ts';
import {
  canonicalJson,
  indentedJson,
  jsonEquals,
  type JsonObject,
  type JsonValue,
  parseJson,
  prettyJson,
  stringifyJson,
} from './json.ts';
import { limits } from './limits.ts';

/** Integers as people write them: mostly around the edges of the safe and the 64 bit ones, of up to some hundred digits. */
const integer = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.constantFrom(53n, 63n, 64n, 127n).chain((bits) => fc.bigInt({ min: 2n ** bits - 3n, max: 2n ** bits + 3n })),
  fc.bigInt({ min: -(10n ** 400n), max: 10n ** 400n }),
);

/** Texts that look like what the search for digits must not take for a number, or for the end of a text. */
const trap = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '9007199254740993',
    '"9007199254740993',
    String.raw`\"`,
    '\\',
    ':9007199254740993,',
    '__proto__',
    'toJSON',
  ),
);

/** Numbers that are written with a fraction or an exponent. */
const fraction = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => /[.e]/.test(String(value)));

const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    integer.map(held),
    trap,
    fraction,
    fc.constantFrom(null, true, false),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(trap, tie('json'), { maxKeys: 4 }).map((value) => Object.fromEntries(Object.entries(value))),
  ),
}));

/** How an integer is held: as a number where a double keeps it. */
function held(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

describe('integers beyond a double', () => {
  it('S13: whatever its digits are, an integer comes back as it was written', () => {
    fc.assert(
      fc.property(integer, (value) => {
        const text = String(value);
        expect(parseJson(text)).toBe(held(value));
        expect(stringifyJson(parseJson(text))).toBe(text);
        expect(stringifyJson(parseJson(` {"a" : [ ${text} , "${text}"]}\n`))).toBe(`{"a":[${text},"${text}"]}`);
      }),
    );
  });

  it('S13: they keep their digits anywhere in a value, beside texts that look like them, compact and indented', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        expect(parseJson(stringifyJson(value))).toEqual(value);
        expect(parseJson(prettyJson(value))).toEqual(value);
        expect(parseJson(indentedJson(value, indent))).toEqual(value);
        expect(jsonEquals(parseJson(canonicalJson(value)), value)).toBe(true);
      }),
    );
  });

  it('S13: what is parsed is what the source text of each number says', () => {
    const revive = (_: string, value: unknown, { source }: { readonly source?: string }): unknown =>
      !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '') ? BigInt(source ?? '') : value;
    const parse = JSON.parse as (text: string, reviver: typeof revive) => unknown;
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(fc.array(number), (texts) => {
        expect(parseJson(`[${texts.join()}]`)).toEqual(parse(`[${texts.join()}]`, revive));
      }),
    );
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740992', -9007199254740992n],
    ['18446744073709551615', 18446744073709551615n],
    ['10000000000000000000000', 10n ** 22n],
    ['12345678901234567890.0', 12345678901234567000],
    ['1e22', 1e22],
    ['123456789012345678e1', 1234567890123456800],
    ['1.0', 1],
    ['-0', -0],
    ['0.8765238527564909', 0.8765238527564909],
    ['1e400', Infinity],
    ['"9007199254740993"', '9007199254740993'],
  ] as const)('S13: %s is held as %s: only what is written as an integer is one', (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  it('S13: a member of any name keeps its digits, and only its own object has it', () => {
    const text = '{"__proto__":9007199254740993,"toJSON":[9007199254740995],"constructor":1}';
    const value = parseJson(text) as JsonObject;
    expect(Object.keys(value)).toEqual(['__proto__', 'toJSON', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe(text);
  });

  it('S13: a value nested as deep as a parser reads keeps them', () => {
    const levels = 100_000;
    let value = parseJson(`${'[{"a":'.repeat(levels)}9007199254740993${'}]'.repeat(levels)}`);
    for (let level = 0; level < levels; level += 1) value = (value as readonly { a: JsonValue }[])[0]?.a ?? null;
    expect(value).toBe(9007199254740993n);
  });

  it('S13: an absurdly long integer stays a text of its digits, and costs no more than a long text', () => {
    const [most, beyond] = ['9'.repeat(limits.integerDigits), '9'.repeat(limits.integerDigits + 1)];
    expect(parseJson(`[${most},${beyond}]`)).toEqual([BigInt(most), beyond]);
    const vast = '7'.repeat(limits.messageBytes);
    const startedMs = performance.now();
    expect(parseJson(vast) === vast).toBe(true);
    // As a bigint it would take minutes to write again.
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it('S13: integers of equal digits are equal however they are held, others are not', () => {
    expect(jsonEquals({ a: 1e20 }, parseJson('{"a":100000000000000000000}'))).toBe(true);
    expect(jsonEquals(2n, 2)).toBe(true);
    expect(jsonEquals([9007199254740993n], [9007199254740992n])).toBe(false);
    expect(jsonEquals(9007199254740993n, 9007199254740992)).toBe(false);
    expect(jsonEquals(9007199254740993n, '9007199254740993')).toBe(false);
  });

  it('S13: a host that teaches bigint to write itself changes nothing', () => {
    // eslint-disable-next-line no-extend-native -- what is done here is what such a host does
    Object.defineProperty(BigInt.prototype, 'toJSON', { configurable: true, value: () => 'mine' });
    try {
      expect(stringifyJson({ a: [9007199254740993n] })).toBe('{"a":[9007199254740993]}');
    } finally {
      delete (BigInt.prototype as { toJSON?: unknown }).toJSON;
    }
  });

  it('S13: nothing is copied but what leads to an integer', () => {
    const value = { a: [1, { b: 2n }], c: { d: [3] } };
    const replaced = replaceIntegers(value, Number) as typeof value;
    expect(replaced).toEqual({ a: [1, { b: 2 }], c: { d: [3] } });
    expect(replaced.c).toBe(value.c);
    expect(replaceIntegers(value.c, Number)).toBe(value.c);
    expect(value.a[1]).toEqual({ b: 2n });
  });

  it('what has a way of its own to be written is written so, beside a bigint too', () => {
    expect(stringifyJson([new Date(0), undefined, 1n])).toBe('["1970-01-01T00:00:00.000Z",null,1]');
  });
});
