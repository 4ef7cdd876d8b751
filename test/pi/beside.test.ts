/** Beside Pi's own support for MCP servers, and called by the scripts of its code mode. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { referenceServer, testServer } from '../support/cli.ts';
import { entryOf, piPlace, printPi, scriptedModel, sectionOf, syncServers } from '../support/pi.ts';
import { callTool, repeatResults } from '../support/scripted-model.ts';

it("N1: servers of Pi's own mcp.json work beside ours, each with its own section of the prompt", async () => {
  const model = await scriptedModel(
    { calls: [{ name: 'mcp__own__echo', arguments: { message: 'by Pi' } }] },
    callTool('counting', 'echo', { message: 'by the bridge' }),
    repeatResults,
  );
  const place = piPlace(model);
  const counting = (name: string): Readonly<Record<string, unknown>> =>
    entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, name)));
  place.write('mcp.json', {
    mcpServers: {
      own: { ...counting('own'), exposure: 'direct' },
      other: { ...counting('other'), exposure: 'deferred', description: 'It is of Pi.' },
    },
  });
  syncServers(place, { counting: counting('ours') });
  const run = await printPi(place, 'ask both');
  expect(run).toMatchObject({ code: 0, stdout: 'FINAL by Pi | by the bridge\n', stderr: '' });
  const [request] = model.requests;
  expect(request?.system).toMatch(/<mcp_servers>[^]*It is of Pi\.[^]*<\/mcp_servers>/);
  expect(sectionOf(request)).toContain('## counting');
  expect(sectionOf(request)).not.toContain('own');
});

it('N1: a script of the code mode gets the whole result of a call, structured content among it', async () => {
  const script = `const result = await tools.CallMcpTool({
    server: 'everything', toolName: 'get-structured-content', arguments: { location: 'Chicago' },
  });
  return Object.keys(result.structuredContent).sort().join();`;
  const model = await scriptedModel({ calls: [{ name: 'codemode', arguments: { code: script } }] }, repeatResults);
  const place = piPlace(model, { settings: { defaultTools: ['+codemode'] } });
  place.write('mcp-servers.json', { mcpServers: { everything: entryOf(referenceServer('everything')) } });
  const run = await printPi(place, 'run a script');
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('conditions,humidity,temperature') as string });
});
