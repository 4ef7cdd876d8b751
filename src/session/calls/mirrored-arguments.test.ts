import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/index.ts';
import { mirrorHeaders, readMirrors } from './mirrored-arguments.ts';

const marked = (name: JsonValue, type: JsonValue = 'string'): JsonObject => ({ type, 'x-mcp-header': name });

function headersOf(properties: JsonObject, args: JsonObject): object {
  const read = readMirrors({ type: 'object', properties });
  if (!read.ok) throw new Error(read.problem);
  return mirrorHeaders(read.mirrors, args);
}

describe('marked arguments', () => {
  it('S14: texts, integers and booleans become headers, at any depth of properties', () => {
    const properties = {
      region: marked('Region'),
      count: marked('Count', 'integer'),
      huge: marked('Huge', 'integer'),
      on: marked('On', 'boolean'),
      off: marked('Off', 'boolean'),
      maybe: marked('Maybe', ['string', 'null']),
      place: { type: 'object', properties: { city: { properties: { zone: marked('City-Zone') } } } },
      plain: { type: 'string' },
    };
    const args = {
      region: 'eu',
      count: -7,
      huge: 1_915_883_588_174_806_058n,
      on: true,
      off: false,
      maybe: 'yes',
      place: { city: { zone: 'z 1' } },
      plain: 'x',
    };
    expect(headersOf(properties, args)).toEqual({
      'mcp-param-region': 'eu',
      'mcp-param-count': '-7',
      'mcp-param-huge': '1915883588174806058',
      'mcp-param-on': 'true',
      'mcp-param-off': 'false',
      'mcp-param-maybe': 'yes',
      'mcp-param-city-zone': 'z 1',
    });
  });

  it('S14: an argument that is null, absent, inherited or no scalar has no header', () => {
    const properties = {
      none: marked('None'),
      absent: marked('Absent'),
      toString: marked('Inherited'),
      list: marked('List'),
      deep: { properties: { er: marked('Deeper') } },
    };
    expect(headersOf(properties, { none: null, list: ['x'], deep: 'flat' })).toEqual({});
  });

  it('S14: values a header cannot carry are encoded', () => {
    const properties = { a: marked('A'), b: marked('B'), c: marked('C'), d: marked('D') };
    expect(headersOf(properties, { a: 'Hello, 世界', b: ' padded ', c: 'x\r\nEvil: 1', d: '' })).toEqual({
      'mcp-param-a': '=?base64?SGVsbG8sIOS4lueVjA==?=',
      'mcp-param-b': '=?base64?IHBhZGRlZCA=?=',
      'mcp-param-c': `=?base64?${Buffer.from('x\r\nEvil: 1').toString('base64')}?=`,
      'mcp-param-d': '=?base64??=',
    });
  });

  it('S14: a property named like the mark is a property, and data that looks like a mark is data', () => {
    const properties = {
      'x-mcp-header': marked('Named'),
      set: { type: 'object', default: { 'x-mcp-header': '' }, enum: [{ 'x-mcp-header': 1 }], examples: [marked('')] },
    };
    expect(headersOf(properties, { 'x-mcp-header': 'v' })).toEqual({ 'mcp-param-named': 'v' });
  });

  const valid = { ok: marked('Region') };
  it.each<[string, JsonObject]>([
    ['an empty name', { properties: { a: marked('') } }],
    ['a name that is no text', { properties: { a: marked(7) } }],
    ['a space', { properties: { a: marked('My Region') } }],
    ['a colon', { properties: { a: marked('Region:Primary') } }],
    ['a character outside ASCII', { properties: { a: marked('Région') } }],
    ['a line break', { properties: { a: marked('A\r\nB') } }],
    ['a number', { properties: { a: marked('A', 'number') } }],
    ['an object', { properties: { a: marked('A', 'object') } }],
    ['no type', { properties: { a: { 'x-mcp-header': 'A' } } }],
    ['two types', { properties: { a: marked('A', ['string', 'integer']) } }],
    ['the name of another but for case', { properties: { a: marked('MyField'), b: marked('myfield') } }],
    ['the name of another further down', { properties: { a: marked('A'), b: { properties: { c: marked('a') } } } }],
    ['the root', { 'x-mcp-header': 'A', type: 'string' }],
    ['items', { properties: { a: { type: 'array', items: marked('A') } } }],
    ['properties below items', { properties: { a: { items: { properties: { b: marked('A') } } } } }],
    ['anyOf', { properties: { a: { anyOf: [{ type: 'null' }, marked('A')] } } }],
    ['allOf at the root', { allOf: [{ properties: { a: marked('A') } }] }],
    ['else', { if: {}, else: { properties: { a: marked('A') } } }],
    ['$defs', { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: marked('A') } }],
    ['patternProperties', { patternProperties: { '^a': marked('A') } }],
    ['additionalProperties', { additionalProperties: marked('A') }],
    ['dependentSchemas', { dependentSchemas: { ok: { properties: { a: marked('A') } } } }],
  ])('S14: a mark rules its tool out when it has, or stands on or under, %s', (_what, schema) => {
    const properties = { ...valid, ...(schema['properties'] as JsonObject | undefined) };
    expect(readMirrors({ type: 'object', ...schema, properties })).toMatchObject({ ok: false });
    expect(readMirrors({ type: 'object', properties: valid })).toMatchObject({ ok: true });
  });

  it('S14: a schema that is none marks nothing', () => {
    for (const schema of [undefined, true, null, 'x']) expect(readMirrors(schema)).toEqual({ ok: true, mirrors: [] });
  });
});
