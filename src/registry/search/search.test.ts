import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { someCatalogue, someTool } from '../../../test/support/catalogue.ts';
import { assert, asyncProperty, string } from '../../../test/support/properties.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openRegistry, type Registry, type SearchRequest, type ToolDescriptor } from '../index.ts';

interface Searched {
  readonly root: string;
  readonly registry: Registry;
  /** `server/tool` of each hit. */
  readonly find: (query: string, rest?: Omit<SearchRequest, 'query'>) => Promise<readonly string[]>;
}

async function searched(servers: Readonly<Record<string, readonly ToolDescriptor[]>>): Promise<Searched> {
  const root = join(tempFolder(), 'registry');
  const registry = openRegistry(root);
  for (const [name, tools] of Object.entries(servers))
    await registry.apply(someCatalogue(name, { tools }), { nowMs: 1 });
  return { root, registry, find: (query, rest) => found(registry, query, rest) };
}

async function found(registry: Registry, query: string, rest = {}): Promise<readonly string[]> {
  const { value } = await registry.search({ query, ...rest });
  return value.hits.map(({ server, tool }) => `${server}/${tool}`);
}

const withParameters = (name: string, properties: Readonly<Record<string, object>>): ToolDescriptor => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties } as ToolDescriptor['inputSchema'],
});

describe('ranking', () => {
  it('C7: finds by name, title, description, server, parameter and what is said of one', async () => {
    const { find } = await searched({
      weather: [
        someTool('getHourlyForecast', 'Weather of the coming hours.'),
        { ...someTool('b'), title: 'Barometer' },
        withParameters('c', { latitude: { type: 'number' } }),
        withParameters('d', { place: { type: 'object', properties: { zip: { description: 'Postal code.' } } } }),
      ],
      lunch: [someTool('order', 'Orders a meal.')],
    });
    expect(await find('forecasts')).toEqual(['weather/getHourlyForecast']);
    expect(await find('barometer')).toEqual(['weather/b']);
    expect(await find('coming')).toEqual(['weather/getHourlyForecast']);
    expect(await find('lunch')).toEqual(['lunch/order']);
    expect(await find('latitude')).toEqual(['weather/c']);
    expect(await find('postal')).toEqual(['weather/d']);
    expect(await find('zip')).toEqual(['weather/d']);
  });

  it('C7: the name counts more than the description, and its beginning more than its end', async () => {
    const { find } = await searched({
      one: [
        someTool('a_tool', 'Does much. Also can archive.'),
        someTool('b_tool', 'Archive what is there. It does much.'),
        someTool('archive', 'Does much. Does more.'),
      ],
    });
    expect(await find('archive')).toEqual(['one/archive', 'one/b_tool', 'one/a_tool']);
  });

  it('C7: a tool that has all words comes before one that has a rare one often', async () => {
    const { find } = await searched({
      one: [someTool('x', 'zebra zebra zebra zebra'), someTool('y', 'Paints a zebra on a wall.')],
    });
    expect(await find('paint zebra')).toEqual(['one/y', 'one/x']);
  });

  it('C7: equal tools stand by name, then server, however often and from wherever they are asked for', async () => {
    const tools = ['c', 'a', 'b'].map((name) => someTool(name, 'Reads.'));
    const { registry, root } = await searched({ two: tools, one: tools });
    const wanted = ['one/a', 'two/a', 'one/b', 'two/b', 'one/c', 'two/c'];
    expect(await found(registry, 'reads')).toEqual(wanted);
    expect(await found(openRegistry(root), 'reads')).toEqual(wanted);
  });

  it('C7: a word that no tool has finds what it begins and what it is mistyped of, exact ones first', async () => {
    const { find } = await searched({ one: [someTool('take_screenshot', ''), someTool('calculate', '')] });
    expect(await find('screensh')).toEqual(['one/take_screenshot']);
    expect(await find('caculate')).toEqual(['one/calculate']);
    expect(await find('clacualte')).toEqual(['one/calculate']);
    expect(await find('qalculate')).toEqual([]);
    expect(await find('cal')).toEqual([]);
  });

  it('C7: a word finds what is called by another word for the same thing, after what has the word itself', async () => {
    const { find } = await searched({
      one: [someTool('execute', 'Does it.'), someTool('run', 'Does it.'), someTool('pictures', 'Has them.')],
    });
    expect(await find('run')).toEqual(['one/run', 'one/execute']);
    expect(await find('launching')).toEqual(['one/execute', 'one/run']);
    expect(await find('photo')).toEqual(['one/pictures']);
  });

  it('C7: a word that few tools have finds what it begins too, and one that many have does not', async () => {
    const named = someTool('wikipedia', 'Does it.');
    const few = await searched({ one: [named, someTool('pages', 'Reads a wiki.')] });
    expect((await few.find('wiki')).toSorted()).toEqual(['one/pages', 'one/wikipedia']);
    const pages = Array.from({ length: 21 }, (_, index) => someTool(`pages${index}`, 'Reads a wiki.'));
    const many = await searched({ one: [named, ...pages] });
    expect(await many.find('wiki', { limit: 100 })).toHaveLength(21);
  });

  it.each([',', ' or', ' and', ';', '、'])(
    'C7: where a query lists things with %j, a tool that is one of them comes before one with words of several',
    async (between) => {
      const { find } = await searched({
        one: [
          someTool('mixed', 'Harvests a river.'),
          someTool('single', 'Harvests the corn.'),
          someTool('third', 'Crosses a bridge.'),
        ],
      });
      expect((await find(`harvest corn${between} cross river`)).slice(0, 2)).toEqual(['one/single', 'one/mixed']);
      expect((await find('harvest corn cross river')).slice(0, 2)).toEqual(['one/mixed', 'one/single']);
    },
  );

  it('C7: a part of a query that no tool knows hides nothing', async () => {
    const { find } = await searched({ one: [someTool('read', 'Reads.')] });
    expect(await find('qqqqqq, read, read or zzzzzz, read')).toEqual(['one/read']);
  });

  it('C7: Chinese is found by a part of a sentence and by one character', async () => {
    const { find } = await searched({ one: [someTool('search', '中文必应搜索工具'), someTool('list', '列出文件')] });
    expect(await find('搜索')).toEqual(['one/search']);
    expect(await find('列')).toEqual(['one/list']);
  });
});

describe('pages and filters', () => {
  const tools = Array.from({ length: 25 }, (_, index) => someTool(`tool${String(index).padStart(2, '0')}`, 'Reads.'));

  it('C7: pages follow each other without gap or repeat, and the last has no next', async () => {
    const { registry } = await searched({ one: tools });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { value } = await registry.search({ query: 'reads', limit: 10, cursor });
      expect(value.total).toBe(25);
      seen.push(...value.hits.map(({ tool }) => tool));
      cursor = value.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(tools.map(({ name }) => name));
  });

  it('C7: of the servers that are not wanted nothing is found or counted', async () => {
    const { registry, find } = await searched({ one: tools, two: tools });
    expect((await registry.search({ query: 'reads', servers: ['two'] })).value.total).toBe(25);
    expect(await find('reads', { servers: [] })).toEqual([]);
    expect(await find('one', { servers: ['two'] })).toEqual([]);
  });

  it.each([
    [{ query: '' }],
    [{ query: ' \n ' }],
    [{ query: 'x', limit: 0 }],
    [{ query: 'x', limit: 101 }],
    [{ query: 'x', limit: 1.5 }],
    [{ query: 'x', cursor: '-1' }],
    [{ query: 'x', cursor: 'abc' }],
  ])('C7: %j is refused', async (request) => {
    const { registry } = await searched({ one: [] });
    await expect(registry.search(request)).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it('C7: a cursor behind the end gives an empty page', async () => {
    const { registry } = await searched({ one: tools });
    expect((await registry.search({ query: 'reads', cursor: '9000' })).value).toEqual({ hits: [], total: 25 });
  });
});

describe('bad input', () => {
  it('C7: stop words, emoji, patterns, right-to-left text and 10 KB of anything have an answer', async () => {
    const { find } = await searched({ one: [someTool('read_file', 'Reads. קובץ'), someTool('__proto__', 'Odd.')] });
    expect(await find('what is the')).toEqual([]);
    expect(await find('🔍')).toEqual([]);
    expect(await find('.*+?^${}()|[]\\')).toEqual([]);
    expect(await find('(read|file)*')).toEqual(['one/read_file']);
    expect(await find('קובץ')).toEqual(['one/read_file']);
    expect(await find('proto')).toEqual(['one/__proto__']);
    expect(await find(`read ${'lorem ipsum dolor '.repeat(600)}`)).toEqual(['one/read_file']);
    expect(await find('constructor')).toEqual([]);
    await assert(
      asyncProperty(string({ unit: 'binary', minLength: 1 }), async (text) => {
        await find(`read ${text}`);
      }),
      { numRuns: 50 },
    );
  });

  it('C7: a schema that is none, or has no end, hides no tool', async () => {
    let deep: object = { type: 'object' };
    for (let level = 0; level < 200; level += 1) deep = { properties: { deeper: deep } };
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, { description: 7 }]));
    const odd = (inputSchema: unknown): ToolDescriptor => ({ ...someTool('read', ''), inputSchema }) as ToolDescriptor;
    for (const schema of [deep, { properties: many }, { properties: [1] }, { properties: null, items: [{}] }]) {
      const { find } = await searched({ one: [odd(schema)] });
      expect(await find('read')).toEqual(['one/read']);
    }
  });

  it('C7: a corrupt descriptor is told and hides none of the good ones beside it', async () => {
    const { registry, root } = await searched({ one: [someTool('good', 'Reads.'), someTool('bad', 'Reads.')] });
    writeFileSync(join(root, 'one/tools/bad.json'), '{"name": "bad", "desc');
    registry.server('one');
    const { value, findings } = await openRegistry(root).search({ query: 'reads' });
    expect(value.hits.map(({ tool }) => tool)).toEqual(['good']);
    expect(findings).toMatchObject([{ server: 'one', severity: 'error' }]);
    expect((await openRegistry(root).search({ query: 'reads', servers: ['two'] })).findings).toEqual([]);
  });
});

describe('the stored index', () => {
  const stored = (root: string): string => join(root, '.search.json');

  it('C7: a second process reads it, and no descriptor', async () => {
    const { root, find } = await searched({ one: [someTool('read', 'Reads.')], two: [someTool('write', 'Writes.')] });
    await find('reads');
    const text = readFileSync(stored(root), 'utf8').replace('"name":"read"', '"name":"kept"');
    writeFileSync(stored(root), text);
    expect(await found(openRegistry(root), 'reads')).toEqual(['one/kept']);
  });

  it('C7: only the server that changed is made anew, and one that is gone leaves', async () => {
    const { root, registry, find } = await searched({ one: [someTool('a', 'Reads.')], two: [someTool('b', 'Reads.')] });
    await find('reads');
    const lineOf = (server: string): string | undefined =>
      readFileSync(stored(root), 'utf8')
        .split('\n')
        .find((line) => line.includes(`"server":"${server}"`));
    const two = lineOf('two');
    await registry.apply(someCatalogue('one', { tools: [someTool('c', 'Reads.')] }), { nowMs: 2 });
    expect(await find('reads')).toEqual(['two/b', 'one/c']);
    expect(lineOf('two')).toBe(two);
    await registry.remove('two');
    await registry.apply(someCatalogue('one', { tools: [someTool('d', 'Reads.')] }), { nowMs: 3 });
    expect(await find('reads')).toEqual(['one/d']);
    expect(lineOf('two')).toBeUndefined();
  });

  it('C7: an edit in place is found once the index knows of it', async () => {
    const { root, registry, find } = await searched({ one: [someTool('a', 'Reads.')] });
    await find('reads');
    const file = join(root, 'one/tools/a.json');
    writeFileSync(file, JSON.stringify(someTool('a', 'Paints.')));
    utimesSync(file, 5, 5);
    registry.server('one');
    expect(await find('paints')).toEqual(['one/a']);
  });

  it.each(['', 'x', '{}', '{"trestle":"0.0.1","segments":1}\n{"server":"one"}'])(
    'C7: a file of other contents (%j) is made anew',
    async (text) => {
      const { root } = await searched({ one: [someTool('a', 'Reads.')] });
      writeFileSync(stored(root), text);
      expect(await found(openRegistry(root), 'reads')).toEqual(['one/a']);
      expect(statSync(stored(root)).size).toBeGreaterThan(text.length);
    },
  );

  it('C7: a line that somebody damaged is made anew, in whatever member', async () => {
    const { root, find } = await searched({ one: [someTool('a', 'Reads.')] });
    await find('reads');
    const whole = readFileSync(stored(root), 'utf8');
    for (const member of ['tools', 'words', 'starts', 'postings', 'lengths']) {
      for (const value of ['7', '"AAAA"', '[]', 'null']) {
        writeFileSync(
          stored(root),
          whole.replace(new RegExp(`"${member}":("[^"]*"|\\[[^\\]]*\\])`), `"${member}":${value}`),
        );
        expect(await found(openRegistry(root), 'reads')).toEqual(['one/a']);
      }
    }
  });
});
