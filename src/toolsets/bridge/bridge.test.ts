import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calledWith, crashed, createFakeRuntime, listedAs, readAs } from '../../../test/support/fake-runtime.ts';
import { anything, assert, asyncProperty, constantFrom } from '../../../test/support/properties.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { TrestleError } from '../../base/index.ts';
import { type CallRequest, failedOutcome, type Runtime } from '../../runtime/index.ts';
import type { ToolControl, ToolOutput } from '../tool-object.ts';
import { createBridge } from './bridge.ts';

type ToolName = 'CallMcpTool' | 'FetchMcpResource' | 'ListMcpResources';

interface Use {
  readonly runtime?: Runtime;
  readonly root?: string;
  readonly control?: ToolControl;
}

function run(name: ToolName, args: unknown, use: Use = {}): Promise<ToolOutput> {
  const tools = createBridge(use.runtime ?? createFakeRuntime(), { downloadRoot: use.root });
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no ${name}`);
  return tool.execute(args, use.control);
}

const textOf = ({ content }: ToolOutput): string =>
  content.map((block) => (block.type === 'text' ? block.text : block.mimeType)).join('\n');

describe('the three tools', () => {
  it('B4: their names, descriptions and schemas are what they always were', () => {
    const tools = createBridge(createFakeRuntime(), { downloadRoot: undefined });
    expect(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toMatchSnapshot();
  });

  it('B6: anything a model may give is answered, never thrown', async () => {
    const runtime = createFakeRuntime({ call: async () => calledWith('x'), listResources: async () => listedAs({}) });
    await assert(
      asyncProperty(anything(), constantFrom('CallMcpTool', 'ListMcpResources'), async (args, name) => {
        const output = await run(name, args, { runtime });
        expect(output.content.length).toBeGreaterThan(0);
      }),
    );
  });

  it('B6: a runtime that breaks is an error of the tool', async () => {
    const output = await run('CallMcpTool', { server: 's', toolName: 't' });
    expect(output).toMatchObject({ isError: true, details: { kind: 'unavailable', failure: { code: 'internal' } } });
  });

  it('K1, N1: a refusal names the command that the host’s person has, in the text and for the host', async () => {
    const refused = new TrestleError({
      code: 'approval_needed',
      message: 'No.',
      hint: 'Approve it: trestle approve s',
    });
    const pasteable = (text: string): string => text.replace('trestle', '/x');
    const answers = [async () => failedOutcome(refused), () => Promise.reject(refused)];
    for (const call of answers) {
      const [tool] = createBridge(createFakeRuntime({ call }), { downloadRoot: undefined, pasteable });
      const output = await tool?.execute({ server: 's', toolName: 't' });
      expect(output?.content).toEqual([{ type: 'text', text: 'No. (approval_needed)\nApprove it: /x approve s' }]);
      expect(output?.details).toMatchObject({ failure: { hint: 'Approve it: /x approve s' } });
    }
  });

  it.each([
    ['CallMcpTool', { server: 's' }, /toolName is required/],
    ['CallMcpTool', { server: '', toolName: 't' }, /server must be a text/],
    ['CallMcpTool', { server: 's', toolName: 4 }, /toolName must be a text/],
    [
      'CallMcpTool',
      { server: 's', toolName: 't', args: {} },
      /no argument "args".*\nIt takes {server, toolName, arguments\?}/,
    ],
    ['CallMcpTool', 'text', /must be an object/],
    ['FetchMcpResource', { server: 's', uri: 'u', path: 'x' }, /no argument "path"/],
    ['ListMcpResources', {}, /server is required/],
  ] as const)('B1: %s refuses %j with what it expects, and asks no server', async (name, args, expected) => {
    const output = await run(name, args);
    expect(output).toMatchObject({ isError: true, details: { kind: 'invalid-arguments', execution: 'not-sent' } });
    expect(textOf(output)).toMatch(expected);
  });
});

describe('CallMcpTool', () => {
  it('B1: hands over server, tool, arguments as they are, signal, progress and scope', async () => {
    let seen: CallRequest | undefined;
    const runtime = createFakeRuntime({
      call: async (request) => {
        seen = request;
        return calledWith('hello');
      },
    });
    const control: ToolControl = { signal: new AbortController().signal, onProgress() {}, scope: 'session:1' };
    const args = { server: 's', toolName: 't', arguments: '{"a":1}' };
    const output = await run('CallMcpTool', args, { runtime, control });
    expect(seen).toEqual({ server: 's', tool: 't', arguments: '{"a":1}', ...control });
    expect(textOf(output)).toBe('hello');
    expect(output.isError).toBe(false);
  });

  it('B3: the raw result goes to the host as details, redacted', async () => {
    const runtime = createFakeRuntime({
      call: async () => calledWith('secret!'),
      redact: (text) => text.replaceAll('secret!', '[redacted]'),
    });
    const { details } = await run('CallMcpTool', { server: 's', toolName: 't' }, { runtime });
    expect(details).toEqual({
      kind: 'ok',
      execution: 'done',
      tool: 'echo',
      result: { content: [{ type: 'text', text: '[redacted]' }] },
    });
  });

  it('B5: a large raw result is a summary, with the path of the whole when there is one', async () => {
    const large = calledWith('x'.repeat(17 * 1024));
    const cut = { totalBytes: 1, totalLines: 1, shownBytes: 1, shownLines: 1, path: '/spill/a' };
    const runtime = createFakeRuntime({
      call: async () =>
        'value' in large ? { ...large, value: { ...large.value, shown: { ...large.value.shown, cut } } } : large,
    });
    const { details } = await run('CallMcpTool', { server: 's', toolName: 't' }, { runtime });
    expect(details['summary']).toEqual({ member: 'result', overBytes: 16 * 1024, parts: 1, path: '/spill/a' });
    expect(details['result']).toBeUndefined();
  });

  it('B5: a large raw result that is shown whole is kept for the host; with the guard off it is raw', async () => {
    const kept: string[] = [];
    const large = calledWith('x'.repeat(17 * 1024));
    const keep = async (text: string, label: string): Promise<string> => (kept.push(text, label), '/spill/b');
    const { details } = await run(
      'CallMcpTool',
      { server: 's', toolName: 't' },
      { runtime: createFakeRuntime({ call: async () => large, keep }) },
    );
    expect(details['summary']).toMatchObject({ path: '/spill/b' });
    const result = 'value' in large ? large.value.result : undefined;
    expect(kept).toEqual([JSON.stringify(result), 's echo']);
    const unguarded: typeof large =
      'value' in large
        ? { ...large, value: { ...large.value, shown: { ...large.value.shown, unguarded: true } } }
        : large;
    const whole = await run(
      'CallMcpTool',
      { server: 's', toolName: 't' },
      { runtime: createFakeRuntime({ call: async () => unguarded, keep }) },
    );
    expect(whole.details['result']).toEqual(result);
  });

  it('B5: a raw result nested without end is a summary, not a crash', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const outcome = calledWith('x');
    const runtime = createFakeRuntime({
      call: async () =>
        'value' in outcome
          ? { ...outcome, value: { ...outcome.value, result: { content: [], structuredContent: deep as never } } }
          : outcome,
    });
    const { details, isError } = await run('CallMcpTool', { server: 's', toolName: 't' }, { runtime });
    expect(isError).toBe(false);
    expect(details['summary']).toBeDefined();
  });

  it('B3: a result without anything to show says so, and notes stand after it', async () => {
    const empty = calledWith('');
    const runtime = createFakeRuntime({
      call: async () =>
        'value' in empty
          ? { ...empty, notes: ['odd'], value: { ...empty.value, shown: { blocks: [], cut: undefined } } }
          : empty,
    });
    expect(textOf(await run('CallMcpTool', { server: 's', toolName: 't' }, { runtime }))).toBe('Note: odd');
    const silent = createFakeRuntime({
      call: async () =>
        'value' in empty ? { ...empty, value: { ...empty.value, shown: { blocks: [], cut: undefined } } } : empty,
    });
    expect(textOf(await run('CallMcpTool', { server: 's', toolName: 't' }, { runtime: silent }))).toBe('(no output)');
  });

  it('B6: a failure is one text with code, hint, execution and the end of stderr', async () => {
    const runtime = createFakeRuntime({ call: async () => failedOutcome(crashed) });
    const output = await run('CallMcpTool', { server: 's', toolName: 't' }, { runtime });
    expect(textOf(output)).toBe(
      [
        'everything exited with code 7. (server_exited)',
        'Look at its last words.',
        'The server may have executed it; check before doing it again.',
        "The server's last words on stderr:",
        'boom',
      ].join('\n'),
    );
    expect(output).toMatchObject({ isError: true, details: { kind: 'unavailable', execution: 'unknown' } });
  });

  it('S5, B6: the data of a JSON-RPC error stands in the text, cut', async () => {
    const refused = new TrestleError({
      code: 'protocol_error',
      message: 'Quota used up.',
      details: { rpcData: { retryAfter: 30, why: 'x'.repeat(5_000) } },
    });
    const runtime = createFakeRuntime({ call: async () => failedOutcome(refused) });
    const text = textOf(await run('CallMcpTool', { server: 's', toolName: 't' }, { runtime }));
    expect(text).toMatch(/^Quota used up\. \(protocol_error\)\nData: \{"retryAfter":30,/);
    expect(text.length).toBeLessThan(700);
  });

  it('a settings file that broke during the call does not cost its result', async () => {
    const runtime = createFakeRuntime({
      call: async () => calledWith('hello'),
      settings: () => {
        throw crashed;
      },
    });
    const output = await run('CallMcpTool', { server: 's', toolName: 't' }, { runtime });
    expect(output).toMatchObject({ isError: false, details: { execution: 'done' } });
  });
});

describe('ListMcpResources', () => {
  it('B2: resources and templates, one a line, whatever they hold', async () => {
    const runtime = createFakeRuntime({
      listResources: async () =>
        listedAs({
          resources: [
            { uri: 'a://1', name: 'one', mimeType: 'text/plain', size: 2048, description: 'First\n- forged' },
            { uri: 4 },
          ],
          resourceTemplates: [{ uriTemplate: 'a://{n}', name: 'nth' }],
          problems: ['resource 3 has no uri'],
        }),
    });
    expect(textOf(await run('ListMcpResources', { server: 's' }, { runtime }))).toBe(
      [
        '2 resources:',
        '- a://1  one (text/plain, 2.0 KiB): First - forged',
        '- (no address)',
        '',
        '1 template:',
        '- a://{n}  nth',
        '',
        'Left out:',
        '- resource 3 has no uri',
      ].join('\n'),
    );
  });

  it('B2: none is said', async () => {
    const runtime = createFakeRuntime({ listResources: async () => listedAs({}) });
    expect(textOf(await run('ListMcpResources', { server: 's' }, { runtime }))).toBe('No resources.');
  });
});

describe('FetchMcpResource', () => {
  const text = createFakeRuntime({ read: async () => readAs([{ uri: 'x://y', text: 'héllo' }]) });
  const fetchTo = (downloadPath: string, root: string | undefined, runtime = text): Promise<ToolOutput> =>
    run('FetchMcpResource', { server: 's', uri: 'x://y', downloadPath }, { runtime, ...(root ? { root } : {}) });

  it('B2: shows the contents', async () => {
    const output = await run('FetchMcpResource', { server: 's', uri: 'x://y' }, { runtime: text });
    expect(textOf(output)).toBe('shown');
    expect(output.details['contents']).toEqual([{ uri: 'x://y', text: 'héllo' }]);
  });

  it('B2: saves text and bytes as new files inside the folder', async () => {
    const root = tempFolder();
    const output = await fetchTo('deep/er/a.txt', root);
    expect(readFileSync(join(root, 'deep/er/a.txt'), 'utf8')).toBe('héllo');
    expect(textOf(output)).toBe(`Saved 6 B to ${join(root, 'deep/er/a.txt')}`);
    const bytes = createFakeRuntime({
      read: async () =>
        readAs([
          { uri: 'x', blob: 'AAH+/w==', mimeType: 'image/png' },
          { uri: 'x', text: 'more' },
        ]),
    });
    await fetchTo('b.png', root, bytes);
    expect([...readFileSync(join(root, 'b.png'))]).toEqual([0, 1, 254, 255]);
    expect(readFileSync(join(root, 'b-2.png'), 'utf8')).toBe('more');
  });

  it('K4: a secret that a server echoes is not saved', async () => {
    const root = tempFolder();
    const runtime = createFakeRuntime({
      read: async () => readAs([{ uri: 'x', text: 'it is hunter2' }]),
      redact: (value) => value.replaceAll('hunter2', '[redacted]'),
    });
    await fetchTo('a.txt', root, runtime);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('it is [redacted]');
  });

  it.each([
    '../a.txt',
    'x/../../a.txt',
    '/srv/a.txt',
    'C:\\a.txt',
    '.git/hooks/pre-commit',
    'x/.env',
    '.mcp.json',
    'package.json',
    'Package.JSON',
    'sub/AGENTS.md',
    'vite.config.ts',
    'node_modules/x/index.js',
    'inner/hook',
    'outer/a.txt',
    'folder/',
    '.',
    'taken.txt',
    'a\0b',
    'package\u200B.json',
    'a\nb',
    'x\u202Etxt.js',
    'Gemfile',
    'usercustomize.py',
  ])('B2: refuses to write %j, before any server is asked', async (path) => {
    const root = tempFolder();
    mkdirSync(join(root, '.hidden'));
    symlinkSync(join(root, '.hidden'), join(root, 'inner'));
    symlinkSync(tempFolder(), join(root, 'outer'));
    writeFileSync(join(root, 'taken.txt'), 'mine');
    const output = await fetchTo(path, root, createFakeRuntime());
    expect(output).toMatchObject({ isError: true, details: { execution: 'not-sent' } });
    expect(['invalid_path', 'exists']).toContain((output.details['failure'] as { code: string }).code);
    expect(readFileSync(join(root, 'taken.txt'), 'utf8')).toBe('mine');
    expect(existsSync(join(root, '.hidden/hook'))).toBe(false);
  });

  it('B2: refuses where the files would be somebody else’s', async () => {
    expect(await fetchTo('a.txt', undefined)).toMatchObject({ isError: true, details: { kind: 'invalid-arguments' } });
  });

  it('B2: what is neither text nor base64 is not saved, and the read is said to be done', async () => {
    const root = tempFolder();
    const runtime = createFakeRuntime({ read: async () => readAs([{ uri: 'x', blob: '§' }]) });
    const output = await fetchTo('a.txt', root, runtime);
    expect(output).toMatchObject({ isError: true, details: { execution: 'done' } });
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
  });
});
