import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { isObject, type JsonObject, type JsonValue, limits, parseJson } from '../base/index.ts';
import { checkArguments } from './arguments.ts';

const echo: JsonValue = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    color: { enum: ['red', 'green'] },
    point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['message'],
  additionalProperties: false,
};

/** The problems as lines, `field: problem`; [] for anything but `invalid`. */
function problems(schema: JsonValue, args: JsonObject): readonly string[] {
  const verdict = checkArguments(schema, args);
  return verdict.kind === 'invalid' ? verdict.problems.map(({ field, problem }) => `${field}: ${problem}`) : [];
}

function example(schema: JsonValue, args: JsonObject): JsonObject | undefined {
  const verdict = checkArguments(schema, args);
  return verdict.kind === 'invalid' ? verdict.example : undefined;
}

describe('the problems', () => {
  it('B1: arguments that fit are ok', () => {
    expect(checkArguments(echo, { message: 'hi', count: 3, point: { x: 1 }, tags: [] })).toEqual({ kind: 'ok' });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['a missing one', {}, ['message: is required']],
    ['a wrong type', { message: 5 }, ['message: must be text, got 5']],
    ['a number as text', { message: 'a', count: '5' }, ['count: must be a whole number, got text "5"']],
    ['a fraction', { message: 'a', count: 1.5 }, ['count: must be a whole number, got 1.5']],
    ['one too small', { message: 'a', count: 0 }, ['count: must be at least 1, got 0']],
    ['one too large', { message: 'a', count: 10 }, ['count: must be at most 9, got 10']],
    [
      'a value near another',
      { message: 'a', color: 'gren' },
      ['color: must be one of "red", "green", got text "gren" (did you mean "green"?)'],
    ],
    ['a nested one', { message: 'a', point: { x: 'y' } }, ['point.x: must be a number, got text "y"']],
    ['an item', { message: 'a', tags: ['a', 1] }, ['tags[1]: must be text, got 1']],
    ['null', { message: null }, ['message: must be text, got null']],
    [
      'a misspelt name',
      { mesage: 'hi' },
      [
        'message: is required (did you mean it by "mesage"?)',
        'mesage: is not known to this tool (did you mean "message"?)',
      ],
    ],
    [
      'an unknown name',
      { message: 'a', zzz: 1 },
      ['zzz: is not known to this tool (known are "message", "count", "color", "point", "tags")'],
    ],
  ])('B1: %s is told with field, expectation and what was got', (_, args, expected) => {
    expect(problems(echo, args)).toEqual(expected);
  });

  it('B1: alternatives are told in one sentence, or as the nearest one', () => {
    const either: JsonValue = { properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } };
    expect(problems(either, { a: true })).toEqual(['a: must be text or a number, got true']);
    const kinds: JsonValue = {
      properties: {
        a: {
          oneOf: [
            { type: 'object', properties: { kind: { const: 'x' }, n: { type: 'number' } }, required: ['kind', 'n'] },
            { type: 'object', properties: { kind: { const: 'y' }, t: { type: 'string' } }, required: ['kind', 't'] },
          ],
        },
      },
    };
    expect(problems(kinds, { a: { kind: 'y', t: 5 } })).toEqual(['a.t: must be text, got 5']);
  });

  it('B1: odd names are written so that they can be read', () => {
    const schema: JsonValue = { properties: { 'a.b': { properties: { 'c d': { type: 'string' } } } } };
    expect(problems(schema, { 'a.b': { 'c d': 1 } })).toEqual(['["a.b"]["c d"]: must be text, got 1']);
  });

  it('B1: an argument that the schema does not describe is noted where further ones are allowed, with what was probably meant', () => {
    const schema: JsonObject = { type: 'object', properties: { message: { type: 'string' } } };
    const note = (args: JsonObject, more: JsonObject = {}): unknown => {
      const verdict = checkArguments({ ...schema, ...more }, args);
      return verdict.kind === 'ok' ? verdict.note : verdict;
    };
    expect(note({ mesage: 'x' })).toBe('"mesage" is no argument of this tool; did you mean "message"?');
    expect(note({ message: 'x', limit: 5 })).toBe('"limit" is no argument of this tool, which may ignore it.');
    expect(note({ message: 'x' })).toBeUndefined();
    for (const open of [{ additionalProperties: true }, { anyOf: [{}] }, { properties: {} }])
      expect(note({ message: 'x', limit: 5 }, open)).toBeUndefined();
  });

  it('C5: names and values in problems are cleaned and cut', () => {
    const [problem] = problems({ properties: { a: { type: 'number' } } }, { a: `\u001b[31m${'x'.repeat(5_000)}` });
    expect(problem).not.toContain('\u001b');
    expect(problem?.length).toBeLessThan(200);
  });

  it('B1: a thousand problems are told as a few', () => {
    const args = { message: 'a', tags: Array.from({ length: 1_000 }, () => 1) };
    expect(problems(echo, args)).toHaveLength(limits.argumentProblems);
  });
});

describe('the corrected example', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['keeps what is right', { message: 5, count: 3 }, { message: '5', count: 3 }],
    ['takes a number out of its quotes', { message: 'a', count: '5' }, { message: 'a', count: 5 }],
    ['puts a single item into a list', { message: 'a', tags: 'x' }, { message: 'a', tags: ['x'] }],
    ['takes the allowed value that is near', { message: 'a', color: 'gren' }, { message: 'a', color: 'green' }],
    ['renames a misspelt argument in its place', { mesage: 'hi', count: 2 }, { message: 'hi', count: 2 }],
    ['drops an unknown argument', { message: 'a', zzz: 1 }, { message: 'a' }],
    ['fills in what is missing', { point: {} }, { point: { x: 42 }, message: 'example_value' }],
  ])('B1: %s', (_, args, expected) => {
    expect(example(echo, args)).toEqual(expected);
  });

  it('B1: fits where references and alternatives are involved', () => {
    const schema: JsonValue = {
      properties: { who: { $ref: '#/$defs/person' }, how: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/person' }] } },
      required: ['who'],
      $defs: {
        person: { type: 'object', properties: { name: { type: 'string', minLength: 20 } }, required: ['name'] },
      },
    };
    const corrected = example(schema, { who: { name: 'x' }, how: 3 });
    expect(corrected).toMatchObject({ how: { name: expect.any(String) as string } });
    expect(checkArguments(schema, corrected ?? {})).toEqual({ kind: 'ok' });
  });

  it('B1: an argument called __proto__ stays an argument', () => {
    const schema = parseJson(
      '{"properties":{"__proto__":{"type":"number"},"b":{"type":"number"}},"required":["__proto__"]}',
    );
    expect(problems(schema, { b: 1 })).toEqual(['__proto__: is required']);
    const corrected = example(schema, parseJson('{"__proto__":"7","b":1}') as JsonObject);
    expect(JSON.stringify(corrected)).toBe('{"__proto__":7,"b":1}');
    expect(Object.getPrototypeOf(corrected)).toBe(Object.prototype);
  });
});

describe('what cannot be decided', () => {
  it.each<[string, JsonValue]>([
    ['null for a schema', null],
    ['a text for a schema', 'object'],
    ['a list for a schema', []],
    ['false for a schema', false],
    ['null for properties', { type: 'object', properties: null }],
    ['a list for properties', { type: 'object', properties: [] }],
    ['a text for required', { required: 'a' }],
    ['an unknown type', { properties: { a: { type: 'any' } } }],
    ['a schema that is a text', { properties: { a: 'string' } }],
    ['null for an enumeration', { properties: { a: { enum: null } } }],
    ['a reference to the network', { properties: { a: { $ref: 'https://example.com/schema.json' } } }],
    ['a reference to nowhere', { properties: { a: { $ref: '#/$defs/none' } } }],
    ['a reference to itself', { $ref: '#' }],
    ['a circle of references', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['circles that branch', { anyOf: [{ $ref: '#' }, { $ref: '#' }, { allOf: [{ $ref: '#' }, { $ref: '#' }] }] }],
    ['a dynamic reference', { properties: { a: { $dynamicRef: '#x' } } }],
    ['an unknown dialect', { $schema: 'https://example.com/dialect', required: ['b'] }],
    ['a pattern of another language', { properties: { a: { pattern: '(?P<x>a)' } } }],
    ['a pattern that is too long', { properties: { a: { pattern: `^${'[a-b]'.repeat(100)}$` } } }],
    ['unevaluated properties', { unevaluatedProperties: false }],
    ['a required argument that has a default', { properties: { b: { default: 1 } }, required: ['b'] }],
  ])('B1: %s is no reason to refuse', (_, schema) => {
    expect(checkArguments(schema, { a: 'x' })).toMatchObject({ kind: 'unchecked', note: expect.any(String) as string });
  });

  it.each<[string, JsonValue]>([
    ['a list of types', { properties: { a: { type: ['string', 'null'] } } }],
    ['no type', { properties: { a: {} } }],
    ['true', { properties: { a: true } }],
    [
      'null allowed in the way of OpenAPI',
      { properties: { a: { type: 'string' }, b: { type: 'string', nullable: true } } },
    ],
    ['a format, which is an annotation', { properties: { a: { type: 'string', format: 'email' } } }],
    ['a reference with encoded characters', { properties: { a: { $ref: '#/$defs/a~1b%25' } }, $defs: { 'a/b%': {} } }],
    ['an anchor', { properties: { a: { $ref: '#here' } }, $defs: { x: { $anchor: 'here', type: 'string' } } }],
    [
      'its own identifier',
      { $id: 'https://example.com/s', properties: { a: { $ref: 'https://example.com/s#/$defs/x' } }, $defs: { x: {} } },
    ],
    ['a boolean for required, as in draft-03', { properties: { a: { type: 'string', required: true } } }],
    [
      'names every object has',
      { properties: { a: {}, constructor: { type: 'number' }, toString: { type: 'number' } } },
    ],
  ])('B1: %s is understood', (_, schema) => {
    expect(checkArguments(schema, { a: 'x', b: null })).toMatchObject({ kind: 'ok' });
  });

  it('B1: schemas beyond the limits are not checked, with a note', () => {
    const large: JsonValue = { required: ['b'], description: 'x'.repeat(limits.schemaBytes) };
    const many: JsonValue = { required: ['b'], anyOf: Array.from({ length: limits.schemaNodes }, () => ({})) };
    const deep = Array.from({ length: limits.schemaDepth + 1 }).reduce<JsonValue>((inner) => ({ not: inner }), {});
    for (const schema of [large, many, deep]) {
      expect(checkArguments(schema, {})).toMatchObject({
        kind: 'unchecked',
        note: expect.stringMatching(/checked/) as string,
      });
    }
  });

  it('B1: an endless pattern ends within its time and is not decided', () => {
    const schema: JsonValue = { properties: { a: { pattern: '^(a+)+$' } } };
    const startedMs = performance.now();
    expect(checkArguments(schema, { a: `${'a'.repeat(60)}b` })).toMatchObject({ kind: 'unchecked' });
    expect(performance.now() - startedMs).toBeLessThan(20 * limits.patternMs);
  });

  it('B1: a hundred endless patterns take no longer than one', () => {
    const names = Array.from({ length: 100 }, (_, index) => `a${index}`);
    const schema = { properties: Object.fromEntries(names.map((name) => [name, { pattern: `^(a+)+${name}$` }])) };
    const args = Object.fromEntries(names.map((name) => [name, 'a'.repeat(60)]));
    const startedMs = performance.now();
    expect(checkArguments(schema, args)).toMatchObject({ kind: 'unchecked' });
    expect(performance.now() - startedMs).toBeLessThan(20 * limits.patternMs);
  });

  it('B1: huge arguments and wide schemas end within the steps', () => {
    const schema: JsonValue = {
      properties: { a: { type: 'array', items: { anyOf: Array.from({ length: 500 }, (_, n) => ({ const: n })) } } },
    };
    const args = { a: Array.from({ length: 100_000 }, () => 499) };
    const startedMs = performance.now();
    expect(checkArguments(schema, args)).toMatchObject({ kind: 'unchecked' });
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it('B1: arguments nested beyond the stack are not checked, and nothing is thrown', () => {
    const deep = parseJson(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`) as JsonObject;
    const tree: JsonValue = {
      properties: { a: { $ref: '#/$defs/t' } },
      $defs: { t: { items: { $ref: '#/$defs/t' } } },
    };
    expect(checkArguments(tree, deep)).toMatchObject({ kind: 'unchecked' });
    expect(checkArguments({ properties: { a: { uniqueItems: true } } }, deep).kind).not.toBe('invalid');
  });
});

describe('integers that a double cannot keep', () => {
  const at = (schema: JsonValue): JsonValue => ({ properties: { a: schema } });
  const [int64, uint64] = [9223372036854775807n, 18446744073709551615n];

  it.each<[schema: JsonValue, fits: readonly JsonValue[], fails: readonly JsonValue[]]>([
    [{ type: 'integer' }, [int64, -int64, 2n], ['9223372036854775807', 0.5]],
    [{ type: 'number' }, [int64], []],
    [{ type: 'string' }, [], [int64]],
    [{ minimum: 5 }, [int64, 1e300], [-int64, 3n]],
    [{ maximum: int64 }, [int64, 5, -int64], [int64 + 1n, 1e300]],
    [{ exclusiveMaximum: int64 }, [int64 - 1n], [int64]],
    [{ exclusiveMinimum: -int64 }, [1 - Number.MAX_SAFE_INTEGER, 1n - int64], [-int64, -1e300]],
    [{ minimum: 9007199254740993n }, [9007199254740993n], [9007199254740992n, 9007199254740991]],
    [{ const: int64 }, [int64], [int64 - 1n, 2 ** 63]],
    [{ const: 2 ** 63 }, [2n ** 63n], [int64]],
    [{ enum: [uint64, { id: [int64] }] }, [uint64, { id: [int64] }], [int64, { id: [int64 + 1n] }]],
    [{ multipleOf: 10 }, [9223372036854775800n], [int64]],
    [{ multipleOf: 9007199254740993n }, [0, 9007199254740993n * 3n], [5, 9007199254740993n * 3n + 1n]],
    [{ uniqueItems: true }, [[int64, int64 - 1n]], [[int64, 5, int64]]],
    [{ maxLength: int64, minItems: -int64 }, ['abc', []], []],
  ])('S13: %o decides about them exactly', (schema, fits, fails) => {
    for (const value of fits) expect([value, problems(at(schema), { a: value })]).toEqual([value, []]);
    for (const value of fails) expect([value, problems(at(schema), { a: value })]).not.toEqual([value, []]);
  });

  it('S13: they are told with their digits, and corrected where text was given', () => {
    const schema = at({ type: 'integer', maximum: int64 });
    expect(problems(schema, { a: uint64 })).toEqual([
      'a: must be at most 9223372036854775807, got 18446744073709551615',
    ]);
    expect(problems(at({ enum: [int64] }), { a: 5 })).toEqual(['a: must be 9223372036854775807, got 5']);
    expect(example(schema, { a: '9007199254740993' })).toEqual({ a: 9007199254740993n });
    expect(example(at({ type: 'string' }), { a: int64 })).toEqual({ a: '9223372036854775807' });
    expect(problems(at({ type: 'string' }), { a: 10n ** 4_000n }).join('').length).toBeLessThan(200);
  });
});

describe('drafts', () => {
  const draft7 = 'http://json-schema.org/draft-07/schema#';
  it('B1: a tuple is read as its draft writes it', () => {
    const older: JsonValue = {
      $schema: draft7,
      properties: { a: { items: [{ type: 'string' }], additionalItems: false } },
    };
    const newer: JsonValue = { properties: { a: { prefixItems: [{ type: 'string' }], items: false } } };
    for (const schema of [older, newer]) {
      expect(checkArguments(schema, { a: ['x'] })).toEqual({ kind: 'ok' });
      expect(checkArguments(schema, { a: [1] })).toMatchObject({ kind: 'invalid' });
      expect(checkArguments(schema, { a: ['x', 'y'] })).toMatchObject({ kind: 'invalid' });
    }
  });

  /** Values that fit however a schema is read, those that fit by no reading, and those that depend on it. */
  interface Readings {
    readonly fits: readonly JsonValue[];
    readonly fails: readonly JsonValue[];
    readonly differs: readonly JsonValue[];
  }
  const two: JsonValue = { $ref: '#/$defs/text', minLength: 2 };
  it.each<[string, JsonValue, Readings]>([
    ['plainly', two, { fits: ['xx'], fails: [5, null], differs: ['x'] }],
    ['that excludes the reference', { $ref: '#/$defs/text', type: 'number' }, { fits: [], fails: [5], differs: ['x'] }],
    ['as a note', { $ref: '#/$defs/text', description: 'x' }, { fits: ['x'], fails: [5], differs: [] }],
    ['in "not"', { not: two }, { fits: [5], fails: ['xx'], differs: ['x'] }],
    ['in "if"', { if: two, else: { type: 'number' } }, { fits: ['xx', 5], fails: [null], differs: ['x'] }],
    ['in "anyOf"', { anyOf: [two, { const: 5 }] }, { fits: ['xx', 5], fails: [null], differs: ['x'] }],
    ['in "oneOf"', { oneOf: [two, { enum: ['x', 5] }] }, { fits: ['xx', 5], fails: [null], differs: ['x'] }],
    ['in "allOf"', { allOf: [two, { maxLength: 2 }] }, { fits: ['xx'], fails: ['xxx', 5], differs: ['x'] }],
    ['in "items"', { items: two }, { fits: [[], ['xx']], fails: [[5], ['x', 5]], differs: [['x']] }],
    ['in "contains"', { contains: two }, { fits: [['x', 'xx']], fails: [[], [5]], differs: [['x']] }],
    ['in "propertyNames"', { propertyNames: two }, { fits: [{}, { xx: 5 }], fails: [], differs: [{ x: 5 }] }],
  ])('B1: what stands beside a reference, %s, decides from 2019 on, and is a doubt before', (_, schema, readings) => {
    const kinds = ($schema: string, values: readonly JsonValue[]): readonly string[] =>
      values.map((a) => {
        const root: JsonValue = { $schema, $defs: { text: { type: 'string' } }, properties: { a: schema } };
        return checkArguments(root, { a }).kind;
      });
    const newer = 'https://json-schema.org/draft/2020-12/schema';
    for (const $schema of [draft7, newer]) {
      expect(kinds($schema, readings.fits)).toEqual(readings.fits.map(() => 'ok'));
      expect(kinds($schema, readings.fails)).toEqual(readings.fails.map(() => 'invalid'));
    }
    expect(kinds(draft7, readings.differs)).toEqual(readings.differs.map(() => 'unchecked'));
    expect(kinds(newer, readings.differs)).not.toContain('unchecked');
  });

  it('B1: draft-04 bounds are exclusive by a boolean', () => {
    const schema: JsonValue = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      properties: { a: { type: 'number', minimum: 5, exclusiveMinimum: true } },
    };
    expect(checkArguments(schema, { a: 6 })).toEqual({ kind: 'ok' });
    expect(problems(schema, { a: 5 })).toEqual(['a: must be more than 5, got 5']);
  });
});

/** Schemas of the kinds servers write, with the keywords the check knows. */
const { schema: generatedSchema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const inner = tie('schema');
  const name = fc.constantFrom('a', 'b', 'c');
  const small = fc.integer({ min: 0, max: 3 });
  const value = fc.constantFrom<JsonValue>(null, true, 0, 1, 2.5, '', 'a', 'abc', [], ['a'], {}, { a: 1 });
  const optional = fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object'),
        fc.uniqueArray(fc.constantFrom('string', 'number', 'null', 'object'), { minLength: 1, maxLength: 3 }),
      ),
      enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (item) => JSON.stringify(item) }),
      const: value,
      minimum: small,
      maximum: small,
      exclusiveMinimum: small,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom('^a', 'b+$', '^[a-c]{2,}$'),
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      items: inner,
      contains: inner,
      properties: fc.dictionary(name, inner, { maxKeys: 3 }),
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), inner, { maxKeys: 1 }),
      additionalProperties: fc.oneof(fc.boolean(), inner),
      propertyNames: inner,
      required: fc.uniqueArray(name, { maxLength: 2 }),
      minProperties: small,
      maxProperties: small,
      anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }),
      oneOf: fc.array(inner, { minLength: 1, maxLength: 3 }),
      allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
      not: inner,
      if: inner,
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: inner,
      else: inner,
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 1 }),
      dependentSchemas: fc.dictionary(name, inner, { maxKeys: 1 }),
      $ref: fc.constantFrom('#/$defs/text', '#/$defs/tree'),
    },
    { requiredKeys: [] },
  );
  // Few keywords a schema, else nothing ever fits.
  const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });
  const few = fc.tuple(optional, picks).map(([all, wanted]): JsonValue => {
    const entries = Object.entries(all);
    return Object.fromEntries(wanted.flatMap((pick) => entries.slice(pick % entries.length).slice(0, 1))) as JsonValue;
  });
  return { schema: fc.oneof({ depthSize: 'small' }, fc.constantFrom<JsonValue>(true, {}, { type: 'string' }), few) };
});

const generatedValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, true, false, 0, 1, 2, 2.5, -1, '', 'a', 'abc', 'bb', 'aab'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** Compiling is what takes the time. */
const runs = 250;

/** `schema` as the standard reads it up to draft-07: a reference stands alone. */
function referencesAlone(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(referencesAlone);
  if (!isObject(schema)) return schema;
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  return Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, referencesAlone(member)]));
}

/** What the validator says; undefined where it breaks, as what it compiles of `anyOf` beside `patternProperties` does. */
function answerOf(validate: (args: JsonObject) => unknown, args: JsonObject): boolean | undefined {
  try {
    return validate(args) === true;
  } catch {
    return undefined;
  }
}

describe('agreement with a compiling validator', () => {
  const options = { strict: false, validateFormats: false, logger: false, addUsedSchema: false } as const;
  const $defs = { text: { type: 'string' }, tree: { type: 'object', properties: { a: { $ref: '#/$defs/tree' } } } };
  it.each([
    ['2020-12', new Ajv2020(options), 'https://json-schema.org/draft/2020-12/schema', []],
    ['draft-07', new Ajv(options), 'http://json-schema.org/draft-07/schema#', [referencesAlone]],
  ] as const)(
    'B1: nothing that %s allows is refused, and what is sure to fit fits',
    (...[, validator, $schema, reads]) => {
      const seen = { ok: 0, invalid: 0, unchecked: 0 };
      const compare = (schema: JsonValue, args: JsonObject): void => {
        const root: JsonObject = { $schema, $defs, properties: { a: schema, b: schema } };
        const readings = [root, ...reads.map((read) => read(root) as JsonObject)];
        const fits = readings.map((reading) => answerOf(validator.compile(reading), args));
        const { kind } = checkArguments(root, args);
        const isRight = { invalid: !fits.includes(true), ok: !fits.includes(false), unchecked: true };
        expect(isRight[kind], `${kind} where the validator says ${fits.join()}`).toBe(true);
        seen[kind] += 1;
      };
      const args = fc.dictionary(fc.constantFrom('a', 'b'), generatedValue, { minKeys: 1 });
      fc.assert(fc.property(generatedSchema, args, compare), { numRuns: runs });
      // Mostly it decides, and both ways.
      expect(seen.unchecked).toBeLessThan((seen.ok + seen.invalid) / 10);
      expect(Math.min(seen.ok, seen.invalid)).toBeGreaterThan(runs / 10);
    },
  );
});
