/** Files of a person who comes from pi-mcp-bridge: they work as they are, and what that person wrote into them stays. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testServer } from '../support/cli.ts';
import { piPlace, printPi, scriptedModel, sectionOf } from '../support/pi.ts';
import { callTool, repeatResults } from '../support/scripted-model.ts';

it('N1, N3: servers, settings and registry of pi-mcp-bridge work as they are; what its owner wrote stays', async () => {
  const model = await scriptedModel(callTool('counting', 'echo', { message: 'hello' }), repeatResults, { text: 'ok' });
  const place = piPlace(model);
  const [command = '', ...args] = testServer('counting.mjs', 'stdio', join(place.userHome, 'ran'));
  const servers = `{
  // mine
  "mcp": {
    "counting": {
      "type": "local",
      "command": ${JSON.stringify([command, ...args])},
      "environment": { "LEVEL": "warn" },
      "enabled": true,
      "timeout": 60000,
      "description": "My own words for it"
    },
    "off": { "type": "remote", "url": "https://example.com/mcp", "enabled": false }
  }
}
`;
  const settings = {
    idleTimeout: 10,
    requestTimeoutMs: 0,
    outputGuard: true,
    contextBudgetTokens: 4000,
    schemaInjectionToolLimit: 10,
    uiViewer: 'auto',
    requireConsent: false,
  };
  place.write('mcp-servers.json', servers);
  place.write('mcp-bridge.json', settings);
  const folder = join(place.agentFolder, 'mcp-registry/counting');
  mkdirSync(join(folder, 'tools'), { recursive: true });
  const meta = {
    name: 'counting',
    description: 'My own words for it',
    instructions: 'My own advice.',
    transport: { kind: 'stdio', command, args, env: { LEVEL: 'warn' } },
    auth: { kind: 'none' },
    lifecycle: { mode: 'lazy', idleTimeoutMinutes: 5, requestTimeoutMs: 0 },
    capabilities: { tools: true, resources: true, prompts: false, sampling: false, elicitation: false },
    exposeResources: true,
    excludeTools: [],
    ui: { viewer: 'auto' },
    syncedAt: '2026-07-01T00:00:00.000Z',
    syncedFrom: 'live-server',
  };
  const tool = {
    name: 'echo',
    description: 'Says it again.',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    ui: { resourceUri: null, streamMode: null },
  };
  const index = {
    version: 1,
    generatedAt: '2026-07-01T00:00:00.000Z',
    registryRoot: join(place.agentFolder, 'mcp-registry'),
    servers: [
      {
        name: 'counting',
        description: 'My own words for it',
        transportKind: 'stdio',
        toolCount: 1,
        tools: [{ name: 'echo', description: 'Says it again.' }],
        resources: [],
      },
    ],
  };
  const file = (path: string, value: unknown): void => writeFileSync(path, JSON.stringify(value, undefined, 2));
  file(join(folder, 'meta.json'), meta);
  file(join(folder, 'tools/echo.json'), tool);
  file(join(place.agentFolder, 'mcp-registry/index.json'), index);

  expect(await printPi(place, 'say hello')).toMatchObject({ code: 0, stdout: 'FINAL hello\n', stderr: '' });
  expect(sectionOf(model.requests[0])).toMatch(/## counting\nMy own words for it\n[^]*- echo/);
  expect(await printPi(place, '/mcp-bridge sync counting')).toMatchObject({ code: 0, stdout: '' });
  await printPi(place, 'hello again');
  expect(sectionOf(model.requests.at(-1))).toMatch(/## counting\nMy own words for it\n[^]*- hang/);
  expect(readFileSync(join(place.agentFolder, 'mcp-servers.json'), 'utf8')).toBe(servers);
  expect(JSON.parse(readFileSync(join(place.agentFolder, 'mcp-bridge.json'), 'utf8'))).toEqual(settings);
  expect(JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'))).toMatchObject({
    instructions: 'My own advice.',
    exposeResources: true,
  });
});
