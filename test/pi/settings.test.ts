/** Settings of mcp-bridge.json and variables of the environment, each by what it changes in a run of the real Pi. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { referenceServer, stopDaemon, testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import {
  entryOf,
  piPlace,
  printPi,
  processesOf,
  scriptedModel,
  sectionOf,
  serversOf,
  syncServers,
  trestle,
} from '../support/pi.ts';
import type { PiPlace } from '../support/pi-place.ts';
import { openPiSession } from '../support/pi-rpc.ts';
import { callTool, type Turn } from '../support/scripted-model.ts';

const ranFile = (place: PiPlace): string => join(place.userHome, 'ran');

/** What the counting server executed; the first line of each of its processes is `initialize`. */
const ran = (place: PiPlace): readonly string[] =>
  existsSync(ranFile(place)) ? readFileSync(ranFile(place), 'utf8').split('\n').slice(0, -1) : [];

function configure(place: PiPlace, more: Readonly<Record<string, unknown>> = {}): void {
  const counting = { ...entryOf(testServer('counting.mjs', 'stdio', ranFile(place))), ...more };
  place.write('mcp-servers.json', { mcpServers: { counting } });
}

const done: Turn = { text: 'done' };
const large = callTool('counting', 'large', { bytes: 200_000 });

it('N3: contextBudgetTokens, requestTimeoutMs and outputGuard are those of mcp-bridge.json; uiViewer is taken quietly', async () => {
  const model = await scriptedModel(large, callTool('counting', 'hang'), done);
  const place = piPlace(model);
  configure(place);
  trestle(place, 'sync');
  place.write('mcp-bridge.json', {
    contextBudgetTokens: 0,
    requestTimeoutMs: 700,
    outputGuard: { maxBytes: 1_000, maxLines: 10, detailsMaxBytes: 500 },
    uiViewer: 'glimpse',
  });
  expect(await printPi(place, 'use both')).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  expect(model.requests[0]?.system).not.toContain('mcp_bridge');
  const [cut, late] = model.requests.at(-1)?.results ?? [];
  expect(cut?.text.length).toBeLessThan(2_000);
  expect(late?.text).toMatch(/time/);
});

it('N3: schemaInjectionToolLimit says up to how many tools their schemas stand in the prompt', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  syncServers(place, { memory: entryOf(referenceServer('memory')) });
  await printPi(place, 'hello');
  place.write('mcp-bridge.json', { schemaInjectionToolLimit: 0 });
  await printPi(place, 'hello');
  const [withSchemas, without] = model.requests.map((request) => sectionOf(request) ?? '');
  expect(withSchemas).toContain('"entities"');
  expect(without).toContain('- create_entities');
  expect(without).not.toContain('"entities"');
});

it('N3: requireConsent asks for an approval before the first use, which print mode can only name', async () => {
  const model = await scriptedModel(callTool('counting', 'count'), done, callTool('counting', 'count'), done);
  const place = piPlace(model);
  configure(place);
  place.write('mcp-bridge.json', { requireConsent: true });
  expect(await printPi(place, 'count')).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  expect(model.requests[1]?.results[0]?.text).toMatch(/\/mcp-bridge approve counting/);
  expect(ran(place)).not.toContain('call count');
  trestle(place, 'approve', 'counting', '--yes');
  await printPi(place, 'count');
  expect(model.requests.at(-1)?.results[0]?.text).toBe('counted');
});

it('N3: MCP_OUTPUT_GUARD=0 lets a result through whole, and PI_MCP_BRIDGE_REGISTRY says where the registry is', async () => {
  const model = await scriptedModel(large, done);
  const place = piPlace(model);
  configure(place);
  const registry = join(place.userHome, 'elsewhere');
  const env = { MCP_OUTPUT_GUARD: '0', PI_MCP_BRIDGE_REGISTRY: registry };
  trestle({ ...place, env: { ...place.env, ...env } }, 'sync');
  expect(await printPi(place, 'give all', { env })).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  expect(sectionOf(model.requests[0])).toContain(`folder: ${registry}`);
  expect(model.requests.at(-1)?.results[0]?.text).toBe('x'.repeat(200_000));
  expect(existsSync(join(place.agentFolder, 'mcp-registry'))).toBe(false);
});

it('N3: without a setting a large result is cut for the model, and the whole is in a file that it names', async () => {
  const model = await scriptedModel(large, done);
  const place = piPlace(model);
  configure(place);
  await printPi(place, 'give all');
  const text = model.requests.at(-1)?.results[0]?.text ?? '';
  expect(text.length).toBeLessThan(60_000);
  const [, path = ''] = /(\/\S+\/spill\/\S+\.txt)/.exec(text) ?? [];
  expect(readFileSync(path, 'utf8')).toContain('x'.repeat(200_000));
});

it('N3: idleTimeout closes a server that nobody uses, while the session goes on and starts it anew', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  configure(place);
  trestle(place, 'sync');
  // In minutes.
  place.write('mcp-bridge.json', { idleTimeout: 0.005 });
  const session = openPiSession(place);
  for (const prompt of ['count', 'count again']) {
    model.say(callTool('counting', 'count'), done);
    await session.prompt(prompt);
    expect(model.requests.at(-1)?.results.at(-1)?.text).toBe('counted');
    await eventually(() => serversOf(place, 'counting.mjs').length === 0, 'the end of the server');
  }
});

it('N3, R6: with shareServers a new server is read by the daemon, also when Pi has ended meanwhile', async () => {
  const model = await scriptedModel(async () => {
    // Long enough for the daemon to be asked, and not for the server to have answered.
    await eventually(() => serversOf(place, 'counting.mjs').length > 0, 'the start of the server');
    return done;
  });
  const place = piPlace(model);
  onTestFinished(() => stopDaemon(place.trestleHome));
  configure(place);
  place.write('mcp-bridge.json', { shareServers: true });
  expect(await printPi(place, 'hello')).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  const meta = join(place.agentFolder, 'mcp-registry/counting/meta.json');
  await eventually(() => existsSync(meta), 'what the daemon has read');
});

it('N3: with TRESTLE_NO_DAEMON=1 no daemon is started, whatever shareServers says', async () => {
  const model = await scriptedModel(callTool('counting', 'count'), done);
  const place = piPlace(model);
  configure(place);
  place.write('mcp-bridge.json', { shareServers: true });
  const run = await printPi(place, 'count', { env: { TRESTLE_NO_DAEMON: '1' } });
  expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(model.requests[1]?.results[0]?.text).toBe('counted');
  expect(existsSync(join(place.trestleHome, 'run', 'daemon.json'))).toBe(false);
  await eventually(() => processesOf(place).length === 0, 'the end of every process');
});

it('N3: with shareServers two Pis use one process of a server, which outlives both', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  onTestFinished(() => stopDaemon(place.trestleHome));
  configure(place);
  trestle(place, 'sync');
  place.write('mcp-bridge.json', { shareServers: true });
  const sessions = [openPiSession(place), openPiSession(place)];
  const used: (readonly number[])[] = [];
  for (const session of sessions) {
    model.say(callTool('counting', 'count'), done);
    await session.prompt('count');
    expect(model.requests.at(-1)?.results[0]?.text).toBe('counted');
    used.push(serversOf(place, 'counting.mjs'));
  }
  expect(used[0]).toHaveLength(1);
  expect(used[1]).toEqual(used[0]);
  for (const session of sessions) expect(await session.close()).toBe(0);
  expect(serversOf(place, 'counting.mjs')).toEqual(used[0]);
  stopDaemon(place.trestleHome);
  await eventually(() => processesOf(place).length === 0, 'the end of the daemon and its servers');
});
