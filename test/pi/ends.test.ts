/** Pi ends when it has its answer, whatever servers do, and no session leaves a process to the next. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { referenceServer, testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { startEverything } from '../support/everything.ts';
import { entryOf, piPlace, printPi, processesOf, scriptedModel, serversOf } from '../support/pi.ts';
import { extensionPath, runPi } from '../support/pi-place.ts';
import { openPiSession } from '../support/pi-rpc.ts';
import { callTool, repeatResults, type Turn } from '../support/scripted-model.ts';

/** A turn of several calls at once. */
const together = (...turns: readonly Turn[]): Turn => ({ calls: turns.flatMap(({ calls = [] }) => calls) });

const timed = { retry: 2 };

/**
 * How long after the model's last answer Pi may take to end: a second where Pi alone takes some 35 ms, and as much more as the machine
 * is slower at this moment.
 */
async function mayTakeMs(): Promise<number> {
  const model = await scriptedModel({ text: 'done' });
  const { endedMs } = await runPi(piPlace(model), ['-p', '--no-session', 'hello']);
  return Math.max(1_000, 30 * (endedMs - model.answeredMs()));
}

it('N2: `pi -p` ends by itself within a second of the answer, with three servers in use', timed, async () => {
  const model = await scriptedModel(
    together(
      callTool('files', 'list_allowed_directories'),
      callTool('memory', 'read_graph'),
      callTool('counting', 'count'),
    ),
    repeatResults,
  );
  const place = piPlace(model);
  place.write('mcp-servers.json', {
    mcpServers: {
      files: entryOf([...referenceServer('filesystem'), place.cwd]),
      memory: {
        ...entryOf(referenceServer('memory')),
        env: { MEMORY_FILE_PATH: join(place.userHome, 'memory.jsonl') },
      },
      counting: entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran'))),
    },
  });
  const run = await printPi(place, 'ask all three');
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^FINAL .*\| .*\| counted\n$/s) as string });
  expect(run.endedMs - model.answeredMs()).toBeLessThan(await mayTakeMs());
  await eventually(() => processesOf(place).length === 0, 'the end of every process');
});

it('N2: neither servers over HTTP nor one that is kept alive nor one that never answers hold Pi', timed, async () => {
  const model = await scriptedModel(
    together(
      callTool('streamable', 'echo', { message: 'one' }),
      callTool('events', 'echo', { message: 'two' }),
      callTool('kept', 'echo', { message: 'three' }),
    ),
    repeatResults,
  );
  const place = piPlace(model);
  place.write('mcp-servers.json', {
    mcpServers: {
      streamable: { url: await startEverything('streamableHttp') },
      events: { url: await startEverything('sse') },
      kept: {
        ...entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran'))),
        lifecycle: 'keep-alive',
      },
      // It is connected to for its list of tools, as all that are new.
      mute: entryOf([process.execPath, '-e', 'process.stdin.resume()']),
    },
  });
  const run = await printPi(place, 'ask three of them');
  expect(run).toMatchObject({
    code: 0,
    stdout: 'FINAL Echo: one | Echo: two | three\n',
    stderr: expect.stringMatching(/^The model was told nothing of mute: .*\/mcp-bridge sync.*\n$/) as string,
  });
  expect(run.endedMs - model.answeredMs()).toBeLessThan(await mayTakeMs());
  await eventually(() => processesOf(place).length === 0, 'the end of every process');
});

it.each([
  ['ignores the end of its input', 'everything', referenceServer('everything')],
  ['ignores polite signals too', 'family', testServer('family.mjs', 'stubborn')],
] as const)('N2: a server that %s does not hold Pi, and is ended after it', timed, async (_what, name, words) => {
  const model = await scriptedModel(callTool(name, 'echo', { message: 'hello' }), repeatResults);
  const place = piPlace(model);
  const env = { PIDS_FILE: join(place.userHome, 'pids') };
  place.write('mcp-servers.json', { mcpServers: { [name]: { ...entryOf(words), env } } });
  const run = await printPi(place, 'say hello');
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('FINAL ') as string, stderr: '' });
  expect(run.endedMs - model.answeredMs()).toBeLessThan(await mayTakeMs());
  await eventually(() => processesOf(place).length === 0, 'the end of every process');
});

it('N2: neither a reload nor a new session leaves a process, and the next session calls anew', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  const again = join(place.userHome, 'again.js');
  writeFileSync(
    again,
    `export default (pi) => pi.registerCommand('again', { handler: (args, context) => context.reload() });`,
  );
  place.write('mcp-servers.json', {
    mcpServers: { counting: entryOf(testServer('counting.mjs', 'stdio', join(place.userHome, 'ran'))) },
  });
  const session = openPiSession(place, { args: ['--no-session', '-e', extensionPath, '-e', again] });
  const servers = (): readonly number[] => processesOf(place).filter((pid) => pid !== session.pid);
  const call = async (): Promise<void> => {
    model.say(callTool('counting', 'count'), { text: 'done' });
    await session.prompt('count');
    expect(model.requests.at(-1)?.results.at(-1)?.text).toBe('counted');
    expect(servers().length).toBeGreaterThan(0);
  };
  const next = async (start: () => Promise<unknown>): Promise<void> => {
    const before = servers();
    await start();
    await eventually(() => !before.some((pid) => servers().includes(pid)), 'the end of the servers before');
  };
  await call();
  await next(() => session.prompt('/again'));
  await call();
  await next(() => session.ask({ type: 'new_session' }));
  await call();
  expect(await session.close()).toBe(0);
  await eventually(() => processesOf(place).length === 0, 'the end of every process');
});

it('N2: what only asks Pi something starts no server and writes nothing, whatever is to be started at once', async () => {
  const model = await scriptedModel();
  const place = piPlace(model);
  const file = join(place.userHome, 'started');
  const canary = { ...entryOf(testServer('canary.mjs', 'eager', file)), lifecycle: 'eager' };
  place.write('mcp-servers.json', { mcpServers: { canary } });
  for (const question of ['--help', '--list-models']) {
    expect(await runPi(place, ['-e', extensionPath, question])).toMatchObject({ code: 0, stderr: '' });
  }
  // Pi's own files are its own affair.
  const ours = readdirSync(place.agentFolder).filter((name) => name.startsWith('mcp-'));
  expect(ours).toEqual(['mcp-servers.json']);
  expect([existsSync(file), existsSync(place.trestleHome)]).toEqual([false, false]);
  // A session starts it, of which this is the one answer.
  model.say(async () => {
    await eventually(() => existsSync(file), 'the start of the server');
    return { text: 'done' };
  });
  expect(await printPi(place, 'hello')).toMatchObject({ code: 0, stdout: 'done\n' });
});

it('N2: when Pi is killed in the middle of a call its servers end too', async () => {
  const model = await scriptedModel(callTool('counting', 'hang'));
  const place = piPlace(model);
  const file = join(place.userHome, 'ran');
  place.write('mcp-servers.json', { mcpServers: { counting: entryOf(testServer('counting.mjs', 'stdio', file)) } });
  const session = openPiSession(place);
  await session.ask({ type: 'prompt', message: 'hang' });
  await eventually(() => existsSync(file) && readFileSync(file, 'utf8').includes('call hang'), 'the call');
  expect(serversOf(place, 'counting.mjs')).toHaveLength(1);
  process.kill(session.pid ?? 0, 'SIGKILL');
  await eventually(() => processesOf(place).length === 0, 'the end of every process');
});
