import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serveDialect, type DialectServer } from '../../../test/support/event-dialect.ts';
import { testHttpLink, type TestHttpLink, type TestHttpLinkOptions } from '../../../test/support/http-link.ts';
import { serveHttp, startEvents } from '../../../test/support/http-server.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { limits, TrestleError } from '../../base/index.ts';

type SendOptions = Parameters<TestHttpLink['link']['send']>[1];

interface Opened extends TestHttpLink {
  readonly call: (name: string, args?: unknown, options?: SendOptions) => Promise<Readonly<Record<string, unknown>>>;
}

async function open(url: string, options: TestHttpLinkOptions = {}): Promise<Opened> {
  const opened = testHttpLink(url, { link: 'events', ...options });
  await opened.link.start();
  return {
    ...opened,
    call: (name, args = {}, sendOptions) => opened.request('tools/call', { name, arguments: args }, sendOptions),
  };
}

async function dialled(...settings: readonly string[]): Promise<Opened & { readonly server: DialectServer }> {
  const server = await serveDialect(...settings);
  return { ...(await open(server.url)), server };
}

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const calls = (server: DialectServer): readonly string[] => server.ran().filter((line) => line.startsWith('call'));
const streams = (server: DialectServer): number => server.ran().filter((line) => line === 'stream').length;

async function failureOf(work: Promise<unknown>): Promise<TrestleError> {
  const error: unknown = await work.then(() => undefined).catch((thrown: unknown) => thrown);
  if (error instanceof TrestleError) return error;
  throw new Error('expected a TrestleError', { cause: error });
}

/** A call that is cancelled gets no answer. */
function abandon(call: Promise<unknown>): void {
  call.catch(() => {});
}

/** A signal, and the error it aborts with. */
function canceller(): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const abort = new AbortController();
  const reason = new TrestleError({ code: 'cancelled', message: 'enough' });
  return { signal: abort.signal, cancel: () => abort.abort(reason) };
}

describe('a link over the event dialect', () => {
  it.each([[], ['endpoint=text'], ['endpoint=url'], ['tools=object'], ['tools=names'], ['pauseMs=50']])(
    'H10: calls are answered, however the server greets %j',
    async (...settings) => {
      const { call, request, server } = await dialled(...settings);
      const { tools } = (await request('tools/list'))['result'] as { readonly tools: readonly { name: string }[] };
      expect(tools.map(({ name }) => name)).toContain('echo');
      expect(await call('echo', { text: 'hello' })).toMatchObject({ result: text('hello') });
      expect(await call('value')).toMatchObject({ result: { structuredContent: { n: 1 } } });
      expect(await call('words')).toMatchObject({ result: text('plain words,\ntwo lines') });
      expect(calls(server)).toEqual(['call echo', 'call value', 'call words']);
      expect(streams(server)).toBe(1);
    },
  );

  it('H10: handshake and ping are answered here, what the dialect lacks is unknown, notifications go nowhere', async () => {
    const { greet, request, server } = await (async () => {
      const running = await serveDialect();
      return { ...testHttpLink(running.url, { link: 'events' }), server: running };
    })();
    await greet();
    expect(await request('initialize')).toMatchObject({ result: { capabilities: { tools: {} } } });
    expect(await request('ping')).toMatchObject({ result: {} });
    expect(await request('prompts/list')).toMatchObject({ error: { code: -32_601 } });
    expect(server.ran()).toEqual(['stream']);
  });

  it('H10: a POST carries the session, the tool, its arguments, and the headers of the definition', async () => {
    const server = await serveHttp((request, response) => {
      if (request.method === 'GET') {
        startEvents(response);
        response.write('event: endpoint\ndata: {"session_id":7}\n\nevent: tools\ndata: ["t"]\n\n');
        stream = response;
      } else {
        response.writeHead(202).end();
        stream?.write('event: result\ndata: 1\n\n');
      }
    });
    let stream: ServerResponse | undefined;
    const { call } = await open(`${server.origin}/sse?key=1`, { headers: { Authorization: 'Bearer b' } });
    await call('t', { text: 'é' });
    expect(server.seen.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/sse?key=1'],
      ['POST', '/sse?key=1'],
    ]);
    expect(server.seen[1]?.message).toEqual({ session_id: 7, tool: 't', args: { text: 'é' } });
    const [get, post] = server.seen;
    expect([get?.headers.authorization, post?.headers.authorization]).toEqual(['Bearer b', 'Bearer b']);
    expect(post?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(post?.headers['mcp-protocol-version']).toBeUndefined();
  });

  it('H10: one call runs at a time, the others wait, and each gets its own answer', async () => {
    const { call, server } = await dialled();
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const slow = call('slow', { ms: 100 });
    const answers = await Promise.all(texts.map((words) => call('echo', { text: words })));
    expect(answers.map(({ result }) => result)).toEqual(texts.map(text));
    expect(await slow).toMatchObject({ result: text('waited 100') });
    expect(calls(server)).toEqual(['call slow', ...texts.map(() => 'call echo')]);
    expect(streams(server)).toBe(1);
  });

  it('H10: what waits is bounded', async () => {
    const { call, server } = await dialled();
    const { signal, cancel } = canceller();
    const waiting = Array.from({ length: limits.dialect.waitingCalls + 1 }, () =>
      failureOf(call('hang', {}, { requestSignal: signal })),
    );
    const refused = await failureOf(call('hang'));
    expect(refused).toMatchObject({ code: 'connection_failed', execution: 'not-sent' });
    await expect.poll(() => calls(server).length).toBe(1);
    cancel();
    expect(await Promise.all(waiting.slice(1))).toHaveLength(limits.dialect.waitingCalls);
  });

  it('H10: a call that is given up while it waits never leaves', async () => {
    const { call, server } = await dialled();
    const { signal, cancel } = canceller();
    const sent: string[] = [];
    const first = call('slow', { ms: 200 }, { onSending: () => sent.push('slow') });
    const second = failureOf(
      call('echo', { text: 'never' }, { requestSignal: signal, onSending: () => sent.push('echo') }),
    );
    await expect.poll(() => calls(server).length).toBe(1);
    cancel();
    expect(await second).toMatchObject({ code: 'cancelled', execution: 'not-sent' });
    await first;
    expect(await call('words')).toMatchObject({ result: text('plain words,\ntwo lines') });
    expect(calls(server)).toEqual(['call slow', 'call words']);
    expect(sent).toEqual(['slow']);
    expect(streams(server)).toBe(1);
  });

  it('H10: after a cancel the stream is dialled anew, so that a late result answers no other call', async () => {
    const { call, server, messages } = await dialled();
    const { signal, cancel } = canceller();
    abandon(call('slow', { ms: 300 }, { requestSignal: signal }));
    await expect.poll(() => calls(server).length).toBe(1);
    cancel();
    const next = call('slow', { ms: 600 });
    expect(await next).toMatchObject({ result: text('waited 600') });
    expect(JSON.stringify(messages)).not.toContain('waited 300');
    expect(streams(server)).toBe(2);
  });

  it('H10: calls that wait during a redial go on, and a ping waits for the new stream', async () => {
    const { call, request, server } = await dialled('pauseMs=100');
    const { signal, cancel } = canceller();
    abandon(call('hang', {}, { requestSignal: signal }));
    const waiting = call('echo', { text: 'patient' });
    await expect.poll(() => calls(server).length).toBe(1);
    cancel();
    await request('ping');
    expect(streams(server)).toBe(2);
    expect(await waiting).toMatchObject({ result: text('patient') });
  });

  it('H10: a redial that fails ends the link, and what waited was not sent', async () => {
    const { call, link, server } = await dialled('redial=refused');
    const { signal, cancel } = canceller();
    const sent: string[] = [];
    abandon(call('hang', {}, { requestSignal: signal }));
    const waiting = failureOf(call('echo', { text: 'x' }, { onSending: () => sent.push('echo') }));
    await expect.poll(() => calls(server).length).toBe(1);
    cancel();
    expect(await waiting).toMatchObject({ code: 'http_error', execution: 'not-sent' });
    expect(link.ended).toMatchObject({ code: 'http_error' });
    expect(sent).toEqual([]);
  });

  it('H10: a redial that is not answered ends the link after a while', async () => {
    const clock = createManualClock();
    const server = await serveDialect('redial=hangs');
    const { call, link } = await open(server.url, { clock });
    const { signal, cancel } = canceller();
    abandon(call('hang', {}, { requestSignal: signal }));
    await expect.poll(() => calls(server).length).toBe(1);
    cancel();
    await expect.poll(() => streams(server)).toBe(2);
    await clock.advance(limits.dialect.redialMs - 1);
    expect(link.ended).toBeUndefined();
    await clock.advance(1);
    expect(link.ended).toMatchObject({ code: 'connection_closed' });
    expect(link.ended?.message).toContain('within 10 s');
  });

  it('H10: a later list of tools replaces the first and is told once, an equal one is not', async () => {
    const { call, request, messages } = await dialled();
    await call('grow');
    const changes = messages.filter(({ method }) => method === 'notifications/tools/list_changed');
    expect(changes).toHaveLength(1);
    expect(JSON.stringify(await request('tools/list'))).toContain('grown');
  });

  it('H10, S5: what a tool says when it fails goes to the model, whatever the POST was answered with', async () => {
    const { call, server } = await dialled();
    expect(await call('fail', { how: 'told' })).toMatchObject({
      result: { ...text('the disk is full'), isError: true },
    });
    expect(await call('fail', { how: 'protocol' })).toMatchObject({
      error: { code: -32_602, message: 'no such text', data: { at: 'text' } },
    });
    expect(await call('echo', { text: 'fine' })).toMatchObject({ result: text('fine') });
    expect(streams(server)).toBe(1);
  });

  it('H10: a 500 without an event is unknown, and the next call has a new session', async () => {
    const { call, server } = await dialled();
    const error = await failureOf(call('fail', { how: 'silently' }));
    expect(error).toMatchObject({ code: 'http_error', execution: 'unknown', details: { status: 500 } });
    expect(await call('echo', { text: 'fine' })).toMatchObject({ result: text('fine') });
    expect(streams(server)).toBe(2);
  });

  it('H10: a session that is not known any more is lost, and its call was rejected', async () => {
    const { call } = await dialled();
    expect(await failureOf(call('forget'))).toMatchObject({ code: 'session_lost', execution: 'rejected' });
  });

  it('H10: without the token the server refuses: nothing was sent', async () => {
    const server = await serveDialect('token=t');
    const refused = testHttpLink(server.url, { link: 'events' });
    expect(await failureOf(refused.link.start())).toMatchObject({ code: 'auth_required', execution: 'not-sent' });
    const { call } = await open(server.url, { headers: { Authorization: 'Bearer t' } });
    expect(await call('echo', { text: 'in' })).toMatchObject({ result: text('in') });
  });

  it.each(['die', 'cut'])(
    'H10, P6: when the server is gone (%s) the call that runs ends at once, and those that wait were not sent',
    async (tool) => {
      const { call, link, closings, server } = await dialled();
      const sent: string[] = [];
      const running = failureOf(call(tool, {}, { onSending: () => sent.push(tool) }));
      const waiting = failureOf(call('echo', { text: 'x' }, { onSending: () => sent.push('echo') }));
      await running;
      // Whether the stream or the POST breaks first is chance; a new stream is not to be had either way.
      expect(await waiting).toMatchObject({ execution: 'not-sent' });
      expect(link.ended?.code).toMatch(/^connection_/);
      expect(sent).toEqual([tool]);
      expect(closings()).toBe(1);
      expect(calls(server)).toEqual([`call ${tool}`]);
    },
  );

  it('H10: a result that nobody waits for, and one of another session, belong to nothing', async () => {
    const { call, messages } = await dialled();
    expect(await call('twice', { text: 'first' })).toMatchObject({ result: text('first') });
    await expect.poll(() => messages.filter(({ id }) => id === 'nobody').length).toBe(1);
    expect(await call('foreign')).toMatchObject({ result: text('yours') });
    expect(messages.filter(({ id }) => id === 'nobody')).toMatchObject([{ result: text('once more') }, {}]);
  });

  it('H3, H10: a result over the limit fails its call, and the next one has a new session', async () => {
    const { call, server, faults } = await dialled();
    expect(await failureOf(call('big'))).toMatchObject({ code: 'message_too_large', execution: 'unknown' });
    expect(faults).toHaveLength(1);
    expect(await call('echo', { text: 'fine' })).toMatchObject({ result: text('fine') });
    expect(streams(server)).toBe(2);
  });

  it('H10: a server that never answers the POST but sends the result has answered', async () => {
    const { call, link } = await dialled();
    expect(await call('deaf', { text: 'done' })).toMatchObject({ result: text('done') });
    expect(await call('deaf', { text: 'again' })).toMatchObject({ result: text('again') });
    await link.close();
  });

  it('H10: it is started when the tools are known, and close ends the wait for them', async () => {
    const server = await serveHttp((_request, response) => {
      startEvents(response);
      response.write('event: endpoint\ndata: abc\n\nevent: tools\ndata: none\n\n');
    });
    const { link } = testHttpLink(server.origin, { link: 'events' });
    const starting = failureOf(link.start());
    await expect.poll(() => link.stats().noise).toBe(1);
    await link.close();
    expect(await starting).toMatchObject({ code: 'session_closed' });
    await expect.poll(() => server.connections.open).toBe(0);
  });

  it('H10: an HTML page in place of a stream, or as the answer to a call, is told as such', async () => {
    const page = '<!doctype html><title>Sign in</title>';
    const server = await serveHttp((request, response) => {
      if (request.method === 'GET' && request.path === '/sse') {
        startEvents(response);
        response.write('event: endpoint\ndata: abc\n\nevent: tools\ndata: ["t"]\n\n');
      } else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    });
    const refused = testHttpLink(`${server.origin}/page`, { link: 'events' });
    expect(await failureOf(refused.link.start())).toMatchObject({ code: 'not_mcp', execution: 'not-sent' });
    const { call } = await open(`${server.origin}/sse`);
    expect(await failureOf(call('t'))).toMatchObject({ code: 'not_mcp', execution: 'unknown' });
  });

  it('H10: the end of the server is the end of the link', async () => {
    const { link, server } = await dialled();
    const over = new Promise<void>((resolve) => {
      link.onclose = resolve;
    });
    server.child.kill('SIGKILL');
    await Promise.all([over, once(server.child, 'exit')]);
    expect(link.ended).toMatchObject({ code: 'connection_closed' });
  });
});
