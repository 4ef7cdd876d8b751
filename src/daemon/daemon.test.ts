import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { daemonHome } from '../../test/support/daemon-home.ts';
import { serveDialect } from '../../test/support/event-dialect.ts';
import { eventually } from '../../test/support/eventually.ts';
import { listedAs } from '../../test/support/fake-runtime.ts';
import { countingStdio, failureOf, valueOf } from '../../test/support/trestle-home.ts';
import { limits, TrestleError } from '../base/index.ts';
import { createRuntime, type Runtime } from '../runtime/index.ts';
import { logFile } from './record.ts';

const serverFile = (name: string): string => join(import.meta.dirname, '../../test/servers', name);
const indiscreet = {
  command: process.execPath,
  args: [serverFile('indiscreet.mjs')],
  env: { API_TOKEN: '${MY_TOKEN}' },
};
const secret = 'hunter2-hunter2';

describe('what a client gets through the daemon', () => {
  it('L7: every method of the runtime that asks a server has the same outcome as here', async () => {
    const home = daemonHome({ counting: countingStdio().entry });
    await home.start();
    const { runtime, notes, locals } = home.client();
    const synced = valueOf(await runtime.sync({ server: 'counting' }));
    expect(synced.changes.tools.added).toContain('echo');
    expect(await runtime.call({ server: 'counting', tool: 'echo', arguments: { message: 'hi' } })).toMatchObject({
      kind: 'ok',
      execution: 'done',
      value: { tool: 'echo', result: { content: [{ type: 'text', text: 'hi' }] }, shown: { blocks: [{ text: 'hi' }] } },
    });
    expect(await runtime.call({ server: 'counting', tool: 'fail' })).toMatchObject({ kind: 'tool-error' });
    expect(await runtime.call({ server: 'counting', tool: 'echo' })).toMatchObject({
      kind: 'invalid-arguments',
      execution: 'not-sent',
      failure: { code: 'invalid_arguments' },
    });
    expect(valueOf(await runtime.read({ server: 'counting', uri: 'count://text' })).contents).toHaveLength(1);
    expect(valueOf(await runtime.listResources({ server: 'counting' })).resources).toHaveLength(1);
    expect(valueOf(await runtime.listTools({ server: 'counting' })).tools.length).toBeGreaterThan(5);
    expect(valueOf(await runtime.inspect({ server: 'counting' })).info.serverInfo?.name).toBe('counting');
    expect(await runtime.read({ server: 'nobody', uri: 'x://y' })).toMatchObject({ kind: 'not-found' });
    expect(notes).toEqual([]);
    expect(locals(), 'nothing was done here').toBe(0);
    const [entry] = (await runtime.status()).servers[0]?.entries ?? [];
    expect(entry?.state).toBe('ready');
  });

  it('L7: a rejection is one here too, with its code', async () => {
    const home = daemonHome();
    await home.start();
    await expect(home.client().runtime.doctor({ server: 'nobody' })).rejects.toMatchObject({ code: 'unknown_server' });
  });

  it('H10, L7: a server that the environment of a caller names is used by the caller, while none is configured', async () => {
    const server = await serveDialect();
    const counting = countingStdio();
    const home = daemonHome();
    await home.start();
    const { runtime, notes, locals } = home.client({ env: { MCP_SERVER_URL: server.url } });
    const name = new URL(server.url).host.replace(':', '-');
    expect(await runtime.call({ server: name, tool: 'words' })).toMatchObject({ kind: 'ok' });
    expect((await runtime.status()).servers).toMatchObject([{ name, entries: [{ info: { link: 'events' } }] }]);
    expect(locals()).toBe(1);
    expect(failureOf(await home.client().runtime.call({ server: name, tool: 'words' })).failure.code).toBe(
      'approval_needed',
    );
    home.configure({ counting: counting.entry });
    expect(await runtime.call({ server: 'counting', tool: 'count' })).toMatchObject({ kind: 'ok' });
    expect((await home.client().runtime.status()).servers).toContainEqual(
      expect.objectContaining({ name: 'counting', entries: [expect.objectContaining({ state: 'ready' })] }),
    );
    expect(notes).toEqual([]);
  });

  it('L7: a result of 16 MiB arrives whole', async () => {
    const home = daemonHome({ counting: countingStdio().entry });
    await home.start();
    const { runtime } = home.client();
    const bytes = 15 * 1024 * 1024;
    const called = await runtime.call({ server: 'counting', tool: 'large', arguments: { bytes } });
    const [block] = valueOf(called).result.content as readonly { readonly text: string }[];
    expect(block?.text).toHaveLength(bytes);
  });

  it('L7: an answer that is too large for the way back says so, and the daemon is not lost', async () => {
    const home = daemonHome();
    const huge = { uri: 'x'.repeat(limits.daemonFrameBytes) };
    const listResources: Runtime['listResources'] = async ({ server }) =>
      listedAs(server === 'huge' ? { resources: [huge] } : {});
    await home.start({ openRuntime: (options) => ({ ...createRuntime(options), listResources }) });
    const { runtime, locals } = home.client();
    expect(failureOf(await runtime.listResources({ server: 'huge' })).failure.code).toBe('message_too_large');
    expect(valueOf(await runtime.listResources({ server: 'small' })).resources).toEqual([]);
    expect(locals()).toBe(0);
  });

  it('L7: ten clients share one server process', async () => {
    const counting = countingStdio();
    const home = daemonHome({ counting: counting.entry });
    await home.start();
    const calls = Array.from({ length: 10 }, () => home.client().runtime.call({ server: 'counting', tool: 'count' }));
    for (const called of await Promise.all(calls)) expect(called.kind).toBe('ok');
    expect(counting.ran().filter((line) => line === 'initialize')).toHaveLength(1);
    expect(counting.ran().filter((line) => line === 'call count')).toHaveLength(10);
  });
});

describe('a daemon that is new to a home', () => {
  it('R6: brings its registry to the configuration once, for the first who asks a server, however many come', async () => {
    const [asked, other] = [countingStdio(), countingStdio()];
    const home = daemonHome({ asked: asked.entry, other: other.entry });
    const reloads: unknown[] = [];
    await home.start({
      openRuntime(options) {
        const runtime = createRuntime(options);
        return { ...runtime, reload: (request) => (reloads.push(request), runtime.reload(request)) };
      },
    });
    await home.client().runtime.status();
    const clients = Array.from({ length: 5 }, () => home.client().runtime);
    await Promise.all(clients.map((runtime) => runtime.call({ server: 'asked', tool: 'count' })));
    await eventually(() => existsSync(join(home.folder, 'registry', 'other', 'meta.json')));
    await home.client().runtime.call({ server: 'asked', tool: 'count' });
    expect(reloads).toMatchObject([{ background: true }]);
    expect(other.ran().filter((line) => line === 'initialize')).toHaveLength(1);
  });
});

describe('cancelling through the daemon', () => {
  it('L7, S10: an abort reaches the server, and the outcome is its own', async () => {
    const counting = countingStdio();
    const home = daemonHome({ counting: counting.entry });
    await home.start();
    const abort = new AbortController();
    const called = home.client().runtime.call({ server: 'counting', tool: 'hang', signal: abort.signal });
    await eventually(() => counting.ran().includes('call hang'));
    abort.abort(new TrestleError({ code: 'cancelled', message: 'Interrupted by SIGINT.' }));
    expect(failureOf(await called)).toMatchObject({
      kind: 'cancelled',
      execution: 'unknown',
      failure: { message: 'Interrupted by SIGINT.' },
    });
    await eventually(() => counting.ran().includes('cancelled'));
  });

  it('L7, S10: a client that leaves cancels what it has asked for', async () => {
    const counting = countingStdio();
    const home = daemonHome({ counting: counting.entry });
    await home.start();
    const { runtime } = home.client();
    const called = runtime.call({ server: 'counting', tool: 'hang' });
    await eventually(() => counting.ran().includes('call hang'));
    await runtime.close();
    expect(failureOf(await called)).toMatchObject({ execution: 'unknown' });
    await eventually(() => counting.ran().includes('cancelled'));
  });

  it('L7: what is cancelled before it was sent did not reach anybody', async () => {
    const counting = countingStdio();
    const home = daemonHome({ counting: counting.entry });
    await home.start();
    const signal = AbortSignal.abort(new TrestleError({ code: 'cancelled', message: 'No.' }));
    const called = await home.client().runtime.call({ server: 'counting', tool: 'count', signal });
    expect(failureOf(called)).toMatchObject({ kind: 'cancelled', execution: 'not-sent' });
    expect(counting.ran()).toEqual([]);
  });
});

describe('secrets and the daemon', () => {
  it('K4, S9: what a server echoes is redacted before it leaves the daemon: result, progress, lists, log', async () => {
    const home = daemonHome({ it: indiscreet });
    await home.start();
    const { runtime } = home.client({ env: { MY_TOKEN: secret } });
    const heard: unknown[] = [];
    const called = await runtime.call({ server: 'it', tool: 'tell', onProgress: (progress) => heard.push(progress) });
    expect(JSON.stringify(valueOf(called).result.content)).toContain('[redacted]');
    expect(heard, 'S9').toEqual([{ progress: 1, message: 'has [redacted]' }]);
    const told = [called, heard, await runtime.inspect({ server: 'it' }), await runtime.status()];
    expect(JSON.stringify(told)).not.toContain(secret);
    expect(JSON.stringify(told)).not.toContain(Buffer.from(secret).toString('base64').slice(2, 12));
    expect(readFileSync(logFile(home.runFolder), 'utf8')).not.toContain(secret);
  });

  it('L7: a definition gets the variables of each caller, and no others', async () => {
    const entry = { ...countingStdio().entry, env: { SEEN: '${MY_TOKEN:-nothing}' } };
    const home = daemonHome({ counting: entry });
    await home.start();
    const seen = async (env: Readonly<Record<string, string>>, name: string): Promise<unknown> => {
      const { runtime } = home.client({ env });
      const called = await runtime.call({ server: 'counting', tool: 'environment', arguments: { name } });
      return (valueOf(called).result.content[0] as { readonly text: string }).text;
    };
    // Short, so that they are not redacted.
    expect(await seen({ MY_TOKEN: 'aa', OTHER: 'x' }, 'SEEN')).toBe('SEEN=aa');
    expect(await seen({ MY_TOKEN: 'bb' }, 'SEEN')).toBe('SEEN=bb');
    expect(await seen({}, 'SEEN')).toBe('SEEN=nothing');
    expect(await seen({ MY_TOKEN: 'aa', OTHER: 'x' }, 'OTHER')).toBe('OTHER=undefined');
  });

  it('L7: a missing variable is an error of the caller who lacks it', async () => {
    const home = daemonHome({ it: indiscreet });
    await home.start();
    const lacking = await home.client().runtime.call({ server: 'it', tool: 'tell' });
    expect(failureOf(lacking).failure).toMatchObject({ code: 'missing_variable', message: /MY_TOKEN/ });
  });
});

// The figures of the bench are a tenth of these.
describe('how soon a caller hears of an end', () => {
  it('L7, S10: half a second after a cancel at the latest', async () => {
    const counting = countingStdio();
    const home = daemonHome({ counting: counting.entry });
    await home.start();
    const abort = new AbortController();
    const called = home.client().runtime.call({ server: 'counting', tool: 'hang', signal: abort.signal });
    await eventually(() => counting.ran().includes('call hang'));
    const startedMs = performance.now();
    abort.abort();
    expect(failureOf(await called).kind).toBe('cancelled');
    expect(performance.now() - startedMs).toBeLessThan(500);
  });

  it('L7, P6: a second after the end of the server at the latest, all who wait', async () => {
    const counting = countingStdio();
    const home = daemonHome({ counting: counting.entry });
    await home.start();
    const { runtime } = home.client();
    const calls = Array.from({ length: 10 }, () => runtime.call({ server: 'counting', tool: 'hang' }));
    await eventually(() => counting.ran().filter((line) => line === 'call hang').length === 10);
    const pid = (await runtime.status()).servers[0]?.entries[0]?.info?.pid;
    const startedMs = performance.now();
    process.kill(Number(pid), 'SIGKILL');
    for (const outcome of await Promise.all(calls)) {
      expect(failureOf(outcome)).toMatchObject({ kind: 'unavailable', execution: 'unknown' });
    }
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});
