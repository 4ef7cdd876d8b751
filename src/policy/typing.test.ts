import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/index.ts';
import { sampleArguments } from './samples.ts';
import { checkSchema } from './schema/check.ts';
import { typeArgument } from './typing.ts';

const one = (schema: JsonValue): JsonValue => ({ type: 'object', properties: { a: schema } });

type Typing = [schema: JsonValue, text: string, expected: JsonValue];

describe('a command line text', () => {
  it.each<[string, ...Typing]>([
    ['text stays text', { type: 'string' }, '42', '42'],
    ['a number', { type: 'number' }, '4.2', 4.2],
    ['a whole number', { type: 'integer' }, '42', 42],
    ['a truth', { type: 'boolean' }, 'true', true],
    ['null', { type: 'null' }, 'null', null],
    ['a list', { type: 'array' }, '[1,"a"]', [1, 'a']],
    ['an object', { type: 'object' }, '{"x":1}', { x: 1 }],
    ['what is silent stays text', {}, '42', '42'],
    ['what may be text stays text', { type: ['string', 'number'] }, '42', '42'],
    ['what may be text by an alternative', { anyOf: [{ type: 'number' }, { type: 'string' }] }, '42', '42'],
    ['a number or null', { anyOf: [{ type: 'number' }, { type: 'null' }] }, 'null', null],
    ['a nullable number', { type: 'number', nullable: true }, 'null', null],
    ['an enumerated number', { enum: [1, 2] }, '2', 2],
    ['an enumerated text', { enum: ['2', 'x'] }, '2', '2'],
    ['a constant', { const: true }, 'true', true],
    ['what does not fit stays text, for the check to tell', { type: 'number' }, 'many', 'many'],
    ['a number beyond all numbers stays text', { type: 'number' }, '1e400', '1e400'],
    ['a list for a number stays text', { type: 'number' }, '[1]', '[1]'],
    ['an object without a type', { properties: { x: {} } }, '{"x":1}', { x: 1 }],
  ])('L2: %s', (_, ...typing) => {
    const [schema, text, expected] = typing;
    expect(typeArgument(one(schema), 'a', text)).toEqual(expected);
  });

  it.each<[schema: JsonValue, text: string, expected: JsonValue]>([
    [{ type: 'integer' }, '9007199254740993', 9007199254740993n],
    [{ type: 'number' }, '-18446744073709551616', -18446744073709551616n],
    [{ type: 'number' }, '9007199254740993.5', 9007199254740994],
    [{ type: 'string' }, '9007199254740993', '9007199254740993'],
    [{}, '9007199254740993', '9007199254740993'],
    [{ enum: [9007199254740993n, 9007199254740995n] }, '9007199254740995', 9007199254740995n],
    [{ const: 9007199254740993n }, '9007199254740993', 9007199254740993n],
    [{ type: 'object' }, '{"a":[9007199254740993]}', { a: [9007199254740993n] }],
    [{ type: 'integer' }, '9'.repeat(5_000), '9'.repeat(5_000)],
  ])('S13: %o reads %s with all its digits', (schema, text, expected) => {
    expect(typeArgument(one(schema), 'a', text)).toEqual(expected);
  });

  it('L2: references and parts are followed, circles too', () => {
    const schema: JsonValue = {
      allOf: [{ properties: { a: { $ref: '#/$defs/n' } } }],
      $defs: { n: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'integer' }] } },
    };
    expect(typeArgument(schema, 'a', '7')).toBe(7);
  });

  it('L2: names every object has and further names are typed by what is said of them', () => {
    expect(typeArgument({ properties: {} }, 'constructor', '7')).toBe('7');
    expect(typeArgument({ additionalProperties: { type: 'number' } }, 'any', '7')).toBe(7);
    expect(typeArgument(null, 'a', '7')).toBe('7');
  });
});

describe('sample arguments', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['a default', { type: 'string', default: 'd', enum: ['e', 'd'] }, 'd'],
    ['a constant', { const: 'c' }, 'c'],
    ['the first of an enumeration', { enum: ['e', 'f'] }, 'e'],
    ['text', { type: 'string' }, 'example_value'],
    ['what has no type', {}, 'example_value'],
    ['a number', { type: 'number' }, 42],
    ['a whole number', { type: 'integer' }, 42],
    ['a truth', { type: 'boolean' }, true],
    ['a list', { type: 'array', items: { type: 'string' } }, []],
    ['an object', { type: 'object' }, {}],
    ['null', { type: 'null' }, null],
    ['a minimum', { type: 'integer', minimum: 100 }, 100],
    ['an exclusive minimum', { type: 'integer', exclusiveMinimum: 100 }, 101],
    ['a maximum', { type: 'integer', maximum: 7 }, 7],
    ['close bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    ['a unit', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
    ['a date', { type: 'string', format: 'date-time' }, '2025-01-01T00:00:00Z'],
    ['a mail address', { type: 'string', format: 'email' }, 'user@example.com'],
    ['a shortest length', { type: 'string', minLength: 16 }, 'example_valuexxx'],
    ['a longest length', { type: 'string', maxLength: 3 }, 'exa'],
    ['a usual pattern', { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }, '2025-01-01'],
    ['a list with a least number of items', { type: 'array', minItems: 2, items: { type: 'integer' } }, [42, 42]],
    ['an object that needs a member', { properties: { x: {}, y: {} }, required: ['x'] }, { x: 'example_value' }],
    ['the alternative that is not null', { anyOf: [{ type: 'null' }, { type: 'integer' }] }, 42],
    ['a default of null', { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null }, null],
  ])('L5: %s is respected', (_, schema, expected) => {
    const sample = sampleArguments(one(schema));
    expect(sample).toEqual({ a: expected });
    expect(checkSchema(one(schema), sample).problems).toEqual([]);
  });

  it.each<[JsonValue, JsonValue]>([
    [{ type: 'integer', minimum: 9007199254740993n }, 9007199254740993n],
    [{ type: 'integer', exclusiveMinimum: 9007199254740993n }, 9007199254740994n],
    [{ type: 'integer', minimum: -9223372036854775808n, maximum: 9223372036854775807n }, -9223372036854775808n],
    [{ type: 'number', minimum: 7, maximum: 9223372036854775807n, multipleOf: 5 }, 10],
    [{ type: 'integer', minimum: -9007199254740993n, multipleOf: 10 }, -9007199254740990n],
    [{ type: 'integer', maximum: -9007199254740993n, multipleOf: 10 }, -9007199254741000n],
    [{ type: 'integer', exclusiveMaximum: -9007199254740993n }, -9007199254740994n],
    [{ type: 'number', minimum: 0.5, maximum: 9223372036854775807n }, 0.5],
    [{ default: 9007199254740993n, type: 'integer' }, 9007199254740993n],
  ])('S13, L5: %o has a sample that fits to the last digit', (schema, expected) => {
    const sample = sampleArguments(one(schema));
    expect(sample).toEqual({ a: expected });
    expect(checkSchema(one(schema), sample).problems).toEqual([]);
  });

  it('L5: every property has a sample, or only the required ones', () => {
    const schema: JsonValue = { properties: { a: { type: 'integer' }, b: { type: 'boolean' } }, required: ['b'] };
    expect(sampleArguments(schema)).toEqual({ a: 42, b: true });
    expect(sampleArguments(schema, 'required')).toEqual({ b: true });
  });

  it('L5: a schema that refers to itself, or is none, gives a finite sample', () => {
    const tree: JsonValue = {
      $ref: '#/$defs/t',
      $defs: { t: { properties: { t: { $ref: '#/$defs/t' } }, required: ['t'] } },
    };
    expect(JSON.stringify(sampleArguments(tree)).length).toBeLessThan(200);
    for (const schema of [null, 'x', [], true, false, { properties: null }, { $ref: '#' }] as const) {
      expect(sampleArguments(schema)).toEqual({});
    }
  });
});
