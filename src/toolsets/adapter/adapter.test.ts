import { describe, expect, it } from 'vitest';
import { calledWith, crashed, createFakeRuntime } from '../../../test/support/fake-runtime.ts';
import { anything, assert, asyncProperty, constantFrom, dictionary } from '../../../test/support/properties.ts';
import { type JsonValue, TrestleError } from '../../base/index.ts';
import type { ShownBlock } from '../../policy/index.ts';
import { adHocDefinition, type Definition } from '../../config/index.ts';
import {
  type CallRequest,
  type CallValue,
  failedOutcome,
  type Outcome,
  type PostRequest,
  type Runtime,
  type ToolList,
} from '../../runtime/index.ts';
import type { ToolControl, ToolOutput } from '../tool-object.ts';
import { createAdapter } from './adapter.ts';

type Name = 'mcp_list' | 'mcp_call' | 'mcp_request';
type Answers = NonNullable<Parameters<typeof createFakeRuntime>[0]>;

const url = 'https://mcp.example.org/mcp';

const web: Definition = {
  ...adHocDefinition({ url }),
  name: 'web',
  registryName: 'web',
  source: { file: '/home/servers.json', shape: 'mcpServers', scope: 'user' },
};

/** A runtime whose user has one server, `web`. */
function runtimeWith(answers: Answers = {}): Runtime {
  return createFakeRuntime({
    config: () => ({ servers: new Map([['web', web]]), waiting: new Map(), broken: new Map(), notices: [] }),
    ...answers,
  });
}

interface Use {
  readonly answers?: Answers;
  readonly control?: ToolControl;
}

function use(name: Name, args: unknown, { answers, control }: Use = {}): Promise<ToolOutput> {
  const tool = createAdapter(runtimeWith(answers), { cwd: '/project' }).find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no ${name}`);
  return tool.execute(args, control);
}

const textsOf = ({ content }: ToolOutput): readonly string[] =>
  content.map((block) => (block.type === 'text' ? block.text : block.mimeType));

/** An outcome of a call that shows these blocks. */
function showing(blocks: readonly ShownBlock[], kind: 'ok' | 'tool-error' = 'ok'): Outcome<CallValue> {
  const value = { tool: 'echo', result: { content: [...blocks] }, shown: { blocks, cut: undefined } };
  return { kind, value, execution: 'done', notes: [] };
}

const callTool = (outcome: Outcome<CallValue>): Promise<ToolOutput> =>
  use('mcp_call', { url, tool: 'echo' }, { answers: { call: async () => outcome } });

describe('the three tools', () => {
  it('B4: their names, descriptions and schemas are what they always were', () => {
    const tools = createAdapter(runtimeWith(), { cwd: '/project' });
    expect(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toMatchSnapshot();
  });

  it('B6: anything a model may give is answered, never thrown', async () => {
    const names = constantFrom('configPath', 'server', 'url', 'action', 'tool', 'arguments', 'method', 'params', 'id');
    const tools = constantFrom<Name>('mcp_list', 'mcp_call', 'mcp_request');
    await assert(
      asyncProperty(dictionary(names, anything()), anything(), tools, async (members, other, name) => {
        for (const args of [members, { ...members, url }, other]) {
          const output = await use(name, args);
          expect(output.content.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('B6: a runtime that breaks is an error of the tool', async () => {
    const output = await use('mcp_call', { url, tool: 'echo' });
    expect(output).toMatchObject({ isError: true, details: { kind: 'unavailable', failure: { code: 'internal' } } });
  });
});

describe('mcp_list', () => {
  const listing: ToolList = {
    info: {
      server: 'web',
      era: 'legacy',
      protocolVersion: '2025-06-18',
      link: 'streamable',
      pid: undefined,
      serverInfo: { name: 'Web', version: '2', title: 'T' },
      capabilities: { tools: {} },
      instructions: undefined,
    },
    tools: [
      { name: 'echo', description: 'Says it.', inputSchema: { type: 'object' }, annotations: {} },
      { name: 'bare' },
    ],
    problems: ['tool 3 has no name'],
  };
  const listed = (value: ToolList): Answers => ({
    listTools: async () => ({ kind: 'ok', value, execution: 'done', notes: [] }),
  });

  it('A2: says who the server is and gives names, descriptions and input schemas, one tool a line', async () => {
    const output = await use('mcp_list', { url }, { answers: listed(listing) });
    const [text = ''] = textsOf(output);
    expect(text.split('\n')).toHaveLength(6);
    expect(JSON.parse(text)).toEqual({
      server: 'web',
      serverInfo: { name: 'Web', version: '2' },
      protocolVersion: '2025-06-18',
      tools: [
        { name: 'echo', description: 'Says it.', inputSchema: { type: 'object' } },
        { name: 'bare', inputSchema: {} },
      ],
      problems: ['tool 3 has no name'],
    });
    expect(output.details).toMatchObject({ kind: 'ok', execution: 'done', list: { server: 'web' } });
  });

  it('A5: a server that does not say who it is has its configured name', async () => {
    const anonymous = { ...listing, info: { ...listing.info, serverInfo: undefined } };
    const [text = ''] = textsOf(await use('mcp_list', { url }, { answers: listed(anonymous) }));
    expect(JSON.parse(text)).toMatchObject({ serverInfo: { name: 'web' } });
  });

  it('A2: close ends the sessions of that server in the scope, and says so also when nothing was open', async () => {
    const closed: unknown[] = [];
    const answers: Answers = { disconnect: async (...what) => void closed.push(what) };
    const control: ToolControl = { scope: 'session:1' };
    const output = await use('mcp_list', { url, action: 'close' }, { answers, control });
    expect(JSON.parse(textsOf(output).join(''))).toEqual({ server: 'web', closed: true });
    expect(closed).toEqual([['web', 'session:1']]);
    const foreign = await use('mcp_list', { url: 'https://other.example/x', action: 'close' }, { answers });
    expect(JSON.parse(textsOf(foreign).join(''))).toEqual({ server: 'other.example', closed: true });
    expect(closed).toHaveLength(2);
  });
});

describe('mcp_call', () => {
  it('A3: is checked by the live list; hands over arguments, limit, signal, progress, steps and scope', async () => {
    let seen: CallRequest | undefined;
    const control: ToolControl = {
      signal: new AbortController().signal,
      onProgress() {},
      onStep() {},
      scope: 'session:1',
    };
    const call: Answers['call'] = async (request) => {
      seen = request;
      return calledWith('hello');
    };
    const args = { url, tool: 'echo', arguments: { a: 1 }, timeoutSeconds: 300 };
    expect(textsOf(await use('mcp_call', args, { answers: { call }, control }))).toEqual(['hello']);
    const asked = { server: 'web', tool: 'echo', arguments: { a: 1 }, checkedBy: 'live', present: 'json' };
    expect(seen).toEqual({ ...asked, timeoutMs: 300_000, ...control });
  });

  it.each([['{"a":1}'], [[1]], [5], ['text'], [true]])(
    'A3: arguments %j are refused before anything is asked',
    async (given) => {
      const output = await use('mcp_call', { url, tool: 'echo', arguments: given });
      expect(output).toMatchObject({ isError: true, details: { kind: 'invalid-arguments', execution: 'not-sent' } });
      expect(textsOf(output).join()).toMatch(/arguments must be an object/);
    },
  );

  it.each([[''], ['x'.repeat(201)], [7]])('A3: the name %j is none', async (tool) => {
    expect(await use('mcp_call', { url, tool })).toMatchObject({ details: { kind: 'invalid-arguments' } });
    expect((await use('mcp_call', { url, tool: 'x'.repeat(200) })).details['kind']).toBe('unavailable');
  });

  it('A3: a result with isError is an error with the text of the tool', async () => {
    const failed = await callTool(showing([{ type: 'text', text: 'no such file' }], 'tool-error'));
    expect(failed).toMatchObject({ isError: true, details: { kind: 'tool-error', execution: 'done' } });
    expect(textsOf(failed)).toEqual(['MCP tool execution failed: no such file']);
    const picture = await callTool(showing([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], 'tool-error'));
    expect(textsOf(picture)).toEqual(['MCP tool execution failed.', 'image/png']);
  });

  it('A3: a JSON-RPC error begins with its code, and its data is there', async () => {
    const refused = new TrestleError({
      code: 'protocol_error',
      message: 'Server "web" answered tools/call with error -32602: Unknown tool',
      execution: 'unknown',
      details: { rpcCode: -32_602, rpcMessage: 'Unknown tool', rpcData: { a: 1 } },
    });
    const output = await callTool(failedOutcome(refused));
    expect(output).toMatchObject({ isError: true, details: { kind: 'protocol-error', execution: 'unknown' } });
    expect(textsOf(output).join()).toMatch(/^MCP JSON-RPC error -32602: Unknown tool .*\nData: \{"a":1\}/);
  });

  it('S9: a time limit names the argument that raises it', async () => {
    const late = new TrestleError({
      code: 'timed_out',
      message: 'web: call echo timed out after 60 s.',
      hint: 'Raise the limit with --timeout SECONDS',
      details: { limit: 'idle', limitMs: 60_000 },
    });
    expect(textsOf(await callTool(failedOutcome(late))).join()).toMatch(/timeoutSeconds, up to 300/);
  });

  it('B6: any other failure has code, hint, execution and the end of stderr', async () => {
    const output = await callTool(failedOutcome(crashed));
    expect(textsOf(output).join()).toMatch(/code 7\. \(server_exited\)\n.*\n.*may have executed it.*\n.*stderr:\nboom/);
  });

  it('B5: the raw result is in the details, redacted; a large one is a summary with its path', async () => {
    const cut = { totalBytes: 1, totalLines: 1, shownBytes: 1, shownLines: 1, path: '/spill/a' };
    const answers = (text: string): Answers => ({
      call: async () => {
        const outcome = calledWith(text);
        return 'value' in outcome ? { ...outcome, value: { ...outcome.value, shown: { blocks: [], cut } } } : outcome;
      },
      redact: (shown) => shown.replaceAll('secret', '[redacted]'),
    });
    const small = await use('mcp_call', { url, tool: 'echo' }, { answers: answers('a secret') });
    expect(small.details).toMatchObject({
      server: 'web',
      tool: 'echo',
      result: { content: [{ text: 'a [redacted]' }] },
    });
    const large = await use('mcp_call', { url, tool: 'echo' }, { answers: answers('x'.repeat(17 * 1024)) });
    expect(large.details).toMatchObject({ summary: { member: 'result', path: '/spill/a' } });
  });
});

describe('mcp_request', () => {
  const answered = (
    value: {
      readonly response: Readonly<Record<string, JsonValue>>;
      readonly execution: 'done' | 'rejected' | 'unknown';
    },
    note: (request: PostRequest) => void = () => {},
  ): Answers => ({
    post: async (request) => {
      note(request);
      return { kind: 'ok', value, execution: 'done', notes: [] };
    },
  });

  it('A4: the response object is the text', async () => {
    let seen: PostRequest | undefined;
    const response = { jsonrpc: '2.0', id: 'a', result: { tools: [] } };
    const answers = answered({ response, execution: 'done' }, (request) => (seen = request));
    const args = { url, method: 'tools/list', params: { cursor: 'x' }, id: 'a', timeoutSeconds: 1 };
    const output = await use('mcp_request', args, { answers });
    expect(JSON.parse(textsOf(output).join(''))).toEqual(response);
    expect(output).toMatchObject({ isError: false, details: { execution: 'done', response } });
    expect(seen).toEqual({ server: 'web', method: 'tools/list', params: { cursor: 'x' }, id: 'a', timeoutMs: 1_000 });
  });

  it('A4: an error response is a response, and its execution is told as it is', async () => {
    const response = { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'no' } };
    const output = await use(
      'mcp_request',
      { url, method: 'x' },
      { answers: answered({ response, execution: 'rejected' }) },
    );
    expect(output).toMatchObject({ isError: false, details: { execution: 'rejected' } });
    expect(JSON.parse(textsOf(output).join(''))).toEqual(response);
  });

  it('B6: a response that cannot be shown was one nevertheless', async () => {
    const answers: Answers = {
      ...answered({ response: {}, execution: 'done' }),
      present: async () => {
        throw crashed;
      },
    };
    const output = await use('mcp_request', { url, method: 'x' }, { answers });
    expect(output).toMatchObject({ isError: true, details: { execution: 'done' } });
  });

  it.each([
    [undefined, {}],
    [null, {}],
    ['{"a":1}', { a: 1 }],
    [[1], [1]],
  ])('A4: params %j are sent as %j, with the id 1', async (params, sent) => {
    let seen: PostRequest | undefined;
    const answers = answered({ response: {}, execution: 'done' }, (request) => (seen = request));
    await use('mcp_request', { url, method: 'x', params }, { answers });
    expect(seen).toMatchObject({ params: sent, id: 1 });
  });

  it.each([
    ['params', 'text'],
    ['params', 5],
    ['id', 1.5],
    ['id', true],
    ['id', {}],
    ['id', 2 ** 60],
    ['method', ''],
    ['method', 'x'.repeat(201)],
  ])('A4: %s %j is refused before anything is sent', async (member, given) => {
    const output = await use('mcp_request', { url, method: 'x', [member]: given });
    expect(output).toMatchObject({ isError: true, details: { kind: 'invalid-arguments', execution: 'not-sent' } });
    expect(textsOf(output).join()).toMatch(new RegExp(`${member} must be`));
  });
});
