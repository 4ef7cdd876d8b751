import { describe, expect, it } from 'vitest';
import { assert, dictionary, jsonValue, property, string } from '../../test/support/properties.ts';
import type { JsonObject } from '../base/index.ts';
import { byName, diffLists, type ListDiff } from './diff.ts';

/** What a doer makes of a difference. */
function apply(diff: ListDiff, before: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, JsonObject> {
  const after = new Map(before);
  for (const name of diff.changes.removed) after.delete(name);
  for (const [name, item] of diff.written) after.set(name, item);
  return after;
}

const sorted = (items: ReadonlyMap<string, JsonObject>): unknown => [...items].sort(([a], [b]) => (a < b ? -1 : 1));

describe('diffLists', () => {
  it('R1: applying the difference of two lists to the first gives the second', () => {
    const items = dictionary(
      string({ maxLength: 2 }),
      dictionary(string({ maxLength: 1 }), jsonValue({ maxDepth: 2 })),
    );
    assert(
      property(items, items, (a, b) => {
        const [before, after] = [a, b].map((list) => new Map(Object.entries(list as Record<string, JsonObject>)));
        const diff = diffLists(before ?? new Map(), after ?? new Map());
        expect(sorted(apply(diff, before ?? new Map()))).toEqual(sorted(after ?? new Map()));
        const { added, changed, removed, unchanged } = diff.changes;
        expect(added.length + changed.length + unchanged).toBe(after?.size);
        expect(removed.length + changed.length + unchanged).toBe(before?.size);
      }),
    );
  });

  it('R1: the order of members and of items is no difference', () => {
    const before = new Map<string, JsonObject>([
      ['a', { name: 'a', inputSchema: { type: 'object', properties: { x: {}, y: {} } } }],
      ['b', { name: 'b' }],
    ]);
    const after = new Map<string, JsonObject>([
      ['b', { name: 'b' }],
      ['a', { inputSchema: { properties: { y: {}, x: {} }, type: 'object' }, name: 'a' }],
    ]);
    expect(diffLists(before, after)).toEqual({
      changes: { added: [], changed: [], removed: [], unchanged: 2 },
      written: new Map(),
    });
  });

  it('R1, R8: a change names the members that differ, and whether the pin does', () => {
    const change = (before: JsonObject, after: JsonObject): unknown =>
      diffLists(new Map([['a', before]]), new Map([['a', after]])).changes.changed;
    expect(change({ name: 'a', title: 'x' }, { name: 'a', description: 'y' })).toEqual([
      {
        name: 'a',
        fields: ['description', 'title'],
        parts: [
          { part: 'description', after: 'y' },
          { part: 'title', before: 'x' },
        ],
        drift: true,
      },
    ]);
    expect(change({ name: 'a' }, { name: 'a', _meta: { version: 2 } })).toEqual([
      { name: 'a', fields: ['_meta'], parts: [], drift: false },
    ]);
    expect(change({ name: 'a', annotations: null }, { name: 'a' })).toEqual([
      { name: 'a', fields: ['annotations'], parts: [{ part: 'annotations', before: 'null' }], drift: true },
    ]);
  });

  it('R8, S13: the last digit of an integer that no double can keep is a change', () => {
    const tool = (most: bigint): ReadonlyMap<string, JsonObject> =>
      new Map([['a', { name: 'a', inputSchema: { properties: { id: { maximum: most } } } }]]);
    const { changes } = diffLists(tool(9223372036854775806n), tool(9223372036854775807n));
    expect(changes.changed).toEqual([
      {
        name: 'a',
        fields: ['inputSchema'],
        parts: [
          { part: 'parameter id', before: '{"maximum":9223372036854775806}', after: '{"maximum":9223372036854775807}' },
        ],
        drift: true,
      },
    ]);
    expect(diffLists(tool(2n ** 63n), tool(2n ** 63n)).changes.unchanged).toBe(1);
  });

  it('R3: `__proto__` is a name, and of a repeated name the first item counts', () => {
    const named = byName(
      [{ name: '__proto__' }, { name: 'a', first: true }, { name: 'a' }],
      (item) => item['name'] as string,
    );
    expect([...named.items.keys()]).toEqual(['__proto__', 'a']);
    expect(named.items.get('a')).toEqual({ name: 'a', first: true });
    expect(named.repeated).toEqual(['a']);
  });
});
