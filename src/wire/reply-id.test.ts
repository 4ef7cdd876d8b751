import { describe, expect, it } from 'vitest';
import { assert, constantFrom, dictionary, integer, jsonValue, property } from '../../test/support/properties.ts';
import { findReplyId } from './reply-id.ts';

const find = (text: string, kept = 64): unknown => {
  const data = Buffer.from(text);
  return findReplyId(data.subarray(0, kept), data.subarray(-kept));
};

const huge = `{"content":[{"text":"${'y'.repeat(500)}","id":77}]}`;

describe('the id of a reply that is not kept', () => {
  it.each([
    ['a number at the start', `{"jsonrpc":"2.0","id":5,"result":${huge}}`, 5],
    ['a text at the start', `{"id":"a\\"ü,}","jsonrpc":"2.0","result":${huge}}`, 'a"ü,}'],
    ['white space and a byte order mark', `\uFEFF { "jsonrpc" : "2.0" , "id" : 6 , "result":${huge}}`, 6],
    ['behind a small object', `{"_meta":{"id":1,"a":[{}]},"id":7,"result":${huge}}`, 7],
    ['at the end', `{"jsonrpc":"2.0","result":${huge},"id":8}`, 8],
    ['at the end, spaced, with CR', `{"jsonrpc":"2.0","result":${huge} , "id" : "x y" } \r`, 'x y'],
    ['near the end, before other members', `{"result":${huge},"id":9,"_meta":{"id":1,"s":"}\\\\"},"jsonrpc":"2.0"}`, 9],
    ['a name in escapes', `{"\\u0069d":10,"result":${huge}}`, 10],
    ['negative', `{"jsonrpc":"2.0","result":${huge},"id":-3}`, -3],
  ])('T3: is found %s', (_, text, expected) => expect(find(text)).toBe(expected));

  it.each([
    ['inside the result only, at the start', `{"jsonrpc":"2.0","result":{"id":3,"text":"${'y'.repeat(500)}"}}`],
    ['inside the result only, at the end', `{"jsonrpc":"2.0","result":{"text":"${'y'.repeat(500)}","id":3}}`],
    ['inside a text', `{"jsonrpc":"2.0","result":"${'y'.repeat(500)},\\"id\\":3}"}`],
    ['of a request', `{"jsonrpc":"2.0","method":"m","id":3,"params":${huge}}`],
    ['of a request that says so at its end', `{"id":3.5e,"params":${huge},"method":"m"}`],
    ['of a batch', `[{"jsonrpc":"2.0","id":3,"result":${huge}}]`],
    ['that is null', `{"jsonrpc":"2.0","id":null,"error":${huge}}`],
    ['that is an object', `{"jsonrpc":"2.0","id":{"id":3},"error":${huge}}`],
    ['cut by the end of what is kept', `{"a":"${'b'.repeat(45)}","id":1234567890123,"c":"${'d'.repeat(500)}"}`],
    ['of no object', 'x'.repeat(500)],
    ['of nothing', ''],
  ])('T3: is not taken when it is one %s', (_, text) => expect(find(text)).toBeUndefined());

  it('T3: is the outermost id of any object, or none, never another one', () => {
    const value = jsonValue({ maxDepth: 3 });
    const members = dictionary(constantFrom('id', 'result', 'a', 'jsonrpc', '"', '\\'), value);
    const check = property(members, integer({ min: 1, max: 80 }), (object, kept) => {
      const text = JSON.stringify(object);
      // As it is written: JSON has no negative zero.
      const { id } = JSON.parse(text) as { id?: unknown };
      const expected = typeof id === 'string' || typeof id === 'number' ? [undefined, id] : [undefined];
      expect(expected).toContainEqual(find(text, kept));
    });
    assert(check, { numRuns: 3000 });
  });
});
