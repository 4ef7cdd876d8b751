/** The text about servers in Pi's prompt: the same bytes while nothing changed, and the new text in the turn after a change. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { referenceServer, testServer } from '../support/cli.ts';
import { entryOf, piPlace, scriptedModel, sectionOf, syncServers } from '../support/pi.ts';
import { extensionPath, type PiPlace } from '../support/pi-place.ts';
import { openPiSession } from '../support/pi-rpc.ts';
import type { ScriptedModel } from '../support/scripted-model.ts';

const counting = (place: PiPlace): unknown => entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran')));

const lastSection = (model: ScriptedModel): string | undefined => sectionOf(model.requests.at(-1));

it('N1: the system prompt is the same to the byte in every request while nothing changed', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  syncServers(place, { counting: counting(place) });
  const session = openPiSession(place);
  for (const prompt of ['one', 'two', 'three']) await session.prompt(prompt);
  expect(lastSection(model)).toContain('## counting');
  expect(new Set(model.requests.map(({ system }) => system)).size).toBe(1);
});

it('N1: after sync, add and remove the next turn has the new text', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  syncServers(place, { counting: counting(place) });
  const session = openPiSession(place);
  const turn = async (): Promise<string> => {
    await session.prompt('hello');
    return lastSection(model) ?? '';
  };
  const before = await turn();
  const words = [...referenceServer('memory')].map((word) => `'${word}'`).join(' ');
  await session.prompt(`/mcp-bridge add 'memory' -- ${words}`);
  const added = await turn();
  expect(added).toMatch(/## memory\n[^]*- read_graph/);
  expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toMatch(
    /Not from the user,[^"]*\(new server: memory\)/,
  );
  await session.prompt('/mcp-bridge remove memory');
  expect(await turn()).toBe(before);
  // The server has another description from now on.
  place.write('mcp-servers.json', {
    mcpServers: { counting: { ...(counting(place) as object), description: 'counts anew' } },
  });
  await session.prompt('/mcp-bridge sync counting');
  expect(await turn()).toContain('counts anew');
});

it('N1: a run that a message of an extension starts keeps the text', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  syncServers(place, { counting: counting(place) });
  const tells = join(place.userHome, 'tells.js');
  writeFileSync(
    tells,
    `export default (pi) => pi.registerCommand('tell', { handler: () =>
      pi.sendMessage({ customType: 'told', content: 'go on', display: true }, { triggerTurn: true }) });`,
  );
  const session = openPiSession(place, { args: ['--no-session', '-e', extensionPath, '-e', tells] });
  await session.prompt('hello');
  const from = session.records.length;
  await session.prompt('/tell');
  await session.waitFor(({ type }) => type === 'agent_settled', from);
  expect(model.requests).toHaveLength(2);
  expect(new Set(model.requests.map(({ system }) => system)).size).toBe(1);
  expect(lastSection(model)).toContain('## counting');
});
