import { describe, expect, it } from 'vitest';
import { type JsonObject, type JsonValue, limits, parseJson, stringifyJson, TrestleError } from '../../base/index.ts';
import { readCallReply } from '../calls/call-reply.ts';
import { listKinds, sortOut } from './list-kinds.ts';
import { readList } from './read-list.ts';

type Pages = (params: JsonObject, nth: number) => JsonObject;

async function read(pages: Pages): Promise<{ items: readonly JsonObject[]; asked: JsonObject[] }> {
  const asked: JsonObject[] = [];
  const request = async (_method: string, params: JsonObject): Promise<JsonObject> => pages(params, asked.push(params));
  const { items } = await readList(listKinds.tools, { server: 'x', request });
  return { items, asked };
}

const tool = (name: string): JsonObject => ({ name, inputSchema: { type: 'object' } });
const unknownMethod = new TrestleError({ code: 'protocol_error', message: 'x', details: { rpcCode: -32_601 } });

/** JSON of `levels` objects in each other. */
const nested = (levels: number): JsonValue =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as JsonValue;

it('S7, R2: an item nested so deeply that it cannot be written is left out, the others stay', () => {
  const items = [tool('a'), { ...tool('deep'), _meta: nested(50_000) }, { ...tool('b'), _meta: nested(100) }];
  const { items: usable, problems } = sortOut(listKinds.tools, items);
  expect(usable.map((item) => item['name'])).toEqual(['a', 'b']);
  expect(problems).toEqual(['tool "deep" is nested too deeply; left out']);
});

describe('readList', () => {
  it('S7: reads pages to the end, an empty text being a cursor and null an end', async () => {
    const { items, asked } = await read(({ cursor }) => {
      if (cursor === undefined) return { tools: [tool('a')], nextCursor: '' };
      return cursor === '' ? { tools: [tool('b')], nextCursor: 'p3' } : { tools: [tool('c')], nextCursor: null };
    });
    expect(items.map((item) => item['name'])).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual([{}, { cursor: '' }, { cursor: 'p3' }]);
  });

  it('S7: a repeated cursor is an error, also when others lie between', async () => {
    const cycle = read((_params, nth) => ({ tools: [], nextCursor: ['x', 'y'][nth % 2] ?? '' }));
    await expect(cycle).rejects.toMatchObject({ code: 'list_cursor_repeated' });
  });

  it('S7: more pages or items than the limits are an error', async () => {
    let pages = 0;
    const endless = read((_params, nth) => {
      pages = nth;
      return { tools: [tool(`t${nth}`)], nextCursor: `c${nth}` };
    });
    await expect(endless).rejects.toMatchObject({ code: 'list_too_long' });
    expect(pages).toBe(limits.listPages);
    const many = Array.from({ length: limits.listItems + 1 }, (_, index) => tool(`t${index}`));
    await expect(read(() => ({ tools: many }))).rejects.toMatchObject({ code: 'list_too_long' });
    expect((await read(() => ({ tools: many.slice(1) }))).items).toHaveLength(limits.listItems);
  });

  it('S7, T3: where one answer is larger than the limit, the hint is for those who can make it smaller', async () => {
    const tooLarge = new TrestleError({ code: 'message_too_large', message: 'x', hint: 'Ask for a smaller range.' });
    const failing = read(() => {
      throw tooLarge;
    });
    await expect(failing).rejects.toMatchObject({
      code: 'message_too_large',
      hint: expect.stringContaining('too many tools in one answer') as string,
    });
  });

  it('S7: a page that fails fails the list', async () => {
    const failing = read(({ cursor }) => {
      if (cursor !== undefined) throw unknownMethod;
      return { tools: [tool('a')], nextCursor: 'x' };
    });
    await expect(failing).rejects.toBe(unknownMethod);
    await expect(read(() => ({ tools: null }))).rejects.toMatchObject({ code: 'broken_reply' });
    await expect(read(() => ({ tools: [], nextCursor: 7 }))).rejects.toMatchObject({ code: 'broken_reply' });
  });

  it('S8: a declared list whose method is unknown is empty', async () => {
    const { items } = await read(() => {
      throw unknownMethod;
    });
    expect(items).toEqual([]);
  });
});

describe('sortOut', () => {
  const problemsOf = (item: JsonValue): readonly string[] => sortOut(listKinds.tools, [item, tool('good')]).problems;

  it.each([
    [null, 'tool 1 is null; it is left out'],
    [{ inputSchema: {} }, 'tool 1: name is absent; it is left out'],
    [{ name: 42, inputSchema: {} }, 'tool 1: name is a number; it is left out'],
    [{ name: '', inputSchema: {} }, 'tool 1: name is empty; it is left out'],
  ])('S7: %j is left out and named, the others stay', (item, line) => {
    const { items, problems } = sortOut(listKinds.tools, [item, tool('good')]);
    expect(items).toEqual([tool('good')]);
    expect(problems[0]).toContain(line);
  });

  it.each([
    [{ inputSchema: '{}' }, 'inputSchema is a text', { inputSchema: { type: 'object' } }],
    [{}, 'no inputSchema', { inputSchema: { type: 'object' } }],
    [{ inputSchema: { required: null } }, 'inputSchema.required is null; taken for absent', { inputSchema: {} }],
    [{ inputSchema: { properties: null } }, 'inputSchema.properties is null; taken for absent', { inputSchema: {} }],
    [{ inputSchema: {}, outputSchema: 7 }, 'outputSchema is a number; taken for absent', { inputSchema: {} }],
    [{ inputSchema: {}, description: { en: 'x' } }, 'description is an object; taken for absent', { inputSchema: {} }],
    [{ inputSchema: {}, annotations: 'x' }, 'annotations is a text; taken for absent', { inputSchema: {} }],
  ])('S7: %j is repaired, with a line naming tool and field', (members, line, repaired) => {
    const { items, problems } = sortOut(listKinds.tools, [{ name: 'odd', ...members }]);
    expect(items).toEqual([{ name: 'odd', ...repaired }]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('tool "odd"');
    expect(problems[0]).toContain(line);
  });

  it.each([
    { anyOf: [{ type: 'object' }] },
    { properties: { q: { type: 'string' } } },
    {},
    { type: ['object', 'null'] },
    { type: 'object', properties: { any: true, none: false }, additionalProperties: true },
  ])('S7: the unusual schema %j is kept as it is', (inputSchema) => {
    const item = { name: 'odd', inputSchema } as JsonObject;
    expect(sortOut(listKinds.tools, [item])).toEqual({ items: [item], problems: [] });
    expect(problemsOf(item)).toEqual([]);
  });

  it('S7: of equal names the first stays; __proto__ is a name', () => {
    const items = [{ ...tool('a'), description: 'first' }, tool('a'), tool('__proto__')];
    const sorted = sortOut(listKinds.tools, items);
    expect(sorted.items).toEqual([items[0], items[2]]);
    expect(sorted.problems).toEqual(['tool "a" is listed twice; the first stays']);
  });

  it('S7: problems are named up to a bound, then counted', () => {
    const { problems } = sortOut(
      listKinds.tools,
      Array.from({ length: limits.listProblems + 5 }, () => null),
    );
    expect(problems).toHaveLength(limits.listProblems + 1);
    expect(problems.at(-1)).toBe('5 more');
  });
});

describe('readCallReply', () => {
  it('S5: what a result has beside the members that are known stays, the oldest form of a result included', () => {
    const others = { toolResult: { n: 1 }, 'example.com/cost': 7, ['__proto__']: 'a member' };
    const result = parseJson(stringifyJson({ ...others, content: [], resultType: 'complete' })) as JsonObject;
    expect(stringifyJson(readCallReply(result))).toBe(stringifyJson({ ...others, content: [], isError: false }));
    expect(Object.getPrototypeOf(readCallReply(result))).toBe(Object.prototype);
  });

  it.each([
    [{}, []],
    [{ content: [1, { type: 'x' }] }, [1, { type: 'x' }]],
    [{ content: { type: 'text', text: 'a' } }, [{ type: 'text', text: 'a' }]],
    [{ content: 'a' }, [{ type: 'text', text: 'a' }]],
    [{ content: null }, []],
  ])('S5: the content of %j is a list', (result, content) => {
    expect(readCallReply(result as JsonObject)).toEqual({ content, isError: false });
  });

  it('S12: structured content may be any JSON value, null and false too', () => {
    for (const structuredContent of [null, false, 0, '', [1], { a: 1 }]) {
      expect(readCallReply({ content: [], structuredContent })).toEqual({
        content: [],
        isError: false,
        structuredContent,
      });
    }
  });

  it('S5: only true is an error', () => {
    for (const isError of [true, 'true']) expect(readCallReply({ isError }).isError).toBe(true);
    for (const isError of [false, 'false', 'yes', 1, null]) expect(readCallReply({ isError }).isError).toBe(false);
  });
});
