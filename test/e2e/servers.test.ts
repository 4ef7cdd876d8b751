/** Real servers, as published, through the library: sync, call, read, lists. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime, hasValue, type Outcome, type Runtime } from '../../src/index.ts';
import { referenceServer, testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { startEverything, startHttpServer } from '../support/everything.ts';
import { homeWith } from '../support/home.ts';
import { projectRoot } from '../support/project-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A runtime over one configured server, closed when the test ends; `cwd` is the host's folder, the only root. */
function runtimeWith(server: Readonly<Record<string, unknown>>, cwd = tempFolder()): Runtime {
  // What a sync finds must not have been found by the reload at the start.
  const runtime = createRuntime({ home: homeWith({ server }), cwd, reconcile: false });
  onTestFinished(() => runtime.close());
  return runtime;
}

/** The value of an outcome; fails the test with the whole outcome when there is none. */
function value<T>(outcome: Outcome<T>): T {
  if (!hasValue(outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

async function callText(runtime: Runtime, tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const { shown } = value(await runtime.call({ server: 'server', tool, arguments: args }));
  return shown.blocks.map((block) => (block.type === 'text' ? block.text : block.mimeType)).join('\n');
}

const over = ([command, ...args]: readonly string[]): Readonly<Record<string, unknown>> => ({ command, args });

const everythingOver = {
  stdio: async () => over([...referenceServer('everything'), 'stdio']),
  'Streamable HTTP': async () => ({ url: await startEverything('streamableHttp') }),
  'HTTP+SSE': async () => ({ url: await startEverything('sse') }),
} as const;

describe.each(Object.entries(everythingOver))('server-everything over %s', (name, start) => {
  it('S1, H1, R1: is synced into the registry, and a second sync changes nothing', async () => {
    const runtime = runtimeWith(await start());
    const first = value(await runtime.sync({ server: 'server' }));
    expect(first.info.era).toBe('legacy');
    expect(first.info.link).toBe({ stdio: 'stdio', 'Streamable HTTP': 'streamable', 'HTTP+SSE': 'sse' }[name]);
    expect(first.changes.tools.added).toContain('echo');
    expect(first.problems).toEqual([]);
    const again = value(await runtime.sync({ server: 'server' }));
    expect(again.changes.tools).toMatchObject({ added: [], changed: [], removed: [] });
    expect(again.changes.tools.unchanged).toBe(first.changes.tools.added.length);
  });

  it('B3, S6: answers calls, and asks the roots of the host while it does', async () => {
    const runtime = runtimeWith(await start());
    expect(await callText(runtime, 'echo', { message: 'hello' })).toBe('Echo: hello');
    expect(await callText(runtime, 'get-sum', { a: 2, b: 40 })).toContain('42');
    expect(await callText(runtime, 'get-tiny-image', {})).toContain('image/png');
  });

  it('S9: tells progress of a long call, which renews its limit', async () => {
    const runtime = runtimeWith(await start());
    const seen: number[] = [];
    const outcome = await runtime.call({
      server: 'server',
      tool: 'trigger-long-running-operation',
      arguments: { duration: 6, steps: 12 },
      timeoutMs: 5_000,
      onProgress: ({ progress }) => seen.push(progress),
    });
    expect(outcome).toMatchObject({ kind: 'ok' });
    expect(seen.length).toBeGreaterThanOrEqual(5);
  });

  it('B2: lists resources and templates, and reads one', async () => {
    const runtime = runtimeWith(await start());
    const lists = value(await runtime.listResources({ server: 'server' }));
    expect(lists.resources.length).toBeGreaterThan(0);
    expect(lists.resourceTemplates.length).toBeGreaterThan(0);
    const uri = lists.resources[0]?.['uri'];
    const read = value(await runtime.read({ server: 'server', uri: uri as string }));
    expect(read.contents.length).toBeGreaterThan(0);
    expect(read.shown.blocks.length).toBeGreaterThan(0);
  });

  it('L8: refuses arguments that do not fit before anything is sent', async () => {
    const runtime = runtimeWith(await start());
    value(await runtime.sync({ server: 'server' }));
    const outcome = await runtime.call({ server: 'server', tool: 'get-sum', arguments: { a: 'two' } });
    expect(outcome).toMatchObject({ kind: 'invalid-arguments', execution: 'not-sent' });
  });
});

describe('server-filesystem', () => {
  it('S6, S5: is told the root, reads a file in it, and says isError for one outside', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'note.txt'), 'zwölf Boxkämpfer\n');
    const runtime = runtimeWith(over([...referenceServer('filesystem'), tempFolder()]), folder);
    // It asks for the roots when it is initialised and takes calls meanwhile, still with the folder of its command line.
    const read = (): Promise<string> => callText(runtime, 'read_text_file', { path: join(folder, 'note.txt') });
    await eventually(async () => (await read()).includes('zwölf Boxkämpfer'));
    const outside = await runtime.call({
      server: 'server',
      tool: 'read_text_file',
      arguments: { path: join(projectRoot, 'package.json') },
    });
    expect(outside).toMatchObject({ kind: 'tool-error', execution: 'done' });
  });
});

describe('server-memory', () => {
  it('P1: keeps its state between calls of one runtime, and takes its environment from the definition', async () => {
    const file = join(tempFolder(), 'memory.json');
    const runtime = runtimeWith({ ...over(referenceServer('memory')), env: { MEMORY_FILE_PATH: file } });
    const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
    await callText(runtime, 'create_entities', { entities: [entity] });
    expect(await callText(runtime, 'read_graph', {})).toContain('writes programs');
    expect(readFileSync(file, 'utf8')).toContain('Ada');
  });
});

describe('server-sequential-thinking', () => {
  it('S12: structured content that fits its output schema brings no note', async () => {
    const runtime = runtimeWith(over(referenceServer('sequential-thinking')));
    value(await runtime.sync({ server: 'server' }));
    const outcome = await runtime.call({
      server: 'server',
      tool: 'sequentialthinking',
      arguments: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    });
    expect(outcome).toMatchObject({ kind: 'ok', notes: [] });
  });
});

const modernOver = {
  stdio: async () => over(testServer('modern.mjs', 'stdio')),
  'Streamable HTTP': async () => ({ url: await startHttpServer(testServer('modern.mjs', 'http')) }),
} as const;

describe.each(Object.entries(modernOver))('a 2026-07-28 server over %s', (_name, start) => {
  it('S1, S2: is recognised as modern, synced and called', async () => {
    const runtime = runtimeWith(await start());
    const synced = value(await runtime.sync({ server: 'server' }));
    expect(synced.info).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
    expect(synced.changes.tools.added).toContain('echo');
    expect(await callText(runtime, 'echo', { message: 'hello' })).toBe('Echo: hello');
  });

  it('S5, S12: structured content arrives as it is, and isError is an outcome of its own', async () => {
    const runtime = runtimeWith(await start());
    const added = await runtime.call({ server: 'server', tool: 'add', arguments: { a: 2, b: 40 } });
    expect(added).toMatchObject({ kind: 'ok', value: { result: { structuredContent: { sum: 42 } } }, notes: [] });
    const failed = await runtime.call({ server: 'server', tool: 'fail', arguments: {} });
    expect(failed).toMatchObject({ kind: 'tool-error', execution: 'done' });
  });
});
