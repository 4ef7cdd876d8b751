import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { testServer } from '../../../test/support/cli.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createPiBridge } from './host.ts';
import type { Pi, PiContext } from './pi.ts';

vi.mock('./tool-result.ts', async (original) => ({
  ...(await original<object>()),
  toPiResult: () => {
    throw new Error('there is no room for it');
  },
}));

it('N1: what fails behind a call tells what became of the call', async () => {
  const root = tempFolder();
  const [agent = '', cwd = ''] = ['agent', 'project'].map((name) => join(root, name));
  for (const folder of [agent, cwd]) mkdirSync(folder);
  const [command, ...args] = testServer('counting.mjs', 'stdio', join(root, 'ran'));
  writeFileSync(join(agent, 'mcp-servers.json'), JSON.stringify({ mcpServers: { counting: { command, args } } }));
  const env = { PI_CODING_AGENT_DIR: agent, TRESTLE_HOME: join(root, 'trestle'), HOME: root };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const bridge = createPiBridge({ getActiveTools: () => [] } as unknown as Pi, { program: '' });
  onTestFinished(async () => {
    await bridge.close();
    vi.unstubAllEnvs();
  });
  const context = { cwd, hasUI: false, sessionManager: { getSessionId: () => 'one' } } as unknown as PiContext;
  const executionOf = async (server: string): Promise<unknown> => {
    const params = { server, toolName: 'count' };
    const { content, details } = await bridge.execute('CallMcpTool', '1', params, undefined, undefined, context);
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('there is no room for it') as string }]);
    return (details as { readonly execution?: unknown }).execution;
  };
  expect(await executionOf('counting')).toBe('done');
  expect(await executionOf('nobody')).toBe('not-sent');
});
