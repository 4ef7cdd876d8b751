import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { someCatalogue, someTool } from '../../../test/support/catalogue.ts';
import { anything, assert, asyncProperty, string } from '../../../test/support/properties.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { trestleHome } from '../../../test/support/trestle-home.ts';
import type { ToolDescriptor } from '../../registry/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { ToolOutput } from '../tool-object.ts';
import { createBridge } from './bridge.ts';

const tools = [
  someTool('readFile', 'Reads a file.\nAnd \u001B[31mmore\u202E.'),
  someTool('a/b c?', 'Odd.'),
  someTool('list', 'Lists files.'),
];

interface Used {
  readonly root: string;
  readonly folder: string;
  readonly runtime: Runtime;
  readonly use: (tool: string, args?: Readonly<Record<string, unknown>>) => Promise<ToolOutput>;
  readonly call: (args: unknown, tool?: string) => Promise<ToolOutput>;
  readonly fetch: (uri: string, downloadPath?: string) => Promise<ToolOutput>;
}

/** The three tools over a server that cannot be started, one that is disabled, and one that is in the registry only. */
async function used(listed: readonly ToolDescriptor[] = tools): Promise<Used> {
  const { runtime, folder } = trestleHome({ files: { command: 'none' }, off: { command: 'none', enabled: false } });
  await runtime.registry.apply(someCatalogue('files', { tools: listed }), { nowMs: 1 });
  for (const name of ['off', 'stray']) {
    await runtime.registry.apply(someCatalogue(name, { tools: [someTool('readFile')] }), { nowMs: 1 });
  }
  const root = tempFolder();
  const bridge = createBridge(runtime, { downloadRoot: root });
  const use: Used['use'] = async (name, args = {}) => {
    const tool = bridge.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no ${name}`);
    return tool.execute({ server: 'registry', ...args });
  };
  return {
    root,
    folder,
    runtime,
    use,
    call: (args, tool = 'search') => use('CallMcpTool', { toolName: tool, arguments: args }),
    fetch: (uri, downloadPath) =>
      use('FetchMcpResource', { uri, ...(downloadPath === undefined ? {} : { downloadPath }) }),
  };
}

const textOf = ({ content }: ToolOutput): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

describe('the virtual server registry', () => {
  it('C7: lists the descriptors of what can be called, one a line and clean, and how to search', async () => {
    const { use } = await used();
    const output = await use('ListMcpResources');
    expect(output).toMatchObject({ isError: false, details: { kind: 'ok', resources: 3 } });
    expect(textOf(output)).toBe(
      [
        'Search instead of reading on: registry://search?q=WORDS',
        '',
        '3 resources:',
        '- registry://files/a%2Fb%20c%3F  a/b c?: Odd.',
        '- registry://files/list  list: Lists files.',
        '- registry://files/readFile  readFile: Reads a file. And more.',
        '',
        '2 templates:',
        '- registry://search{?q,server,limit,cursor}  search: Finds tools by what they do, best first.',
        '- registry://{server}/{tool}  descriptor: The whole descriptor of one tool.',
      ].join('\n'),
    );
  });

  it('C7: every URI it names gives the descriptor, whatever the tool is called', async () => {
    const { fetch } = await used();
    for (const { name, inputSchema } of tools) {
      const output = await fetch(`registry://files/${encodeURIComponent(name)}`);
      expect(output.isError).toBe(false);
      expect(JSON.parse(textOf(output))).toMatchObject({ name, inputSchema });
    }
    expect(JSON.parse(textOf(await fetch('registry://files/a%2Fb c%3F')))).toMatchObject({ name: 'a/b c?' });
  });

  it('C2, C7: the requests that the block names to a model without files are answered', async () => {
    const { runtime, folder, fetch } = await used();
    writeFileSync(join(folder, 'settings.json'), '{"schemaInjectionToolLimit": 0}');
    const { text } = await runtime.context({ readsFiles: false });
    const [read = '', search = ''] = text.match(/registry:[^"]+/g) ?? [];
    const descriptor = await fetch(read.replace('<server>', 'files').replace('<tool>', 'readFile'));
    expect(textOf(descriptor)).toContain('"inputSchema"');
    const found = await fetch(search.replace('<words>', 'read files'));
    expect(textOf(found)).toContain('readFile');
  });

  it('C7: a search as tool, as JSON text and as URI finds the same, with the next page', async () => {
    const { call, fetch } = await used();
    const wanted = [
      '3 tools, best first. Read the descriptor under the URI before a call.',
      '- registry://files/readFile  readFile of files: Reads a file. And more.',
      'Next: registry://search?q=reading%20files&server=files&limit=1&cursor=1',
    ].join('\n');
    const args = { query: 'reading files', server: 'files', limit: 1 };
    const output = await call(args);
    expect(textOf(output)).toBe(wanted);
    expect(output.details).toMatchObject({ kind: 'ok', result: { total: 3, hits: [{ tool: 'readFile' }] } });
    expect(textOf(await call(JSON.stringify(args)))).toBe(wanted);
    expect(textOf(await fetch('registry://search?q=reading%20files&server=files&limit=1'))).toBe(wanted);
    expect(textOf(await fetch('registry://search?q=reading+files&server=files&limit=1&cursor=1'))).toContain(
      'registry://files/list',
    );
    expect(textOf(await call({ query: 'zebra' }))).toMatch(/^No tool matches/);
  });

  it('C7: a descriptor of a name that is nearly right is found by the hint', async () => {
    const { fetch } = await used();
    const output = await fetch('registry://files/read_file');
    expect(output).toMatchObject({ isError: true, details: { failure: { code: 'unknown_resource' } } });
    expect(textOf(output)).toContain('Did you mean registry://files/readFile? Find tools with');
    expect(textOf(await fetch('registry://files/zebra'))).not.toContain('Did you mean');
  });

  it('C7: what is disabled or in the registry only never appears, not even when it is named', async () => {
    const { call, use, fetch } = await used();
    const texts = [textOf(await use('ListMcpResources')), textOf(await call({ query: 'read file' }))];
    for (const server of ['off', 'stray']) {
      for (const text of texts) expect(text).not.toContain(`//${server}/`);
      expect(await fetch(`registry://${server}/readFile`)).toMatchObject({
        isError: true,
        details: { kind: 'not-found', failure: { code: 'unknown_resource' } },
      });
    }
    expect(await call({ query: 'read', server: 'off' })).toMatchObject({ details: { failure: { code: 'disabled' } } });
  });

  it.each([
    [{}, /query is required/],
    [{ query: '' }, /query must be a text/],
    [{ query: ' ' }, /query is empty/],
    [{ query: 4 }, /query must be a text/],
    [{ query: 'x', limit: 0 }, /limit must be a whole number from 1 to 100/],
    [{ query: 'x', limit: '5' }, /limit must be a whole number/],
    [{ query: 'x', cursor: 'no' }, /cursor/],
    [{ query: 'x', q: 'y' }, /no argument "q"/],
    [['query'], /must be a JSON object/],
    ['query', /must be a JSON object/],
  ])('C7: the arguments %j are refused', async (args, message) => {
    const { call } = await used();
    const output = await call(args);
    expect(output).toMatchObject({ isError: true, details: { kind: 'invalid-arguments', execution: 'not-sent' } });
    expect(textOf(output)).toMatch(message);
  });

  it.each([
    'registry://search',
    'registry://search?q=',
    'registry://search?q=x&limit=many',
    'registry://search?q=x&limit=1000',
    'registry://search?q=x&page=2',
    'registry://files',
    'registry://files/nothing',
    'registry://files/%',
    'registry://files/list?q=x',
    'registry://../list',
    'registry://files/..%2F..%2Fmeta',
    'registry://registry/search',
    'file:///etc/passwd',
    'list',
  ])('C7: the URI %s is refused with what to do', async (uri) => {
    const { fetch } = await used();
    const output = await fetch(uri);
    expect(output).toMatchObject({ isError: true, details: { execution: 'not-sent' } });
    expect(textOf(output)).toMatch(/registry:\/\/search\?q=|It takes \{query/);
  });

  it('C7: another tool is unknown, and says which there is', async () => {
    const { call } = await used();
    const output = await call({}, 'serch');
    expect(output).toMatchObject({ details: { failure: { code: 'unknown_tool' } } });
    expect(textOf(output)).toMatch(/Did you mean search\?/);
  });

  it('C7: anything a model may give is answered', async () => {
    const { call, fetch } = await used();
    await assert(
      asyncProperty(anything(), string({ unit: 'binary' }), async (args, text) => {
        for (const output of [await call(args), await call({ query: text }), await fetch(`registry://${text}`)]) {
          expect(output.content.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('C7: a corrupt descriptor is told, alone, and hides no other', async () => {
    const { folder, use, call, fetch } = await used();
    writeFileSync(join(folder, 'registry/files/tools/list.json'), '{"name":');
    writeFileSync(join(folder, 'registry/index.json'), '');
    expect(textOf(await use('ListMcpResources'))).toMatch(/2 resources:[^]*Left out:[^]*list\.json/);
    expect(textOf(await call({ query: 'file' }))).toMatch(/readFile of files[^]*Left out: .*list\.json/);
    const output = await fetch('registry://files/list');
    expect(output).toMatchObject({ isError: true, details: { failure: { code: 'registry_unreadable' } } });
    expect(textOf(output)).toContain('trestle sync files');
  });

  it('B2, C7: a descriptor is saved as the whole file, and a search is not', async () => {
    const { root, fetch } = await used();
    expect(await fetch('registry://files/list', 'list.json.txt')).toMatchObject({ isError: false });
    expect(JSON.parse(readFileSync(join(root, 'list.json.txt'), 'utf8'))).toMatchObject({ name: 'list' });
    expect(await fetch('registry://search?q=x', 'found.txt')).toMatchObject({ isError: true });
    expect(await fetch('registry://files/list', '../x')).toMatchObject({ isError: true });
  });

  it('B5, C7: a long list and a large descriptor are cut, and say where the whole is', async () => {
    const large = { ...someTool('large'), description: 'x'.repeat(200_000) };
    const many = Array.from({ length: 800 }, (_, index) => someTool(`tool${index}`));
    const { use, fetch } = await used([large, ...many]);
    const list = await use('ListMcpResources');
    expect(textOf(list).length).toBeLessThan(60_000);
    expect(textOf(list)).toMatch(/^Search instead of reading on/);
    const { path } = (await fetch('registry://files/large')).details['summary'] as { readonly path: string };
    expect(readFileSync(path, 'utf8')).toContain('x'.repeat(200_000));
  });
});
