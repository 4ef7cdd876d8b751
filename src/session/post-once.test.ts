import { describe, expect, it, onTestFinished } from 'vitest';
import { httpEndpoint, testDeadline } from '../../test/support/dial-fake.ts';
import {
  answerAsUsual,
  eventOf,
  replyTo,
  type SeenRequest,
  sendJson,
  serveHttp,
  startEvents,
  type TestHttpServer,
} from '../../test/support/http-server.ts';
import { silentLog, systemClock, TrestleError } from '../base/index.ts';
import { createHttpClient } from '../wire/index.ts';
import { postOnce, type RawReply, type RawRequest } from './post-once.ts';
import type { RequestControl } from './session.ts';

const asked: RawRequest = { id: 7, method: 'tools/list', params: {} };

type Handle = Parameters<typeof serveHttp>[0];

/** Posts to a server that answers as `handle` says. */
async function post(
  handle: Handle,
  request: Partial<RawRequest> = {},
  control: Partial<RequestControl> = {},
): Promise<{ readonly server: TestHttpServer; readonly reply: Promise<RawReply> }> {
  const server = await serveHttp(handle);
  const http = createHttpClient({ clock: systemClock });
  onTestFinished(() => http.close());
  const never = (): never => {
    throw new Error('a request over HTTP starts no process');
  };
  const reply = postOnce(
    { ...asked, ...request },
    {
      server: 'raw',
      endpoint: { ...httpEndpoint, url: `${server.origin}/mcp`, headers: { authorization: 'Bearer t' } },
      wire: { clock: systemClock, log: silentLog, http, keeper: { start: never, close: async () => {} } },
      control: { deadline: testDeadline(), ...control },
    },
  );
  reply.catch(() => {});
  return { server, reply };
}

async function failureOf(reply: Promise<RawReply>): Promise<TrestleError> {
  const error: unknown = await reply.then(() => undefined).catch((thrown: unknown) => thrown);
  if (!(error instanceof TrestleError)) throw new Error('expected a TrestleError', { cause: error });
  return error;
}

/** Answers with `answer` as JSON. */
const answering =
  (answer: unknown): Handle =>
  (_request, response) =>
    sendJson(response, answer);

describe('a raw request', () => {
  it('A4: is one POST as it was given, with the configured headers, and no session', async () => {
    const { server, reply } = await post(answerAsUsual, { id: 'a', params: { cursor: 'x' } });
    expect(await reply).toEqual({
      response: { jsonrpc: '2.0', id: 'a', result: { cursor: 'x' } },
      execution: 'done',
    });
    const [seen, ...others] = server.seen;
    expect(others).toEqual([]);
    expect(JSON.parse(seen?.body ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      method: 'tools/list',
      params: { cursor: 'x' },
    });
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer t',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    });
    const protocolHeaders = Object.keys(seen?.headers ?? {}).filter((name) => name.startsWith('mcp-'));
    expect(protocolHeaders).toEqual([]);
  });

  it('A4: the headers of 2026-07-28 go with params that name that revision', async () => {
    const params = { name: 'echo', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const { server, reply } = await post(answerAsUsual, { method: 'tools/call', params });
    await reply;
    expect(server.seen[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
    });
  });

  it('A4: an answer as an event stream is read until the matching id; progress is told', async () => {
    const heard: unknown[] = [];
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 2 } };
    const question = { jsonrpc: '2.0', id: 7, method: 'ping' };
    const { reply } = await post(
      (request, response) => {
        startEvents(response);
        response.write(eventOf(progress) + eventOf(question) + eventOf(replyTo(request, { ok: true })));
      },
      {},
      { onProgress: (told) => heard.push(told) },
    );
    expect((await reply).response['result']).toEqual({ ok: true });
    expect(heard).toEqual([{ progress: 2 }]);
  });

  it.each([
    [-32_601, 'rejected'],
    [-32_602, 'unknown'],
    [-32_000, 'unknown'],
  ])('A4: error %d is a response, and its execution is %s', async (code, execution) => {
    const error = { code, message: 'no' };
    const { reply } = await post(answering({ jsonrpc: '2.0', id: 7, error }));
    expect(await reply).toEqual({ response: { jsonrpc: '2.0', id: 7, error }, execution });
  });

  it('A4: an error in a 4xx is the response, too', async () => {
    const { reply } = await post((_request, response) =>
      sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'no' } }, { status: 400 }),
    );
    expect(await reply).toMatchObject({ response: { id: 7, error: { code: -32_600 } }, execution: 'rejected' });
  });

  it.each([
    ['another id', { id: 8, result: {} }, /has the id 8 instead of 7/],
    ['an id of another type', { id: '7', result: {} }, /has the id "7" instead of 7/],
    ['no id', { result: {} }, /has no usable id instead of 7/],
    ['result and error', { id: 7, result: {}, error: { code: 1, message: '' } }, /both a result and an error/],
    ['neither', { id: 7 }, /neither a result nor an error/],
  ])('A4: an answer with %s is an error', async (_what, answer, why) => {
    const { reply } = await post(answering({ jsonrpc: '2.0', ...answer }));
    const failure = await failureOf(reply);
    expect(failure).toMatchObject({ code: 'broken_reply', execution: 'unknown', server: 'raw' });
    expect(failure.message).toMatch(why);
  });

  it('A4: a wrong id on an event stream ends the wait at once', async () => {
    const { reply } = await post((_request, response) => {
      startEvents(response);
      response.write(eventOf({ jsonrpc: '2.0', id: 8, result: {} }));
    });
    expect(await failureOf(reply)).toMatchObject({ code: 'broken_reply' });
  });

  it('A4: what is no JSON-RPC at all is an error in one line', async () => {
    const { reply } = await post((_request, response) => response.writeHead(200).end('hello'));
    expect(await failureOf(reply)).toMatchObject({ code: 'broken_reply', execution: 'unknown' });
  });

  it('H6: no redirect is followed, not even within the origin', async () => {
    const { server, reply } = await post((_request, response) => response.writeHead(307, { location: '/b' }).end());
    expect(await failureOf(reply)).toMatchObject({ code: 'redirect_refused' });
    expect(server.seen).toHaveLength(1);
  });

  it('S9: a server that never answers ends at the deadline; the request may have been executed', async () => {
    const { reply } = await post(
      (_request, response) => startEvents(response),
      {},
      {
        deadline: testDeadline(systemClock, 100),
      },
    );
    expect(await failureOf(reply)).toMatchObject({ code: 'timed_out', execution: 'unknown' });
  });

  it('S10: the caller ends it; what was not sent by then is not sent', async () => {
    const cancelled = AbortSignal.abort(new TrestleError({ code: 'cancelled', message: 'enough' }));
    const { server, reply } = await post(answerAsUsual, {}, { deadline: testDeadline(systemClock, 100, cancelled) });
    expect(await failureOf(reply)).toMatchObject({ code: 'cancelled', execution: 'not-sent' });
    expect(server.seen).toEqual([]);
  });

  it('A4: a session that a raw initialize began is ended, since nobody can use it', async () => {
    const { server, reply } = await post(answerAsUsual, { method: 'initialize' });
    await reply;
    const shown = server.seen.map(({ method, headers }: SeenRequest) => [method, headers['mcp-session-id']]);
    expect(shown).toEqual([
      ['POST', undefined],
      ['DELETE', 's1'],
    ]);
  });
});
