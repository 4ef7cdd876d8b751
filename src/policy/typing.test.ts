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
