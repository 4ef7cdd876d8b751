import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { isAlive } from '../../../test/support/processes.ts';
import { openTestLink, testServer } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits, silentLog, systemClock } from '../../base/index.ts';
import { createProcessKeeper } from '../processes/process-trees.ts';
import { openStdio } from './stdio.ts';

const server = testServer('echo-stdio.mjs');

describe('starting', () => {
  it('T1: arguments arrive item by item, as they are', async () => {
    const args = [
      'two words',
      '',
      'a;b',
      '$HOME',
      "it's",
      String.raw`C:\new\table`,
      '--flag=x y',
      '*',
      'ünï',
      '"',
      '%PATH%',
    ];
    const { request } = await openTestLink(testServer('echo-stdio.mjs', ...args));
    expect((await request('where'))['result']).toMatchObject({ argv: args });
  });

  it('T2: a message is one line also for a server that ends lines at other characters', async () => {
    const reads = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, params } = JSON.parse(line);
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: params }));
    });`;
    const { request } = await openTestLink({ ...server, args: ['-e', reads] });
    const text = 'one\u2028two\u2029three\u0085four\n\\u2028';
    expect((await request('echo', { text }))['result']).toEqual({ text });
  });

  it('T1: the environment is the given one and the two marks, nothing else', async () => {
    const cwd = tempFolder();
    const env = { PATH: process.env['PATH'] ?? '', EMPTY: '', LINES: 'a\nb', UNI: 'ü 🚀' };
    const { request } = await openTestLink({ ...server, env, cwd });
    const { result } = (await request('where')) as { result: { env: Record<string, string>; cwd: string } };
    expect(result.cwd).toBe(cwd);
    expect(result.env).toMatchObject(env);
    const added = Object.keys(result.env).filter((name) => !(name in env) && !name.startsWith('__'));
    expect(added.sort()).toEqual(['TRESTLE_OWNER', 'TRESTLE_SERVER', 'TRESTLE_TREE']);
  });

  it.each([
    [
      'a command that is nowhere',
      'no-such-program-here',
      'command_not_found',
      /no-such-program-here.*PATH is \/some\/where/,
      /Install/,
    ],
    [
      'a whole command line',
      'npx -y some-server',
      'command_not_found',
      /"npx -y some-server"/,
      /"npx", "args": \["-y","some-server"\]/,
    ],
    ['a file that is not there', './gone', 'command_not_found', /no such file/, /full path/],
    ['a file that may not be run', './plain.txt', 'spawn_failed', /not executable/, /chmod/],
    ['a folder', './folder', 'spawn_failed', /it is a folder/, /program in it/],
    ['a script without its interpreter', './script', 'spawn_failed', /interpreter/, /^$/],
  ])('T1: %s is named as such', async (...[, command, code, message, hint]) => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, 'folder'));
    writeFileSync(join(cwd, 'plain.txt'), 'x', { mode: 0o644 });
    writeFileSync(join(cwd, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 });
    const endpoint = { ...server, command, args: [], cwd, env: { PATH: '/some/where' } };
    const error = await openTestLink(endpoint).catch((thrown: unknown) => thrown as Record<string, unknown>);
    expect(error).toMatchObject({ code, server: 'thing', message: expect.stringMatching(message) as string });
    expect((error as { hint?: string }).hint ?? '').toMatch(hint);
  });

  it('T1: a missing working folder is told from a missing command', async () => {
    const cwd = join(tempFolder(), 'gone');
    await expect(openTestLink({ ...server, cwd })).rejects.toMatchObject({
      code: 'cwd_not_found',
      message: expect.stringContaining(cwd) as string,
    });
  });

  it('T1: a program whose path has spaces, relative to the working folder', async () => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, 'my apps'));
    writeFileSync(join(cwd, 'my apps/server'), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
    chmodSync(join(cwd, 'my apps/server'), 0o755);
    const { request } = await openTestLink({ ...server, command: './my apps/server', cwd });
    expect((await request('where'))['result']).toMatchObject({ cwd });
  });

  it('a failed start closes the link, with its reason, once', async () => {
    const keeper = createProcessKeeper({ clock: systemClock, log: silentLog });
    const http = { fetch: () => Promise.reject(new Error('none')), close: async () => {} };
    const link = openStdio({ ...server, command: 'gone' }, 'thing', {
      clock: systemClock,
      log: silentLog,
      keeper,
      http,
    });
    let closes = 0;
    link.onclose = () => {
      closes += 1;
    };
    await expect(link.start()).rejects.toMatchObject({ code: 'command_not_found' });
    await link.close();
    await keeper.close();
    expect([closes, link.ended?.code]).toEqual([1, 'command_not_found']);
  });

  it('S15: closing while it starts leaves no process', async () => {
    const keeper = createProcessKeeper({ clock: systemClock, log: silentLog });
    const http = { fetch: () => Promise.reject(new Error('none')), close: async () => {} };
    const link = openStdio(server, 'thing', { clock: systemClock, log: silentLog, keeper, http });
    const starting = link.start();
    await link.close();
    await expect(starting).rejects.toMatchObject({ code: 'session_closed' });
    expect(link.pid === undefined || !isAlive(link.pid)).toBe(true);
    await keeper.close();
  });
});

describe('messages', () => {
  it('T3: a message of exactly 16 MiB passes each way; one byte more fails only the call it answers', async () => {
    const { request, faults, link } = await openTestLink(server);
    const { result } = (await request('sized', { bytes: limits.messageBytes })) as { result: { text: string } };
    expect(result.text.length).toBeGreaterThan(limits.messageBytes - 100);
    const other = request('echo', { a: 1 });
    await expect(request('sized', { bytes: limits.messageBytes + 1 })).rejects.toMatchObject({
      code: 'message_too_large',
    });
    await expect(request('sized', { bytes: limits.messageBytes + 1, last: true })).rejects.toMatchObject({
      code: 'message_too_large',
      execution: 'unknown',
    });
    expect((await other)['result']).toEqual({ echo: { a: 1 } });
    expect((await request('echo'))['result']).toEqual({ echo: {} });
    expect(faults.map(({ id }) => id)).toEqual([3, 4]);
    expect(link.stats().noise).toBe(0);
  });

  it('T3: a message of exactly 16 MiB is sent, a longer one is refused unsent', async () => {
    const { request, link } = await openTestLink(server);
    const envelope = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: { a: '' } }).length;
    const a = 'x'.repeat(limits.messageBytes - envelope);
    expect((await request('echo', { a }))['id']).toBe(1);
    const before = link.stats().bytesOut;
    await expect(request('echo', { a: `${a}x` })).rejects.toMatchObject({
      code: 'message_too_large',
      execution: 'not-sent',
    });
    await expect(request('echo', { a: 'ü'.repeat(limits.messageBytes / 2) })).rejects.toMatchObject({
      code: 'message_too_large',
    });
    expect(link.stats().bytesOut).toBe(before);
  });

  it('T3: 64 MiB without a line end ends the link with one error', async () => {
    const { request, ended, link } = await openTestLink(server);
    await expect(request('flood', { bytes: limits.unbrokenBytes + 5_000_000 })).rejects.toMatchObject({
      code: 'flooded',
    });
    expect((await ended).code).toBe('flooded');
    await link.close();
    expect(isAlive(link.pid ?? 0)).toBe(false);
  });

  it('T4: noise between messages is skipped, counted, and its first piece kept clean and short', async () => {
    const { request, link, messages } = await openTestLink(server);
    const lines = [
      `\u001B[32m${'Listening '.repeat(100)}`,
      '{"level":"info"}',
      'null',
      '[]',
      '',
      '\r',
      '{"jsonrpc":"2.0","id":',
    ];
    await request('noise', { lines });
    await request('noise', { lines });
    expect(messages).toHaveLength(2);
    expect(link.stats().noise).toBe(10);
    expect(link.stats().noiseSample).toMatch(/^Listening [\w ]+…$/);
    expect(link.stats().noiseSample?.length).toBe(limits.noiseSampleCharacters);
  });

  it('what the receiver of one message throws does not lose the next', async () => {
    const { request, link } = await openTestLink(server);
    const errors: Error[] = [];
    const deliver = link.onmessage;
    link.onerror = (error) => errors.push(error);
    link.onmessage = () => {
      link.onmessage = deliver;
      throw new Error('receiver');
    };
    request('echo').catch(() => {});
    expect((await request('echo'))['id']).toBe(2);
    expect(errors.map((error) => error.message)).toEqual(['receiver']);
  });

  it('the first byte on stderr counts as a sign of life', async () => {
    const { link, request } = await openTestLink(server);
    let seen = false;
    void link.firstByte.then(() => (seen = true));
    expect(seen).toBe(false);
    await request('stderr', { bytes: 1 });
    expect(seen).toBe(true);
  });
});

describe('stderr', () => {
  it('T5: it is drained however much comes, and its last 8 KiB are kept', async () => {
    const { request, link } = await openTestLink(server);
    for (let turn = 0; turn < 3; turn += 1) await request('stderr', { bytes: 1_000_000 });
    await request('stderr', { bytes: 4, text: 'last' });
    await eventually(() => link.stderrTail().endsWith('last'));
    const [sign, ...kept] = link.stderrTail();
    expect(sign).toBe('…');
    expect(Buffer.byteLength(kept.join(''))).toBe(limits.stderrTailBytes);
  });

  it('T5: the error of an exit has code, last line and the tail', async () => {
    const { request, link } = await openTestLink(server);
    const call = request('exit', { code: 7, stderr: 'starting\n\u001B[31mfatal: locked\u001B[0m\n' });
    await expect(call).rejects.toMatchObject({
      code: 'server_exited',
      details: { exitCode: 7, stderr: 'starting\nfatal: locked' },
    });
    expect(link.ended?.message).toBe(
      'The process of server "thing" exited with code 7; its last line of stderr: fatal: locked.',
    );
  });

  it('T5: the error of a kill has the signal', async () => {
    const { request } = await openTestLink(server);
    await expect(request('signal', { name: 'SIGKILL' })).rejects.toMatchObject({
      message: expect.stringContaining('was ended by SIGKILL') as string,
      details: { exitCode: null, signal: 'SIGKILL' },
    });
  });
});

describe('the end', () => {
  it('P6: all waiting calls end at once when the process dies', async () => {
    const { request } = await openTestLink(server);
    await request('echo');
    const startedMs = performance.now();
    const calls = [request('silent'), request('silent'), request('half')];
    const outcomes = await Promise.allSettled(calls);
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'server_exited' } });
  });

  it('P6: half a reply before the exit is no fault of its own; the exit is the reason', async () => {
    const { request, faults } = await openTestLink(server);
    await expect(request('half')).rejects.toMatchObject({ code: 'server_exited', details: { exitCode: 3 } });
    expect(faults).toEqual([]);
  });

  it('a last reply without a line end is still delivered', async () => {
    const { request } = await openTestLink(server);
    expect((await request('unterminated'))['result']).toEqual({});
  });

  it('P6: the exit is told promptly although a grandchild holds the pipes', async () => {
    const { request, ended, link } = await openTestLink(server);
    const startedMs = performance.now();
    await expect(request('leave')).rejects.toMatchObject({ code: 'server_exited', details: { exitCode: 4 } });
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    await ended;
    await link.close();
  });

  it('a server that closes its output is over', async () => {
    const { request, link } = await openTestLink(server);
    await expect(request('closeOutput')).rejects.toMatchObject({ code: 'connection_closed' });
    await link.close();
    expect(isAlive(link.pid ?? 0)).toBe(false);
  });

  it('onclose fires once, and close may be called by many', async () => {
    const { link } = await openTestLink(server);
    let closes = 0;
    link.onclose = () => {
      closes += 1;
    };
    await Promise.all([link.close(), link.close(), link.close()]);
    await link.close();
    expect([closes, link.ended?.code]).toEqual([1, 'session_closed']);
    expect(isAlive(link.pid ?? 0)).toBe(false);
  });

  it('T8: sends after the end reject unsent with the reason, notifications too', async () => {
    const { link, request } = await openTestLink(server);
    await request('exit', { code: 1 }).catch(() => {});
    const sending = link.send({ jsonrpc: '2.0', method: 'notifications/cancelled' });
    await expect(sending).rejects.toMatchObject({ code: 'server_exited', execution: 'not-sent' });
  });
});

describe('a server that does not read', () => {
  const mebibyte = 'x'.repeat(1024 * 1024);

  it('T8: replies and stderr still arrive while writes wait, and the queue is bounded', async () => {
    const { request, link } = await openTestLink(server);
    const deaf = request('deaf', { ms: 1_000 });
    const before = request('echo', { a: 0 });
    const sends = Array.from({ length: 80 }, () =>
      request('echo', { a: mebibyte }).then(
        () => 'answered',
        (error: unknown) => error,
      ),
    );
    await deaf;
    const outcomes = await Promise.all(sends);
    expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThanOrEqual(60);
    const refused = outcomes.filter((outcome) => outcome !== 'answered');
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(error).toMatchObject({ code: 'connection_failed', execution: 'not-sent' });
    expect((await before)['result']).toEqual({ echo: { a: 0 } });
    await link.close();
  });

  it('T8: when it dies, what was handed to the pipe is unknown and what still waited is not sent', async () => {
    const { link, request } = await openTestLink(server);
    await request('echo');
    request('deaf', { ms: 60_000 }).catch(() => {});
    const send = (a: string): Promise<unknown> =>
      link.send({ jsonrpc: '2.0', method: 'n', params: { a } }).then(
        () => 'written',
        (error: unknown) => error,
      );
    const [large, small] = [send(mebibyte.repeat(4)), send('x')];
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { pid } = link;
    if (pid === undefined) throw new Error('it has no process');
    process.kill(pid, 'SIGKILL');
    expect(await large).toMatchObject({ code: 'server_exited', execution: 'unknown', details: { signal: 'SIGKILL' } });
    expect(await small).toMatchObject({ code: 'server_exited', execution: 'not-sent' });
  });

  it('T8: an abort takes a waiting message out of the queue', async () => {
    const { link, request } = await openTestLink(server);
    await request('echo');
    const deaf = request('deaf', { ms: 700 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const large = link.send({ jsonrpc: '2.0', method: 'n', params: { a: mebibyte.repeat(2) } });
    const abort = new AbortController();
    const waiting = link.send({ jsonrpc: '2.0', id: 99, method: 'echo' }, { requestSignal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled', execution: 'not-sent' });
    await large;
    await deaf;
    expect((await request('echo'))['result']).toEqual({ echo: {} });
    expect(link.stats().messagesIn).toBe(3);
  });
});
