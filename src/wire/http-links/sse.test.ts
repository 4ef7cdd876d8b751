import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { testHttpLink } from '../../../test/support/http-link.ts';
import {
  eventOf,
  replyTo,
  serveHttp,
  startEvents,
  type SeenRequest,
  type TestHttpServer,
} from '../../../test/support/http-server.ts';
import { limits } from '../../base/index.ts';

interface SseServer extends TestHttpServer {
  /** The one stream. */
  readonly stream: () => ServerResponse;
}

const endpointEvent = (address: string): string => `event: endpoint\ndata: ${address}\n\n`;

/** An HTTP+SSE server at `/app/sse` that names `address` and answers each POST by `answer`. */
async function serveSse(
  address: string | undefined = 'messages?s=1',
  answer: (request: SeenRequest, stream: ServerResponse) => void = (request, stream) =>
    void stream.write(eventOf(replyTo(request, request.path))),
): Promise<SseServer> {
  let stream: ServerResponse | undefined;
  const server = await serveHttp((request, response) => {
    if (request.method === 'GET') {
      stream = response;
      startEvents(response);
      response.write(': welcome\n\nretry: 3000\n\n');
      if (address !== undefined) response.write(endpointEvent(address));
    } else {
      response.writeHead(202).end('Accepted');
      if (stream !== undefined && request.message['id'] !== undefined) answer(request, stream);
    }
  });
  return {
    ...server,
    stream() {
      if (stream === undefined) throw new Error('no stream was opened');
      return stream;
    },
  };
}

describe('an HTTP+SSE link', () => {
  it.each([
    ['relative', 'messages?s=1', '/app/messages?s=1'],
    ['rooted', '/m?s=1', '/m?s=1'],
    ['a query alone', '?s=1', '/app/sse?s=1'],
  ])('H9: a %s endpoint is resolved as a browser would', async (_name, address, path) => {
    const server = await serveSse(address);
    const { link, request } = testHttpLink(`${server.origin}/app/sse`, { link: 'sse', headers: { 'X-Key': 'k' } });
    await link.start();
    expect(await request('initialize')).toMatchObject({ result: path });
    expect(server.seen[0]?.headers).toMatchObject({ accept: 'text/event-stream', 'x-key': 'k' });
    expect(server.seen[1]?.headers).toMatchObject({ 'x-key': 'k' });
    expect(link.hasPerRequestStream).toBeUndefined();
  });

  it('H9, H6: an endpoint is resolved against where redirects led', async () => {
    let stream: ServerResponse | undefined;
    const server = await serveHttp((request, response) => {
      if (request.path === '/old') response.writeHead(307, { location: '/new/sse' }).end();
      else if (request.method === 'GET') {
        stream = response;
        startEvents(response);
        response.write(endpointEvent('messages'));
      } else {
        response.writeHead(202).end();
        stream?.write(eventOf(replyTo(request, request.path)));
      }
    });
    const { link, request } = testHttpLink(`${server.origin}/old`, { link: 'sse' });
    await link.start();
    expect(await request('initialize')).toMatchObject({ result: '/new/messages' });
  });

  it('H9: an endpoint on another origin is refused, named, and gets nothing', async () => {
    const other = await serveHttp((_request, response) => response.writeHead(202).end());
    const server = await serveSse(`${other.origin}/collect?s=1`);
    const { link, closings } = testHttpLink(`${server.origin}/app/sse`, { link: 'sse' });
    const started = link.start();
    await expect(started).rejects.toMatchObject({ code: 'origin_refused', server: 'thing' });
    await expect(started).rejects.toThrow(`${other.origin}/collect`);
    expect(link.ended).toMatchObject({ code: 'origin_refused' });
    expect(closings()).toBe(1);
    expect(other.connections.made).toBe(0);
    await expect.poll(() => server.connections.open).toBe(0);
  });

  it('H9: an endpoint that is no URL, or has a password, is refused', async () => {
    for (const address of ['http://[', 'http://user:pass@127.0.0.1/']) {
      const server = await serveSse(address);
      const { link } = testHttpLink(`${server.origin}/app/sse`, { link: 'sse' });
      await expect(link.start()).rejects.toMatchObject({ code: 'broken_reply' });
    }
  });

  it('H9: later endpoint events are ignored', async () => {
    const server = await serveSse('messages?s=1');
    const { link, request } = testHttpLink(`${server.origin}/app/sse`, { link: 'sse' });
    await link.start();
    server.stream().write(endpointEvent('http://example.invalid/collect'));
    server.stream().write(endpointEvent('/elsewhere'));
    await request('initialize');
    expect(await request('tools/list')).toMatchObject({ result: '/app/messages?s=1' });
  });

  it('H9: waiting for the endpoint ends with close', async () => {
    const server = await serveHttp((_request, response) => startEvents(response));
    const { link, closings } = testHttpLink(`${server.origin}/sse`, { link: 'sse' });
    const started = link.start();
    started.catch(() => {});
    await expect.poll(() => server.seen.length).toBe(1);
    await link.close();
    await expect(started).rejects.toMatchObject({ code: 'session_closed' });
    expect(closings()).toBe(1);
    await expect.poll(() => server.connections.open).toBe(0);
  });

  it.each<readonly [string, readonly [number, string], Readonly<Record<string, unknown>>]>([
    ['404', [404, 'text/plain'], { code: 'http_error', details: { status: 404 } }],
    ['401', [401, 'text/plain'], { code: 'auth_required' }],
    ['503', [503, 'text/plain'], { code: 'http_error' }],
    ['an HTML page', [200, 'text/html'], { code: 'not_mcp' }],
    ['JSON', [200, 'application/json'], { code: 'not_mcp' }],
  ])('H9: a GET answered with %s fails the start with its own error', async (_name, [status, type], expected) => {
    const server = await serveHttp((_request, response) =>
      response.writeHead(status, { 'content-type': type }).end('<html>'),
    );
    const { link } = testHttpLink(`${server.origin}/sse`, { link: 'sse' });
    await expect(link.start()).rejects.toMatchObject({ ...expected, server: 'thing' });
    expect(link.ended).toBeDefined();
  });

  it('H9: a stream that ends before the endpoint fails the start', async () => {
    const server = await serveHttp((_request, response) => {
      startEvents(response);
      response.end(': bye\n\n');
    });
    const { link } = testHttpLink(`${server.origin}/sse`, { link: 'sse' });
    await expect(link.start()).rejects.toMatchObject({ code: 'connection_closed' });
  });

  it.each(['ends', 'breaks'])(
    'H9, P6: when the stream %s the link is over and every waiting call ends',
    async (how) => {
      const server = await serveSse('messages', () => {});
      const { link, request, closings } = testHttpLink(`${server.origin}/sse`, { link: 'sse' });
      await link.start();
      const calls = [request('initialize'), request('tools/call')];
      await expect.poll(() => link.stats().messagesOut).toBe(2);
      if (how === 'ends') server.stream().end();
      else server.cut();
      for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'connection_closed' });
      expect(closings()).toBe(1);
      await expect(request('tools/list')).rejects.toMatchObject({ code: 'connection_closed', execution: 'not-sent' });
      expect(server.seen.filter(({ method }) => method === 'GET')).toHaveLength(1);
    },
  );

  it('H9: a refused POST fails that call with its own error', async () => {
    let stream: ServerResponse | undefined;
    const server = await serveHttp((request, response) => {
      if (request.method === 'GET') {
        stream = response;
        startEvents(response);
        response.write(endpointEvent('/messages'));
      } else if (request.message['method'] === 'initialize') {
        response.writeHead(200).end('ok');
        stream?.write(eventOf(replyTo(request, 1)));
      } else response.writeHead(503).end('busy');
    });
    const { link, request } = testHttpLink(server.origin, { link: 'sse' });
    await link.start();
    await request('initialize');
    await expect(request('tools/call')).rejects.toMatchObject({ code: 'http_error', details: { status: 503 } });
    expect(await request('initialize')).toMatchObject({ result: 1 });
  });

  it('H5: a 404 where a message was taken before says that the session is gone; before that it is a wrong address', async () => {
    let stream: ServerResponse | undefined;
    const server = await serveHttp((request, response) => {
      if (request.method === 'GET') {
        stream = response;
        startEvents(response);
        response.write(endpointEvent('/messages'));
      } else if (request.message['method'] === 'initialize') {
        response.writeHead(202).end();
        stream?.write(eventOf(replyTo(request, 1)));
      } else response.writeHead(404).end('no such stream');
    });
    const { link, request } = testHttpLink(server.origin, { link: 'sse' });
    await link.start();
    await expect(request('tools/call')).rejects.toMatchObject({ code: 'http_error', details: { status: 404 } });
    await request('initialize');
    await expect(request('tools/call')).rejects.toMatchObject({ code: 'session_lost', execution: 'rejected' });
  });

  it('H3, H9: an event over the limit fails only the call it answers', async () => {
    const server = await serveSse('messages', (request, stream) => {
      const size = request.message['method'] === 'big' ? limits.messageBytes : 1;
      const reply = { result: 'x'.repeat(size), jsonrpc: '2.0', id: request.message['id'] };
      stream.write(eventOf(reply));
    });
    const { link, request } = testHttpLink(`${server.origin}/sse`, { link: 'sse' });
    await link.start();
    const [big, small] = [request('big'), request('small')];
    await expect(big).rejects.toMatchObject({ code: 'message_too_large', execution: 'unknown' });
    expect(await small).toMatchObject({ result: 'x' });
  });

  it('H9: events of other types and noise are not delivered', async () => {
    const server = await serveSse('messages');
    const { link, request, messages } = testHttpLink(`${server.origin}/sse`, { link: 'sse' });
    await link.start();
    server.stream().write('event: ping\ndata: {"jsonrpc":"2.0","method":"x"}\n\ndata: not json\n\n');
    await request('initialize');
    expect(messages).toHaveLength(1);
    expect(link.stats()).toMatchObject({ noise: 1, noiseSample: 'not json' });
  });
});

describe('HTTP+SSE beside the event dialect', () => {
  const hello = 'event: endpoint\ndata: /messages\n\nevent: tools\ndata: []\n\n';

  it('H10: a `tools` event before any message ends the link, before anything is posted', async () => {
    const server = await serveHttp((_request, response) => {
      startEvents(response);
      response.write(hello);
    });
    const { link } = testHttpLink(server.origin, { link: 'sse' });
    await expect(link.start()).rejects.toMatchObject({ code: 'not_mcp', details: { speaks: 'events' } });
    expect(server.seen).toHaveLength(1);
  });

  it('H10: where HTTP+SSE is asked for, or has begun, such an event says nothing', async () => {
    let stream: ServerResponse | undefined;
    const server = await serveHttp((request, response) => {
      if (request.method === 'GET') {
        stream = response;
        startEvents(response);
        response.write(request.path === '/both' ? hello : 'event: endpoint\ndata: /messages\n\n');
      } else {
        response.writeHead(202).end();
        stream?.write(eventOf(replyTo(request, 1)));
        stream?.write('event: tools\ndata: []\n\n');
      }
    });
    for (const options of [
      { transport: 'sse', path: '/both' },
      { transport: 'auto', path: '/' },
    ] as const) {
      const { link, request } = testHttpLink(`${server.origin}${options.path}`, { link: 'sse', ...options });
      await link.start();
      expect(await request('initialize')).toMatchObject({ result: 1 });
      expect(await request('ping')).toMatchObject({ result: 1 });
    }
  });
});
