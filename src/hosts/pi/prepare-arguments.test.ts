import { describe, expect, it } from 'vitest';
import { anything, assert, property } from '../../../test/support/properties.ts';
import { callMcpTool, listMcpResources } from '../../toolsets/index.ts';
import { givenArguments, preparedFor } from './prepare-arguments.ts';

const prepare = preparedFor(callMcpTool);
const named = { server: 's', toolName: 't' };

describe('arguments of CallMcpTool', () => {
  it.each([
    ['as they should be', { ...named, arguments: { a: 1 } }, { ...named, arguments: { a: 1 } }],
    ['without any', named, named],
    ['null', { ...named, arguments: null }, named],
    ['an empty text', { ...named, arguments: '' }, named],
    ['as JSON text', { ...named, arguments: '{"a":[null]}' }, { ...named, arguments: { a: [null] } }],
    ['alone in a list', { ...named, arguments: [{ a: 1 }] }, { ...named, arguments: { a: 1 } }],
    ['all of it as JSON text', JSON.stringify({ ...named, arguments: { a: 1 } }), { ...named, arguments: { a: 1 } }],
    ['beside server and toolName', { ...named, a: 1, b: 'x' }, { ...named, arguments: { a: 1, b: 'x' } }],
  ])('N1: %s are mended', (_, args, expected) => {
    expect(prepare(args)).toEqual(expected);
    expect(givenArguments(prepare(args))).toEqual(expected);
  });

  it.each([
    ['a list', { ...named, arguments: [1, 2] }],
    ['a text that is no JSON', { ...named, arguments: 'a=1' }],
    ['a text quoted twice', { ...named, arguments: JSON.stringify('{"a":1}') }],
    ['a number that JavaScript does not keep', { ...named, arguments: '{"id":12345678901234567890}' }],
    ['a name that is missing', { server: 's' }],
    ['a name that is no text', { server: 4, toolName: 't' }],
    ['too much', { ...named, arguments: {}, more: 1 }],
    ['what they are carried in', { ...named, arguments: {}, given: { server: 'other', toolName: 'x' } }],
  ])('N1: %s reaches the tool as it was given, past the check of Pi', (_, args) => {
    const prepared = prepare(args);
    expect(prepared).toMatchObject({ server: expect.any(String) as string, toolName: expect.any(String) as string });
    expect(prepared).not.toHaveProperty('arguments');
    expect(givenArguments(prepared)).toEqual(args);
  });

  it('N1: whatever a model gives, the check of Pi lets it through', () => {
    assert(
      property(anything(), (args) => {
        const { server, toolName, arguments: own } = prepare(args);
        expect([typeof server, typeof toolName]).toEqual(['string', 'string']);
        expect(own === undefined || (typeof own === 'object' && own !== null && !Array.isArray(own))).toBe(true);
      }),
    );
  });
});

it('N1: a tool without arguments of its own gets none', () => {
  const other = { server: 's', more: 1 };
  expect(givenArguments(preparedFor(listMcpResources)(other))).toEqual(other);
});
