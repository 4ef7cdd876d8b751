/** A session over RPC with real servers: what comes of calls, and that an abort ends them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { referenceServer, testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { entryOf, type PiRecord, piPlace, processesOf, scriptedModel } from '../support/pi.ts';
import type { PiPlace } from '../support/pi-place.ts';
import { openPiSession, type PiSession } from '../support/pi-rpc.ts';
import { callTool, type Scripted, type ScriptedModel, type Turn } from '../support/scripted-model.ts';

interface Live {
  readonly model: ScriptedModel;
  readonly place: PiPlace;
  readonly session: PiSession;
  /** What the counting server executed. */
  readonly ran: () => readonly string[];
}

/** A session with two servers, `everything` and `counting`. */
async function live(...script: readonly Scripted[]): Promise<Live> {
  const model = await scriptedModel(...script);
  const place = piPlace(model);
  const file = join(place.userHome, 'ran');
  const servers = {
    everything: entryOf(referenceServer('everything')),
    counting: entryOf(testServer('counting.mjs', 'stdio', file)),
  };
  place.write('mcp-servers.json', { mcpServers: servers });
  const ran = (): readonly string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  return { model, place, session: openPiSession(place), ran };
}

const use = (name: string, args: Readonly<Record<string, unknown>>): Turn => ({ calls: [{ name, arguments: args }] });
const done: Turn = { text: 'done' };

const endOf = (records: readonly PiRecord[]): PiRecord | undefined =>
  records.find(({ type }) => type === 'tool_execution_end');

it('N1: results of every kind reach the model of a session: text, image, resource, list, failure', async () => {
  const { model, session } = await live(
    callTool('everything', 'get-tiny-image'),
    done,
    use('FetchMcpResource', { server: 'everything', uri: 'demo://resource/static/document/features.md' }),
    done,
    use('ListMcpResources', { server: 'counting' }),
    done,
    callTool('counting', 'fail'),
    done,
    callTool('counting', 'ecko', { message: 'hello' }),
    done,
  );
  const last = (): string => model.requests.at(-1)?.results.at(-1)?.text ?? '';
  const image = endOf(await session.prompt('the image'));
  expect(image?.['result']).toMatchObject({
    content: expect.arrayContaining([expect.objectContaining({ type: 'image', mimeType: 'image/png' })]) as unknown,
  });
  expect(model.requests.at(-1)?.images).toBe(1);
  expect(endOf(await session.prompt('the resource'))).toMatchObject({ isError: false });
  expect(last()).toContain('# Everything Server');
  expect(endOf(await session.prompt('the list'))).toMatchObject({ isError: false });
  expect(last()).toContain('count://text');
  expect(endOf(await session.prompt('the failure'))).toMatchObject({
    isError: true,
    result: { details: { kind: 'tool-error', execution: 'done' } },
  });
  expect(last()).toContain('it failed');
  expect(endOf(await session.prompt('the slip'))).toMatchObject({
    isError: true,
    result: { details: { execution: 'not-sent', failure: { code: 'unknown_tool' } } },
  });
  expect(await session.close()).toBe(0);
});

it('N2: progress of a call comes as updates of the tool, in their order, before its result', async () => {
  const { session } = await live(
    callTool('everything', 'trigger-long-running-operation', { duration: 1, steps: 4 }),
    done,
  );
  const records = await session.prompt('take long');
  const updates = records.filter(({ type }) => type === 'tool_execution_update');
  const texts = updates.map(({ partialResult }) => JSON.stringify(partialResult));
  expect(texts.filter((text) => /[1-4]\D{1,5}4/.test(text)).length).toBeGreaterThan(0);
  expect(records.indexOf(updates.at(-1) ?? { type: '' })).toBeLessThan(
    records.findIndex((one) => one === endOf(records)),
  );
  expect(endOf(records)).toMatchObject({ isError: false });
});

it('N2: an abort in the middle of a call ends it here and at the server, and the session goes on', async () => {
  const { model, place, session, ran } = await live(
    callTool('counting', 'hang'),
    callTool('counting', 'echo', { message: 'after' }),
    done,
  );
  const from = session.records.length;
  await session.ask({ type: 'prompt', message: 'hang' });
  await eventually(() => ran().includes('call hang'), 'the call');
  expect(await session.ask({ type: 'abort' })).toMatchObject({ success: true });
  await session.waitFor(({ type }) => type === 'agent_settled', from);
  const end = endOf(session.records.slice(from));
  expect(end).toMatchObject({ isError: true });
  await eventually(() => ran().includes('cancelled'), 'the notice at the server');
  await session.prompt('go on');
  expect(model.requests.at(-1)?.results.at(-1)?.text).toBe('after');
  expect(ran().filter((line) => line.startsWith('call'))).toEqual(['call hang', 'call echo']);
  expect(await session.close()).toBe(0);
  await eventually(() => processesOf(place).length === 0, 'the end of every process');
});
