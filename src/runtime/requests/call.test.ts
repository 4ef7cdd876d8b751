import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { isAlive } from '../../../test/support/processes.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import {
  adHoc,
  countingHttp,
  countingStdio,
  failureOf,
  trestleHome,
  valueOf,
} from '../../../test/support/trestle-home.ts';

const calls = (ran: readonly string[]): readonly string[] => ran.filter((line) => line.startsWith('call '));
const textOf = (content: readonly unknown[]): unknown => (content[0] as { readonly text?: unknown }).text;

describe('a call', () => {
  it('S3: walks all the way to a real server and back', async () => {
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
    const { runtime, events } = trestleHome({ everything: { command: process.execPath, args: [entry] } });
    const outcome = await runtime.call({ server: 'everything', tool: 'echo', arguments: { message: 'hello' } });
    expect(valueOf(outcome).shown.blocks).toEqual([{ type: 'text', text: 'Echo: hello' }]);
    expect(events.filter((event) => event.kind === 'call')).toMatchObject([
      { server: 'everything', tool: 'echo', outcome: 'ok' },
    ]);
  });

  it('B1: an argument that the tool does not describe is sent, and noted', async () => {
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
    const { runtime } = trestleHome({ everything: { command: process.execPath, args: [entry] } });
    const outcome = await runtime.call({
      server: 'everything',
      tool: 'echo',
      arguments: { message: 'hello', loud: true },
    });
    expect(outcome).toMatchObject({
      kind: 'ok',
      notes: ['"loud" is no argument of this tool, which may ignore it.'],
    });
  });

  it('R6: a server that was never synced is synced by its first call, and by the first only', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: counting.entry });
    expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok', execution: 'done' });
    expect(runtime.registry.tool('counting', 'echo').value?.description).toBe('Does echo.');
    await runtime.call({ server: 'counting', tool: 'count' });
    expect(counting.ran().filter((line) => line === 'tools/list')).toHaveLength(1);
    expect(calls(counting.ran())).toEqual(['call count', 'call count']);
  });

  it('R2, R6: a sync that another process has begun, or that was interrupted, stands against no call', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: counting.entry });
    await runtime.sync({ server: 'counting' });
    // meta.json is written last.
    rmSync(join(runtime.registry.path('counting', 'count'), '../../meta.json'));
    expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(failureOf(await runtime.call({ server: 'counting', tool: 'cuont' })).failure.code).toBe('unknown_tool');
    expect(runtime.registry.server('counting')).toMatchObject({ value: { name: 'counting' }, findings: [] });
  });

  it('P2: concurrent first calls share one dial and one sync', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: counting.entry });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => runtime.call({ server: 'counting', tool: 'count' })),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'ok'));
    expect(counting.ran().filter((line) => line === 'initialize')).toHaveLength(1);
    expect(counting.ran().filter((line) => line === 'tools/list')).toHaveLength(1);
  });

  it('L9: a definition instead of a name: listed live, nothing stored', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome();
    const server = adHoc(counting.entry);
    expect(await runtime.call({ server, tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(failureOf(await runtime.call({ server, tool: 'cuont' }))).toMatchObject({
      kind: 'not-found',
      execution: 'not-sent',
      failure: { code: 'unknown_tool', details: { nearest: ['count'] } },
    });
    expect(runtime.registry.servers().value).toEqual([]);
    expect(calls(counting.ran())).toEqual(['call count']);
  });

  it('S5: a result with isError is the tool’s own failure', async () => {
    const { runtime } = trestleHome({ counting: countingStdio().entry });
    const outcome = await runtime.call({ server: 'counting', tool: 'fail' });
    expect(outcome).toMatchObject({ kind: 'tool-error', execution: 'done' });
    expect(textOf(valueOf(outcome).result.content)).toBe('it failed');
  });

  it('S12: a result that does not fit its output schema is delivered, with a note', async () => {
    const { runtime } = trestleHome({ counting: countingStdio().entry });
    for (const tool of ['mismatch', 'missing']) {
      const outcome = await runtime.call({ server: 'counting', tool });
      expect(outcome).toMatchObject({ kind: 'ok', notes: [expect.stringMatching(/schema|structured/i)] });
      expect(valueOf(outcome).result.content).toHaveLength(1);
    }
  });

  it('B5: what is shown is cut and the whole is in a file; off by environment; nothing shown when not wanted', async () => {
    const { entry } = countingStdio();
    const { runtime } = trestleHome({ counting: entry });
    const request = { server: 'counting', tool: 'large', arguments: { bytes: 60_000 } };
    const { shown, result } = valueOf(await runtime.call(request));
    expect(shown.cut?.totalBytes).toBeGreaterThanOrEqual(60_000);
    expect(String(textOf(result.content))).toHaveLength(60_000);
    expect(readdirSync(runtime.places.spillFolder)).toEqual(['library']);
    const { cut } = valueOf(await runtime.call({ ...request, scope: 'session:other' })).shown;
    expect(dirname(cut?.path ?? '')).toMatch(/spill.session-[0-9a-f]{12}$/);
    expect(valueOf(await runtime.call({ ...request, present: false })).shown.blocks).toEqual([]);
    const unguarded = trestleHome({ counting: entry }, { env: { ...process.env, MCP_OUTPUT_GUARD: '0' } });
    expect(valueOf(await unguarded.runtime.call(request)).shown.cut).toBeUndefined();
    const caller = { env: { ...process.env, MCP_OUTPUT_GUARD: '0' }, cwd: process.cwd() };
    expect(valueOf(await runtime.call({ ...request, caller })).shown.cut).toBeUndefined();
  });

  it('K4: a secret that a server echoes is not shown', async () => {
    const counting = countingStdio();
    const home = trestleHome(
      { counting: { ...counting.entry, env: { API_TOKEN: '${MY_TOKEN}' } } },
      { env: { ...process.env, MY_TOKEN: 'hunter2-hunter2' } },
    );
    const request = { server: 'counting', tool: 'environment', arguments: { name: 'API_TOKEN' } };
    const { shown } = valueOf(await home.runtime.call(request));
    expect(shown.blocks).toEqual([{ type: 'text', text: 'API_TOKEN=[redacted]' }]);
    expect(home.runtime.redact('hunter2-hunter2')).toBe('[redacted]');
    expect(home.runtime.registry.meta('counting').value?.transport).toMatchObject({
      env: { API_TOKEN: '${MY_TOKEN}' },
    });
  });
});

describe('a refusal', () => {
  const refused = async (request: Parameters<ReturnType<typeof trestleHome>['runtime']['call']>[0]) => {
    const counting = countingStdio();
    const broken = { command: 'x', url: 'https://x.example/' };
    const { runtime } = trestleHome({
      counting: counting.entry,
      off: { ...counting.entry, enabled: false },
      picky: { ...counting.entry, tools: { deny: ['count'] } },
      broken,
    });
    await runtime.sync({ server: 'counting' });
    await runtime.registry.apply(
      {
        meta: {
          name: 'left-over',
          description: '',
          instructions: '',
          transport: { kind: 'stdio', command: 'x', args: [], env: {} },
          auth: { kind: 'none' },
          lifecycle: { mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 },
          capabilities: {},
        },
        tools: [{ name: 'only-here', inputSchema: { type: 'object' } }],
        resources: [],
        resourceTemplates: [],
        prompts: [],
      },
      { nowMs: 0 },
    );
    const before = counting.ran().length;
    const failed = failureOf(await runtime.call(request));
    expect(counting.ran()).toHaveLength(before);
    return failed;
  };

  it.each([
    [{ server: 'conting', tool: 'count' }, 'not-found', 'unknown_server', /Did you mean counting\?/],
    [{ server: 'off', tool: 'count' }, 'unavailable', 'disabled', /enabled/],
    [{ server: 'picky', tool: 'count' }, 'denied', 'denied', /picky/],
    [{ server: 'broken', tool: 'count' }, 'unavailable', 'config_entry_invalid', /./],
    [{ server: 'left-over', tool: 'only-here' }, 'denied', 'approval_needed', /trestle approve left-over/],
    [{ server: 'counting', tool: 'cuont' }, 'not-found', 'unknown_tool', /Did you mean count\?/],
    [{ server: 'counting', tool: 'Count' }, 'not-found', 'unknown_tool', /count/],
    [{ server: 'counting', tool: 'echo', arguments: [1] }, 'invalid-arguments', 'invalid_arguments', /by name/],
    [{ server: 'counting', tool: 'echo', arguments: 'hello' }, 'invalid-arguments', 'invalid_arguments', /by name/],
    [{ server: 'counting', tool: 'echo', arguments: '"{}"' }, 'invalid-arguments', 'invalid_arguments', /by name/],
    [{ server: 'counting', tool: 'echo', arguments: {} }, 'invalid-arguments', 'invalid_arguments', /"message"/],
  ])('B1: %j ends before any connection', async (...[request, kind, code, hint]) => {
    const failed = await refused(request);
    expect(failed).toMatchObject({ kind, execution: 'not-sent', failure: { code } });
    expect(failed.failure.hint).toMatch(hint);
  });

  it('B1: arguments as the JSON text of an object are decoded once', async () => {
    const { runtime } = trestleHome({ counting: countingStdio().entry });
    const outcome = await runtime.call({ server: 'counting', tool: 'echo', arguments: '{"message":"{\\"a\\":1}"}' });
    expect(textOf(valueOf(outcome).result.content)).toBe('{"a":1}');
  });

  it('B1: says on which server a tool of exactly this name is', async () => {
    const first = countingStdio();
    const { runtime, folder } = trestleHome({
      a: first.entry,
      b: { command: process.execPath, args: ['-e', ''] },
    });
    await runtime.sync({ server: 'a' });
    const meta = runtime.registry.meta('a').value;
    if (meta === undefined) throw new Error(`nothing was synced in ${folder}`);
    const empty = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
    await runtime.registry.apply({ meta: { ...meta, name: 'b' }, ...empty }, { nowMs: 0 });
    const failed = failureOf(await runtime.call({ server: 'b', tool: 'echo' }));
    expect(failed.failure).toMatchObject({ code: 'unknown_tool', details: { elsewhere: ['a'] } });
    expect(failed.failure.hint).toMatch(/on a\./);
  });

  it('K5: a missing variable is named, and nothing is started', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: { ...counting.entry, env: { A: '${NOT_SET_ANYWHERE}' } } });
    const failed = failureOf(await runtime.call({ server: 'counting', tool: 'count' }));
    expect(failed).toMatchObject({ execution: 'not-sent', failure: { code: 'missing_variable' } });
    expect(failed.failure.message).toMatch(/NOT_SET_ANYWHERE/);
    expect(counting.ran()).toEqual([]);
  });

  it('F2: a configuration that cannot be read is an outcome, not an exception', async () => {
    const home = trestleHome();
    home.configure({});
    const { writeFileSync } = await import('node:fs');
    writeFileSync(home.runtime.places.serversFile, '{ "mcpServers": {');
    expect(failureOf(await home.runtime.call({ server: 'x', tool: 'y' })).failure.code).toBe('config_unreadable');
  });
});

describe('no call is executed twice', () => {
  it('P6: a server that crashes during a call: the call ends at once with its last words, the next one runs on a new process', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: counting.entry });
    await runtime.sync({ server: 'counting' });
    const failed = failureOf(await runtime.call({ server: 'counting', tool: 'crash' }));
    expect(failed).toMatchObject({ kind: 'unavailable', execution: 'unknown', failure: { code: 'server_exited' } });
    expect(JSON.stringify(failed.failure)).toMatch(/the crash came/);
    expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(calls(counting.ran())).toEqual(['call crash', 'call count']);
  });

  it('H5: a session lost by 404: the call is not sent again, its outcome says rejected, and the next call works', async () => {
    const counting = await countingHttp();
    const { runtime } = trestleHome({ counting: counting.entry });
    await runtime.call({ server: 'counting', tool: 'forget' });
    const failed = failureOf(await runtime.call({ server: 'counting', tool: 'count' }));
    expect(failed).toMatchObject({ kind: 'unavailable', execution: 'rejected', failure: { code: 'session_lost' } });
    expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(calls(counting.ran())).toEqual(['call forget', 'call count']);
  });

  it.each([
    ['400', 'Bad Request: No valid session ID provided'],
    ['401', 'Unauthorized: Session not found'],
  ])(
    'H5: a session whose loss is told as %s and text: the call is unknown, no sign-in is asked for, and the next call works',
    async (...loss) => {
      const counting = await countingHttp(...loss);
      const { runtime } = trestleHome({ counting: counting.entry });
      await runtime.call({ server: 'counting', tool: 'forget' });
      const failed = failureOf(await runtime.call({ server: 'counting', tool: 'count' }));
      expect(failed).toMatchObject({ kind: 'unavailable', execution: 'unknown', failure: { code: 'session_lost' } });
      expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok' });
      expect(calls(counting.ran())).toEqual(['call forget', 'call count']);
    },
  );

  it('H5: concurrent callers of a lost session share the new one, and none of their calls runs twice', async () => {
    const counting = await countingHttp();
    const { runtime } = trestleHome({ counting: counting.entry });
    await runtime.call({ server: 'counting', tool: 'forget' });
    const lost = await Promise.all(
      Array.from({ length: 4 }, () => runtime.call({ server: 'counting', tool: 'count' })),
    );
    const again = await Promise.all(
      Array.from({ length: 4 }, () => runtime.call({ server: 'counting', tool: 'count' })),
    );
    expect(again.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok', 'ok']);
    const succeeded = [...lost, ...again].filter(({ kind }) => kind === 'ok').length;
    expect(calls(counting.ran()).filter((line) => line === 'call count')).toHaveLength(succeeded);
    expect(counting.ran().filter((line) => line === 'initialize')).toHaveLength(2);
  });

  it('H5: a read and a list of a lost session are asked once more on a new one', async () => {
    const counting = await countingHttp();
    const { runtime } = trestleHome({ counting: counting.entry });
    for (const ask of [
      () => runtime.read({ server: 'counting', uri: 'count://text' }),
      () => runtime.listResources({ server: 'counting' }),
    ]) {
      await runtime.call({ server: 'counting', tool: 'forget' });
      expect(await ask()).toMatchObject({ kind: 'ok' });
    }
    expect(counting.ran().filter((line) => line === 'resources/read')).toHaveLength(1);
  });

  it('S9: a call that times out ran once, and the server lives on', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: counting.entry });
    await runtime.sync({ server: 'counting' });
    const failed = failureOf(await runtime.call({ server: 'counting', tool: 'hang', timeoutMs: 300 }));
    expect(failed).toMatchObject({ kind: 'timed-out', execution: 'unknown', failure: { code: 'timed_out' } });
    expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(counting.ran().filter((line) => /call|cancelled|initialize/.test(line))).toEqual([
      'initialize',
      'call hang',
      'cancelled',
      'call count',
    ]);
  });

  it('S10: over HTTP too: one cancel notice, one sign of life, the same session', async () => {
    const counting = await countingHttp();
    const { runtime } = trestleHome({ counting: counting.entry });
    await runtime.sync({ server: 'counting' });
    const other = runtime.call({ server: 'counting', tool: 'count' });
    const failed = failureOf(await runtime.call({ server: 'counting', tool: 'hang', timeoutMs: 300 }));
    expect(failed).toMatchObject({ kind: 'timed-out', execution: 'unknown' });
    expect([await other, await runtime.call({ server: 'counting', tool: 'count' })]).toMatchObject([
      { kind: 'ok' },
      { kind: 'ok' },
    ]);
    expect(counting.ran().filter((line) => line === 'cancelled' || line === 'initialize')).toEqual([
      'initialize',
      'cancelled',
    ]);
    expect(calls(counting.ran())).toEqual(['call count', 'call hang', 'call count']);
  });

  it('S10: a cancelled call ran once, other calls live on', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: counting.entry });
    await runtime.sync({ server: 'counting' });
    const abort = new AbortController();
    const hanging = runtime.call({ server: 'counting', tool: 'hang', signal: abort.signal });
    await eventually(() => calls(counting.ran()).length === 1);
    abort.abort();
    expect(failureOf(await hanging)).toMatchObject({ kind: 'cancelled', execution: 'unknown' });
    expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect(calls(counting.ran())).toEqual(['call hang', 'call count']);
  });

  it('P7: a frozen child: the first call times out, the second one runs on a new child', async () => {
    const counting = countingStdio();
    const { runtime } = trestleHome({ counting: counting.entry });
    await runtime.sync({ server: 'counting' });
    const frozen = (await runtime.status()).servers[0]?.entries[0]?.info?.pid;
    const failed = failureOf(await runtime.call({ server: 'counting', tool: 'freeze', timeoutMs: 300 }));
    expect(failed).toMatchObject({ kind: 'timed-out', execution: 'unknown' });
    expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect((await runtime.status()).servers[0]?.entries.map((entry) => entry.info?.pid)).not.toEqual([frozen]);
    expect(calls(counting.ran())).toEqual(['call freeze', 'call count']);
  });

  it('S9: progress of a call renews its idle limit, and reaches whoever asked', async () => {
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
    const { runtime } = trestleHome({ everything: { command: process.execPath, args: [entry] } });
    await runtime.sync({ server: 'everything' });
    const seen: number[] = [];
    const outcome = await runtime.call({
      server: 'everything',
      tool: 'trigger-long-running-operation',
      arguments: { duration: 4, steps: 16 },
      timeoutMs: 3_000,
      onProgress: ({ progress }) => seen.push(progress),
    });
    expect(outcome).toMatchObject({ kind: 'ok' });
    expect(seen.length).toBeGreaterThan(3);
  });

  it('S9: the total limit covers dialling: a server that never answers ends in time', async () => {
    const clock = createManualClock();
    const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
    const { runtime } = trestleHome({ silent }, { clock });
    const calling = runtime.call({ server: 'silent', tool: 'x', maxTotalMs: 700 });
    await eventually(async () => (await runtime.status()).servers[0]?.entries[0]?.state === 'dialling');
    await clock.advance(700);
    // The clock stands still from here on.
    expect(failureOf(await calling)).toMatchObject({ kind: 'timed-out', execution: 'not-sent' });
  });
});

describe('the life of connections', () => {
  it('P1: two scopes never share a process, unless the definition says so', async () => {
    const alone = countingStdio();
    const shared = countingStdio();
    const { runtime } = trestleHome({ alone: alone.entry, shared: { ...shared.entry, sharing: 'shared' } });
    for (const scope of ['session:1', 'session:2'] as const) {
      await runtime.call({ server: 'alone', tool: 'count', scope });
      await runtime.call({ server: 'shared', tool: 'count', scope });
    }
    expect(alone.ran().filter((line) => line === 'initialize')).toHaveLength(2);
    expect(shared.ran().filter((line) => line === 'initialize')).toHaveLength(1);
  });

  it('P1: a changed definition gets a new process, a removed one loses its own', async () => {
    const counting = countingStdio();
    const home = trestleHome({ counting: counting.entry });
    const { runtime } = home;
    await runtime.call({ server: 'counting', tool: 'count' });
    home.configure({ counting: { ...counting.entry, env: { CHANGED: 'yes' } } });
    await runtime.call({ server: 'counting', tool: 'count' });
    expect(counting.ran().filter((line) => line === 'initialize')).toHaveLength(2);
    home.configure({});
    expect(failureOf(await runtime.call({ server: 'counting', tool: 'count' })).kind).toBe('denied');
    await eventually(async () => (await runtime.status()).servers.every((server) => server.entries.length === 0));
  });

  it('P8: closing a scope, and the runtime, leaves no process', async () => {
    const { entry } = countingStdio();
    const { runtime } = trestleHome({ counting: entry });
    for (const scope of ['session:1', 'session:2'] as const)
      await runtime.call({ server: 'counting', tool: 'count', scope });
    const pids = (await runtime.status()).servers[0]?.entries.map((entry) => entry.info?.pid ?? 0) ?? [];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await runtime.closeScope('session:1');
    expect(pids.map(isAlive)).toEqual([false, true]);
    await runtime.close();
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(failureOf(await runtime.call({ server: 'counting', tool: 'count' })).failure.code).toBe('session_closed');
  });

  it('P8: a list under way when its scope is closed ends, and opens nothing new', async () => {
    const folder = tempFolder();
    const lists = join(folder, 'lists.json');
    writeFileSync(lists, JSON.stringify({ 'resources/list': null }));
    const script = join(import.meta.dirname, '../../../test/servers/odd-lists.mjs');
    const { runtime, events } = trestleHome({ odd: { command: process.execPath, args: [script, lists] } });
    const listing = runtime.listResources({ server: 'odd', scope: 'session:1' });
    const states = (): readonly string[] => events.flatMap((event) => (event.kind === 'session' ? [event.state] : []));
    await eventually(() => states().includes('ready'));
    await runtime.closeScope('session:1');
    expect(failureOf(await listing).kind).toBe('unavailable');
    expect(states().filter((state) => state === 'dialling')).toHaveLength(1);
    expect((await runtime.status()).servers[0]?.entries).toEqual([]);
  });

  it('forget removes what the registry has and ends the connection', async () => {
    const { runtime } = trestleHome({ counting: countingStdio().entry });
    await runtime.call({ server: 'counting', tool: 'count' });
    expect(await runtime.forget('counting')).toEqual({ registry: true });
    expect(runtime.registry.servers().value).toEqual([]);
    await eventually(async () => (await runtime.status()).servers.every((server) => server.entries.length === 0));
    expect(await runtime.forget('counting')).toEqual({ registry: false });
  });

  it('S6: servers are told the host’s working folder as root by default', async () => {
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
    const cwd = tempFolder();
    const { runtime } = trestleHome({ everything: { command: process.execPath, args: [entry] } }, { cwd });
    const outcome = await runtime.call({ server: 'everything', tool: 'get-roots-list' });
    expect(JSON.stringify(valueOf(outcome).result.content)).toContain(cwd);
  });
});
