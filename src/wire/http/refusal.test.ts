import { describe, expect, it } from 'vitest';
import { testHttpLink, type TestHttpLink } from '../../../test/support/http-link.ts';
import { answerAsUsual, sendJson, serveHttp, type SeenRequest } from '../../../test/support/http-server.ts';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const html = '<!doctype html><html><head><title>Welcome</title></head><body>' + '<p>page</p>'.repeat(1_000);
const rpcError = (id: unknown, code: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'Session not found' } });

/** An open link to a server that answers every request but initialize so. */
async function linkTo(
  { status, headers = {}, body = '' }: Answer,
  sent: Readonly<Record<string, string>> = {},
): Promise<TestHttpLink> {
  const server = await serveHttp((request, response) => {
    if (request.method !== 'POST' || request.message['method'] === 'initialize') answerAsUsual(request, response);
    else response.writeHead(status, headers).end(body);
  });
  const opened = testHttpLink(server.origin, { headers: sent });
  await opened.link.start();
  return opened;
}

async function errorOf(work: Promise<unknown>): Promise<Record<string, unknown> & { readonly message: string }> {
  return work.then(
    (value) => {
      throw new Error(`expected an error, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error as Record<string, unknown> & { readonly message: string },
  );
}

describe('answers that are no success', () => {
  it('H7: a credential that the definition gives is told as refused, and one that it lacks as lacking', async () => {
    const told = async (sent: Readonly<Record<string, string>>): Promise<string> =>
      (await errorOf((await linkTo({ status: 401 }, sent)).request('tools/list'))).message;
    expect(await told({ AUTHORIZATION: 'Bearer of-before' })).toBe(
      'Server "thing" does not take the credential that its definition gives (HTTP 401).',
    );
    expect(await told({})).toBe('Server "thing" needs authentication (HTTP 401).');
  });

  const json = { 'content-type': 'application/json' };
  const page = { 'content-type': 'text/html; charset=utf-8' };
  it.each<[string, Answer, Readonly<Record<string, unknown>>]>([
    ['an HTML page', { status: 200, headers: page, body: html }, { code: 'not_mcp', execution: 'unknown' }],
    ['a page called text', { status: 200, headers: { 'content-type': 'text/plain' }, body: html }, { code: 'not_mcp' }],
    ['an empty 200', { status: 200, headers: json }, { code: 'broken_reply', details: { status: 200 } }],
    ['a bare 202', { status: 202 }, { code: 'broken_reply', details: { status: 202 } }],
    ['a 204', { status: 204 }, { code: 'broken_reply', details: { status: 204 } }],
    ['JSON that is none', { status: 200, headers: json, body: '{"jsonrpc":' }, { code: 'broken_reply' }],
    ['JSON that is no message', { status: 200, headers: json, body: '{"ok":true}' }, { code: 'broken_reply' }],
    [
      'an answer to something else',
      { status: 200, headers: json, body: '{"jsonrpc":"2.0","id":99,"result":1}' },
      { code: 'broken_reply' },
    ],
    [
      '401',
      { status: 401, headers: { 'www-authenticate': 'Bearer x' }, body: 'Unauthorized: Session not found' },
      {
        code: 'auth_required',
        execution: 'rejected',
        details: { status: 401, body: 'Unauthorized: Session not found', wwwAuthenticate: 'Bearer x' },
      },
    ],
    [
      '401 with a JSON-RPC error',
      { status: 401, headers: json, body: rpcError(1, -32_600) },
      { code: 'auth_required', execution: 'rejected' },
    ],
    ['403', { status: 403 }, { code: 'forbidden', execution: 'rejected', details: { status: 403 } }],
    [
      '503 with Retry-After',
      { status: 503, headers: { 'retry-after': '30' } },
      { code: 'http_error', execution: 'unknown', details: { status: 503, retryAfterSeconds: 30 } },
    ],
    [
      '500 with a JSON-RPC error',
      { status: 500, headers: json, body: rpcError(1, -32_603) },
      { code: 'http_error', execution: 'unknown' },
    ],
    ['429', { status: 429, body: 'slow down' }, { code: 'http_error', details: { status: 429, body: 'slow down' } }],
    ['404 outside a session', { status: 404 }, { code: 'http_error', details: { status: 404 } }],
    [
      'an HTML 404',
      { status: 404, headers: page, body: html },
      { code: 'http_error', details: { status: 404, body: 'Welcome' } },
    ],
    ['a 304', { status: 304 }, { code: 'http_error', details: { status: 304 } }],
  ])('H7: %s is its own outcome in one line', async (_name, answer, expected) => {
    const { request } = await linkTo(answer);
    const error = await errorOf(request('tools/call', { name: 'x' }));
    expect(error).toMatchObject({ server: 'thing', ...expected });
    expect(error.message).not.toMatch(/[\r\n<]/);
    expect(error.message.length).toBeLessThan(400);
  });

  it.each([
    [404, /the URL/],
    [405, /the URL/],
    [501, /the URL/],
    [429, /try again later/],
    [500, /try again later/],
    [503, /try again later/],
  ])('H7: %d says what to do: mend the URL or wait', async (status, hint) => {
    const { request } = await linkTo({ status, headers: page, body: html });
    expect((await errorOf(request('tools/call')))['hint']).toMatch(hint);
  });

  it.each([
    ['its own id', 1],
    ['no id', null],
    ['an id of the server’s own', 'server-error'],
  ])('H7: a JSON-RPC error with %s in a 4xx is the answer of the request', async (_name, id) => {
    const { request, messages } = await linkTo({ status: 400, headers: json, body: rpcError(id, -32_600) });
    expect(await request('tools/call')).toMatchObject({ id: 1, error: { code: -32_600 } });
    expect(messages).toHaveLength(1);
  });

  it('H7: a JSON-RPC error without id in a 200 is the answer of the request', async () => {
    const { request } = await linkTo({ status: 200, headers: json, body: rpcError(null, -32_700) });
    expect(await request('tools/call')).toMatchObject({ id: 1, error: { code: -32_700 } });
  });

  it.each([-32_020, -32_021, -32_022])('H7: error %d of the protocol passes as a message', async (code) => {
    const { request } = await linkTo({ status: 400, headers: json, body: rpcError(1, code) });
    expect(await request('tools/call')).toMatchObject({ error: { code } });
  });

  it.each([200, 202, 204])('H7: a notification accepts %d', async (status) => {
    const { notify } = await linkTo({ status, body: status === 204 ? '' : 'fine' });
    await expect(notify('notifications/roots/list_changed')).resolves.toBeUndefined();
  });

  it('H7: a refused notification rejects', async () => {
    const { notify } = await linkTo({ status: 400, headers: json, body: rpcError(null, -32_600) });
    await expect(notify('notifications/roots/list_changed')).rejects.toMatchObject({ code: 'http_error' });
  });

  it('H7: an error page that never ends is cut off', async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).write('<html><title>Bad gate');
    });
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    await expect(request('tools/call')).rejects.toMatchObject({ code: 'http_error', details: { status: 502 } });
    await expect.poll(() => server.connections.open).toBe(0);
  });

  it('H7: no control characters of a server reach our sentence', async () => {
    const { request } = await linkTo({ status: 400, body: 'a\u001B[31mb\u0007\u202Ec\n\nd' });
    const error = await errorOf(request('tools/call'));
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(error.message).not.toMatch(/[\u0000-\u001F\u202E]/);
  });
});

describe('a lost session', () => {
  const lossy = (answer: (request: SeenRequest) => Answer) =>
    serveHttp((request, response) => {
      if (request.message['method'] === 'tools/call') {
        const { status, headers = {}, body = '' } = answer(request);
        response.writeHead(status, headers).end(body);
      } else answerAsUsual(request, response);
    });

  it.each([
    ['a JSON-RPC error', rpcError(null, -32_600)],
    ['text', 'gone'],
    ['nothing', ''],
  ])('H5: 404 with %s tells that the session is lost and the call was not executed', async (_name, body) => {
    const server = await lossy(() => ({ status: 404, body }));
    const { greet, link, request } = testHttpLink(server.origin);
    await greet();
    await expect(request('tools/call')).rejects.toMatchObject({
      code: 'session_lost',
      execution: 'rejected',
      message: expect.stringMatching(/did not execute the request\.$/) as string,
    });
    await link.close();
    expect(server.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(0);
  });

  it('H5: a 404 that says the method is unknown is the answer of that request', async () => {
    const server = await lossy((request) => ({ status: 404, body: rpcError(request.message['id'], -32_601) }));
    const { greet, request } = testHttpLink(server.origin);
    await greet();
    expect(await request('tools/call')).toMatchObject({ error: { code: -32_601 } });
  });

  it('H5: session loss told as 400 or as an error in a 200 arrives with its text', async () => {
    for (const status of [400, 200]) {
      const server = await lossy((request) => ({
        status,
        headers: { 'content-type': 'application/json' },
        body: rpcError(request.message['id'], -32_000),
      }));
      const { greet, request } = testHttpLink(server.origin);
      await greet();
      expect(await request('tools/call')).toMatchObject({ error: { message: 'Session not found' } });
    }
  });

  it('H5: an initialize after the loss begins a new session', async () => {
    let sessions = 0;
    const server = await serveHttp((request, response) => {
      if (request.message['method'] !== 'initialize') {
        answerAsUsual(request, response);
        return;
      }
      sessions += 1;
      const answer = { jsonrpc: '2.0', id: request.message['id'], result: {} };
      sendJson(response, answer, { headers: { 'mcp-session-id': `s${sessions}` } });
    });
    const { greet, request } = testHttpLink(server.origin);
    await greet();
    await request('initialize');
    await request('tools/list');
    expect(server.seen.at(-1)?.headers).toMatchObject({ 'mcp-session-id': 's2' });
  });
});
