import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type Counting, countingStdio, trestleHome } from '../../../test/support/trestle-home.ts';
import type { ToolOutput } from '../tool-object.ts';
import { createBridge } from './bridge.ts';

interface Live {
  readonly counting: Counting;
  readonly root: string;
  readonly use: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<ToolOutput>;
}

/** The three tools over a real runtime and a real server. */
function live(): Live {
  const counting = countingStdio();
  const root = tempFolder();
  const tools = createBridge(trestleHome({ counting: counting.entry }).runtime, { downloadRoot: root });
  return {
    counting,
    root,
    use: async (name, args) => {
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(`no ${name}`);
      return tool.execute({ server: 'counting', ...args });
    },
  };
}

describe('the three tools over a real server', () => {
  it('B1: calls a tool; a bad name or bad arguments never reach it', async () => {
    const { use, counting } = live();
    const hello = await use('CallMcpTool', { toolName: 'echo', arguments: { message: 'hello' } });
    expect(hello).toMatchObject({ isError: false, content: [{ type: 'text', text: 'hello' }] });
    const slip = await use('CallMcpTool', { toolName: 'ecko', arguments: { message: 'hello' } });
    expect(slip).toMatchObject({ isError: true, details: { failure: { code: 'unknown_tool' } } });
    const bare = await use('CallMcpTool', { toolName: 'echo' });
    expect(bare.content[0]).toMatchObject({
      text: expect.stringMatching(/message is required[^]*\{"message":/) as string,
    });
    expect(counting.ran().filter((line) => line.startsWith('call'))).toEqual(['call echo']);
  });

  it('B2: lists resources and templates, reads one, and saves bytes as bytes', async () => {
    const { use, root } = live();
    const list = await use('ListMcpResources', {});
    expect(list.content[0]).toMatchObject({
      text: '1 resource:\n- count://text  text (text/plain)\n\n1 template:\n- count://{n}  nth',
    });
    expect((await use('FetchMcpResource', { uri: 'count://text' })).content[0]).toMatchObject({
      text: expect.stringContaining('one text') as string,
    });
    const saved = await use('FetchMcpResource', { uri: 'count://bytes', downloadPath: 'out/a.png' });
    expect(saved).toMatchObject({ isError: false, details: { saved: [{ bytes: 4, mimeType: 'image/png' }] } });
    expect([...readFileSync(join(root, 'out/a.png'))]).toEqual([0, 1, 254, 255]);
    const again = await use('FetchMcpResource', { uri: 'count://bytes', downloadPath: 'out/a.png' });
    expect(again).toMatchObject({ isError: true, details: { kind: 'invalid-arguments' } });
  });

  it('B5: a large result is cut for the model, and details say where the whole is', async () => {
    const { use } = live();
    const output = await use('CallMcpTool', { toolName: 'large', arguments: { bytes: 200_000 } });
    const shownBytes = output.content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
    expect(shownBytes).toBeLessThan(60_000);
    const { path } = output.details['summary'] as { readonly path: string };
    expect(readFileSync(path, 'utf8')).toContain('x'.repeat(200_000));
    expect(JSON.stringify(output.content)).toContain(JSON.stringify(path).slice(1, -1));
  });
});
