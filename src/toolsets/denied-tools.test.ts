/** Tools that an entry denies do not exist for a model, whichever toolset it has. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countingStdio, type TestHome, trestleHome } from '../../test/support/trestle-home.ts';
import { createAdapter } from './adapter/adapter.ts';
import { createBridge } from './bridge/bridge.ts';
import type { ToolOutput } from './tool-object.ts';

const server = 'counting';
const hidden = ['crash', 'forget', 'freeze'];

async function ruled(): Promise<TestHome & { readonly calls: () => readonly string[] }> {
  const counting = countingStdio();
  const home = trestleHome({ [server]: { ...counting.entry, tools: { deny: ['*rash', 'f*'], ask: ['hang'] } } });
  await home.runtime.sync({ server });
  return { ...home, calls: () => counting.ran().filter((line) => line.startsWith('call')) };
}

const textOf = ({ content }: ToolOutput): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

it('C7, K3: through the bridge a denied tool is in no list, search, descriptor or hint, and is not called', async () => {
  const { runtime, folder, calls } = await ruled();
  const tools = createBridge(runtime, { downloadRoot: folder });
  const use = async (name: string, args: object): Promise<ToolOutput> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no ${name}`);
    return tool.execute(args);
  };
  const shown = [
    await use('ListMcpResources', { server: 'registry' }),
    await use('CallMcpTool', {
      server: 'registry',
      toolName: 'search',
      arguments: { query: 'crash forget freeze count' },
    }),
    await use('CallMcpTool', { server, toolName: 'cras', arguments: {} }),
    await use('FetchMcpResource', { server: 'registry', uri: `registry://${server}/forge` }),
  ];
  expect(textOf(shown[1] ?? { content: [], isError: true, details: {} })).toContain('count');
  for (const output of shown) {
    const everything = JSON.stringify(output).replaceAll('crash forget freeze', '');
    for (const name of hidden) expect(everything).not.toContain(name);
  }
  expect(await use('FetchMcpResource', { server: 'registry', uri: `registry://${server}/crash` })).toMatchObject({
    isError: true,
    details: { failure: { code: 'unknown_resource' } },
  });
  expect(await use('CallMcpTool', { server, toolName: 'crash', arguments: {} })).toMatchObject({
    isError: true,
    details: { kind: 'denied', execution: 'not-sent' },
  });
  const asking = await use('CallMcpTool', { server, toolName: 'hang', arguments: {} });
  expect(asking).toMatchObject({ isError: true, details: { kind: 'denied', failure: { code: 'approval_needed' } } });
  expect(textOf(asking)).toContain('A person has to approve');
  expect(calls()).toEqual([]);
});

it('A1, K3: through the adapter it is not listed, and not called, either', async () => {
  const { runtime, folder, calls } = await ruled();
  const tools = createAdapter(runtime, { cwd: folder });
  const use = async (name: string, args: object): Promise<ToolOutput> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no ${name}`);
    return tool.execute({ configPath: join(folder, 'servers.json'), server, ...args });
  };
  const listed = await use('mcp_list', {});
  expect(textOf(listed)).toContain('environment');
  for (const name of hidden) expect(JSON.stringify(listed)).not.toContain(name);
  expect(await use('mcp_call', { tool: 'crash', arguments: {} })).toMatchObject({
    isError: true,
    details: { kind: 'denied' },
  });
  expect(calls()).toEqual([]);
  expect((await use('mcp_call', { tool: 'count', arguments: {} })).isError).toBe(false);
});
