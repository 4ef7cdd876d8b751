import { expect, it } from 'vitest';
import type { Bridge } from './bridge.ts';
import type { Pi, PiCommand, PiContext, PiTool, ToolResultEvent } from './pi.ts';
import { register } from './register.ts';

type Handler = (event: unknown, context: PiContext) => unknown;

interface FakePi extends Pi {
  readonly tools: ReadonlyMap<string, PiTool>;
  readonly commands: ReadonlyMap<string, PiCommand>;
  readonly handlers: ReadonlyMap<string, Handler>;
}

function fakePi(): FakePi {
  const tools = new Map<string, PiTool>();
  const commands = new Map<string, PiCommand>();
  const handlers = new Map<string, Handler>();
  return {
    tools,
    commands,
    handlers,
    registerTool: (tool) => void tools.set(tool.name, tool),
    registerCommand: (name, command) => void commands.set(name, command),
    on: (event: string, handler: Handler) => void handlers.set(event, handler),
    sendMessage() {},
    getActiveTools: () => [...tools.keys()],
  } as FakePi;
}

const context = { cwd: '/', hasUI: false } as unknown as PiContext;

function registered(): { readonly pi: FakePi; readonly log: readonly string[] } {
  const log: string[] = [];
  const bridge: Bridge = {
    open: () => void log.push('open'),
    close: async () => void log.push('close'),
    heard: () => void log.push('heard'),
    execute: async (name) => {
      log.push(`execute ${name}`);
      return { content: [], details: null };
    },
    block: async () => ({ text: 'block', changes: [] }),
    command: async (line) => void log.push(`command ${line}`),
    complete: async () => null,
  };
  const pi = fakePi();
  const load = (): never => {
    log.push('load');
    return { createPiBridge: () => bridge } as never;
  };
  register(pi, { load, program: '/cli.js' });
  return { pi, log };
}

it('N2: the factory loads and starts nothing; a session that ends before it began neither', async () => {
  const { pi, log } = registered();
  await pi.handlers.get('session_shutdown')?.({}, context);
  expect(log).toEqual([]);
});

it('N2: a session is opened and closed with that of Pi', async () => {
  const { pi, log } = registered();
  await pi.handlers.get('session_start')?.({}, context);
  await pi.handlers.get('session_shutdown')?.({}, context);
  expect(log).toEqual(['load', 'open', 'close']);
});

it('N1: what a person says is heard, what an extension sends in their stead is not, and both go on to Pi', async () => {
  const { pi, log } = registered();
  await pi.handlers.get('session_start')?.({}, context);
  for (const source of ['interactive', 'rpc', 'extension']) {
    expect(await pi.handlers.get('input')?.({ source }, context)).toBeUndefined();
  }
  expect(log).toEqual(['load', 'open', 'heard', 'heard']);
});

it('N1: three tools with plain schemas, a command, and what they do is the bridge’s', async () => {
  const { pi, log } = registered();
  expect([...pi.tools.keys()]).toEqual(['CallMcpTool', 'FetchMcpResource', 'ListMcpResources']);
  expect([...pi.tools.values()].map(({ annotations }) => annotations)).toEqual([
    { readOnlyHint: false, openWorldHint: true },
    { readOnlyHint: true, openWorldHint: true },
    { readOnlyHint: true, openWorldHint: true },
  ]);
  await pi.tools.get('CallMcpTool')?.execute('1', {}, undefined, undefined, context);
  await pi.commands.get('mcp-bridge')?.handler('status', context);
  expect(log).toEqual(['load', 'execute CallMcpTool', 'command status']);
});

it('N1: the section follows in every kind of turn', async () => {
  const { pi } = registered();
  for (const messageType of ['user', 'custom', undefined]) {
    const sections: Record<string, string> = {};
    const event = { messageType, systemPrompt: '', systemPromptOptions: { sections } };
    await pi.handlers.get('before_agent_start')?.(event, context);
    expect(sections).toEqual({ mcp_bridge: 'block' });
  }
});

it.each([
  [{ toolName: 'CallMcpTool', details: { kind: 'tool-error' }, isError: false }, { isError: true }],
  [{ toolName: 'ListMcpResources', details: { kind: 'unavailable' }, isError: false }, { isError: true }],
  [{ toolName: 'CallMcpTool', details: { kind: 'ok' }, isError: false }, undefined],
  [{ toolName: 'CallMcpTool', details: { kind: 'unavailable' }, isError: true }, undefined],
  [{ toolName: 'CallMcpTool', isError: false }, undefined],
  [{ toolName: 'read', details: { kind: 'tool-error' }, isError: false }, undefined],
] satisfies readonly (readonly [ToolResultEvent, unknown])[])(
  'N1: a failure of %j is one for an older Pi too, and its details stay',
  (event, expected) => {
    const { pi, log } = registered();
    expect(pi.handlers.get('tool_result')?.(event, context)).toEqual(expected);
    expect(log).toEqual([]);
  },
);
