import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import {
  adHoc,
  countingStdio,
  failureOf,
  type TestHome,
  trestleHome,
  valueOf,
} from '../../../test/support/trestle-home.ts';
import { limits } from '../../base/index.ts';

const oddLists = join(import.meta.dirname, '../../../test/servers/odd-lists.mjs');

interface Odd {
  readonly home: TestHome;
  /** Sets what the server answers from now on, by method. */
  readonly says: (results: Readonly<Record<string, unknown>>) => void;
}

const plain = {
  'tools/list': { tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [] },
  'resources/list': { resources: [{ uri: 'a://1', name: 'one' }] },
  'resources/templates/list': { resourceTemplates: [] },
  'prompts/list': { prompts: [{ name: 'greet' }] },
};

function odd(entry: Readonly<Record<string, unknown>> = {}): Odd {
  const file = join(tempFolder(), 'results.json');
  const says = (results: Readonly<Record<string, unknown>>): void => writeFileSync(file, JSON.stringify(results));
  says(plain);
  const home = trestleHome({ odd: { command: process.execPath, args: [oddLists, file], ...entry } });
  return { home, says };
}

describe('a sync', () => {
  it('R1: stores what the server tells of itself, and says what it did', async () => {
    const { home, says } = odd({ env: { API_KEY: 'literal-secret', OTHER: '${HOME}' }, timeout: 5 });
    const { runtime } = home;
    says({ ...plain, initialize: { instructions: 'Be kind.' } });
    const first = valueOf(await runtime.sync({ server: 'odd' }));
    expect(first.changes.tools.added).toEqual(['look']);
    expect(first.problems).toEqual([]);
    const meta = runtime.registry.meta('odd').value;
    expect(meta).toMatchObject({
      name: 'odd',
      description: 'Odd lists',
      instructions: 'Be kind.',
      transport: { kind: 'stdio', env: { API_KEY: '[redacted]', OTHER: '${HOME}' } },
      auth: { kind: 'none' },
      lifecycle: { mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 5000 },
      capabilities: { tools: {} },
      syncedFrom: 'live-server',
    });
    const again = valueOf(await runtime.sync({ server: 'odd' }));
    expect(again.changes.tools).toMatchObject({ added: [], changed: [], removed: [], unchanged: 1 });
    expect(home.events.filter((event) => event.kind === 'synced')).toEqual([
      { kind: 'synced', server: 'odd', changed: true },
      { kind: 'synced', server: 'odd', changed: false },
    ]);
  });

  it('R6: a server that is removed while it is read leaves nothing behind', async () => {
    const { home } = odd();
    const { runtime } = home;
    const forgotten = new Promise<unknown>((resolve) => {
      runtime.subscribe((event) => {
        if (event.kind !== 'session' || event.state !== 'ready') return;
        home.configure({});
        resolve(runtime.forget('odd'));
      });
    });
    expect(failureOf(await runtime.sync({ server: 'odd' })).failure.code).toBe('unknown_server');
    await forgotten;
    expect(runtime.registry.servers().value).toEqual([]);
  });

  it('S7: a list that fails leaves what the registry had, and is named', async () => {
    const { home, says } = odd();
    const { runtime } = home;
    await runtime.sync({ server: 'odd' });
    says({ ...plain, 'tools/list': 'out of order', 'prompts/list': { prompts: [] } });
    const { changes, problems, toolsFailure } = valueOf(await runtime.sync({ server: 'odd' }));
    expect(runtime.registry.tools('odd').value.map(({ name }) => name)).toEqual(['look']);
    expect(toolsFailure).toMatchObject({ code: 'protocol_error' });
    expect(changes.prompts.removed).toEqual(['greet']);
    expect(problems).toEqual([expect.stringMatching(/list of tools could not be read.*out of order/)]);
  });

  it('S7: a first sync without the tools stores nothing that would pass for a server without tools', async () => {
    const { home, says } = odd();
    const { runtime } = home;
    says({ ...plain, 'tools/list': 'out of order' });
    expect(failureOf(await runtime.sync({ server: 'odd' }))).toMatchObject({
      kind: 'protocol-error',
      failure: { message: expect.stringContaining('out of order') as string },
    });
    expect(runtime.registry.server('odd').value).toBeUndefined();
    expect(failureOf(await runtime.call({ server: 'odd', tool: 'look' })).failure.code).toBe('protocol_error');
    says(plain);
    expect(await runtime.call({ server: 'odd', tool: 'look' })).toMatchObject({ kind: 'ok' });
  });

  it('S7: one malformed item does not lose the others, and is named', async () => {
    const { home, says } = odd();
    says({ ...plain, 'tools/list': { tools: [{ description: 'nameless' }, { name: 'look', inputSchema: {} }] } });
    const { problems } = valueOf(await home.runtime.sync({ server: 'odd' }));
    expect(home.runtime.registry.tools('odd').value.map(({ name }) => name)).toEqual(['look']);
    expect(problems).toHaveLength(1);
  });

  it('C5: hidden characters in names, descriptions and instructions are reported, and the report is clean', async () => {
    const { home, says } = odd();
    says({
      ...plain,
      initialize: { instructions: 'Obey\u{E0041}\u{E0042}.' },
      'tools/list': { tools: [{ name: 'lo\u200Bok', description: '\u001B[31mred', inputSchema: {} }] },
    });
    const { problems } = valueOf(await home.runtime.sync({ server: 'odd' }));
    expect(problems).toEqual([
      'The text of the instructions holds 2 tag characters; they are removed where it is shown.',
      'The name of tool "look" holds 1 zero-width character; they are removed where it is shown.',
      'The description of tool "look" holds 1 terminal escape sequence; they are removed where it is shown.',
    ]);
  });

  it('R1: a server that was written by hand is not overwritten without force', async () => {
    const { home } = odd();
    const { runtime } = home;
    await runtime.sync({ server: 'odd' });
    const file = join(runtime.registry.path('odd'), 'meta.json');
    const meta = runtime.registry.meta('odd').value;
    writeFileSync(file, JSON.stringify({ ...meta, syncedFrom: 'manual' }));
    expect(failureOf(await runtime.sync({ server: 'odd' })).failure).toMatchObject({ code: 'registry_invalid' });
    expect(await runtime.sync({ server: 'odd', force: true })).toMatchObject({ kind: 'ok' });
  });

  it('R6: what is configured nowhere is not synced', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome();
    expect(failureOf(await runtime.sync({ server: adHoc(counting.entry) })).failure.code).toBe('usage');
    expect(counting.ran()).toEqual([]);
  });

  it('K5: the failure of a server that cannot be started names the server', async () => {
    const { runtime } = trestleHome({ gone: { command: 'no-such-command-anywhere' } });
    const failed = failureOf(await runtime.sync({ server: 'gone' }));
    expect(failed).toMatchObject({
      kind: 'unavailable',
      execution: 'not-sent',
      failure: { code: 'command_not_found' },
    });
    expect(failed.failure.message).toMatch(/gone/);
  });
});

describe('the first call of a server that was never synced', () => {
  it('ends with the reason when its tools cannot be listed; nothing is called', async () => {
    const { home, says } = odd();
    says({ ...plain, 'tools/list': 'out of order' });
    const failed = failureOf(await home.runtime.call({ server: 'odd', tool: 'look' }));
    expect(failed).toMatchObject({ execution: 'not-sent', failure: { code: 'protocol_error' } });
    expect(failed.failure.message).toMatch(/out of order/);
  });

  it('S9: is not held up by another list that is never answered', async () => {
    const { home, says } = odd();
    says({ ...plain, 'resources/list': null });
    const startedMs = performance.now();
    expect(await home.runtime.call({ server: 'odd', tool: 'look' })).toMatchObject({ kind: 'ok' });
    expect(performance.now() - startedMs).toBeLessThan(limits.requestIdleMs / 2);
    expect(home.runtime.registry.tools('odd').value).toHaveLength(1);
  });

  it('works when the registry cannot be written, and says so', async () => {
    const { home } = odd();
    writeFileSync(home.runtime.places.registryRoot, 'a file where the folder should be');
    expect(await home.runtime.call({ server: 'odd', tool: 'look' })).toMatchObject({ kind: 'ok' });
    expect(home.events.filter((event) => event.kind === 'notice')).toMatchObject([{ server: 'odd' }]);
  });
});

describe('the status', () => {
  it('R6: names configured, broken and registry-only servers, starting nothing', async () => {
    const counting = countingStdio();
    const { home } = odd();
    const { runtime } = home;
    await runtime.sync({ server: 'odd' });
    home.configure({
      counting: counting.entry,
      off: { ...counting.entry, enabled: false },
      broken: { command: '' },
    });
    const { servers, tools } = await runtime.status();
    expect(servers.map(({ name, known, enabled, tools }) => ({ name, known, enabled, tools }))).toEqual([
      { name: 'broken', known: 'broken', enabled: false, tools: undefined },
      { name: 'counting', known: 'configured', enabled: true, tools: undefined },
      { name: 'odd', known: 'registry-only', enabled: false, tools: 1 },
      { name: 'off', known: 'configured', enabled: false, tools: undefined },
    ]);
    expect(tools).toBe(1);
    expect(servers.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/command/),
      expect.stringMatching(/trestle sync counting/),
      expect.stringMatching(/no configuration/),
      undefined,
    ]);
    expect(counting.ran()).toEqual([]);
  });

  it('R6: says of an entry that has changed since it was synced what to do', async () => {
    const { entry } = countingStdio();
    const home = trestleHome({ counting: entry });
    const { runtime } = home;
    valueOf(await runtime.sync({ server: 'counting' }));
    expect((await runtime.status()).servers[0]?.problem).toBeUndefined();
    home.configure({ counting: { ...entry, timeout: 5 } });
    expect((await runtime.status()).servers[0]?.problem).toMatch(/changed .*\(lifecycle\): trestle sync counting/);
  });

  it('S15: shows the state of a connection', async () => {
    const { runtime } = trestleHome({ counting: countingStdio().entry });
    await runtime.call({ server: 'counting', tool: 'count' });
    expect((await runtime.status()).servers[0]?.entries).toMatchObject([
      { state: 'ready', scope: 'library', callsInFlight: 0, info: { era: 'legacy', link: 'stdio' } },
    ]);
  });
});
