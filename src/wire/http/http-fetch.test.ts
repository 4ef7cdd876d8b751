import { createServer, Socket, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerAsUsual, serveHttp } from '../../../test/support/http-server.ts';
import { limits, noProxies as proxies, systemClock, TrestleError } from '../../base/index.ts';
import type { HttpClient } from './http-client.ts';
import { createHttpClient } from './http-fetch.ts';

const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';

function client(): HttpClient {
  const http = createHttpClient({ clock: systemClock });
  onTestFinished(() => http.close());
  return http;
}

async function failureOf(work: Promise<unknown>): Promise<TrestleError> {
  const error: unknown = await work.then(() => undefined).catch((thrown: unknown) => thrown);
  if (!(error instanceof TrestleError)) throw new Error('expected a TrestleError', { cause: error });
  return error;
}

/** A bare TCP server; `onSocket` gets each connection. */
async function serveTcp(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the HTTP client', () => {
  it('H3: a request has its length, in bytes', async () => {
    const server = await serveHttp(answerAsUsual);
    const text = '{"jsonrpc":"2.0","id":1,"method":"é"}';
    await client().fetch(server.origin, { method: 'POST', headers: {}, body: text, proxies });
    expect(server.seen[0]?.headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(server.seen[0]?.headers['transfer-encoding']).toBeUndefined();
  });

  it('H4: the system watches over connections that are silent', async () => {
    const asked = vi.spyOn(Socket.prototype, 'setKeepAlive');
    onTestFinished(() => asked.mockRestore());
    const server = await serveHttp(answerAsUsual);
    await client().fetch(server.origin, { method: 'POST', headers: {}, body, proxies });
    expect(asked.mock.calls).toContainEqual([true, limits.tcpKeepAliveMs]);
  });

  it('H6: redirects are handed on, not followed', async () => {
    const server = await serveHttp((_request, response) => response.writeHead(307, { location: '/other' }).end());
    const response = await client().fetch(server.origin, { method: 'POST', headers: {}, body, proxies });
    expect(response.status).toBe(307);
    expect(server.seen).toHaveLength(1);
  });

  it('H7: a 421 does not make fetch send the request a second time', async () => {
    const server = await serveHttp((_request, response) => response.writeHead(421).end());
    const response = await client().fetch(server.origin, { method: 'POST', headers: {}, body, proxies });
    expect(response.status).toBe(421);
    expect(server.seen).toHaveLength(1);
  });

  it('H7: a refused connection is not-sent', async () => {
    const address = await serveTcp(() => {}).then(async (host) => {
      const free = createServer();
      await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
      const { port } = free.address() as AddressInfo;
      await new Promise((resolve) => free.close(resolve));
      return host.replace(/\d+$/, String(port));
    });
    const error = await failureOf(
      client().fetch(`http://${address}/mcp`, { method: 'POST', headers: {}, body, proxies }),
    );
    expect(error).toMatchObject({ code: 'connection_failed', execution: 'not-sent' });
    expect(error.message).toContain(`http://${address}`);
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('H7: an unknown host is not-sent and named', async () => {
    const error = await failureOf(
      client().fetch('http://no-such-host.invalid/mcp', { method: 'GET', headers: {}, proxies }),
    );
    expect(error).toMatchObject({ code: 'connection_failed', execution: 'not-sent' });
    expect(error.message).toContain('no-such-host.invalid');
  });

  it('H7: TLS with a server that speaks none is not-sent, with a hint to http:', async () => {
    const address = await serveTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const error = await failureOf(
      client().fetch(`https://${address}/mcp`, { method: 'POST', headers: {}, body, proxies }),
    );
    expect(error).toMatchObject({ code: 'connection_failed', execution: 'not-sent' });
    expect(error.hint).toContain('http:');
  });

  it('H7: a connection reset after the request was written is unknown', async () => {
    const address = await serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const error = await failureOf(
      client().fetch(`http://${address}/mcp`, { method: 'POST', headers: {}, body, proxies }),
    );
    expect(error).toMatchObject({ code: 'connection_failed', execution: 'unknown' });
  });

  it('H7: an abort rejects with its reason, which says whether the request went out', async () => {
    const reason = new TrestleError({ code: 'timed_out', message: 'too late' });
    const early = new AbortController();
    early.abort(reason);
    const http = client();
    const server = await serveHttp(() => {});
    const init = { method: 'POST', headers: {}, body, proxies } as const;
    const notSent = await failureOf(http.fetch(server.origin, { ...init, signal: early.signal }));
    expect(notSent).toMatchObject({ code: 'timed_out', execution: 'not-sent' });
    expect(server.seen).toHaveLength(0);
    const late = new AbortController();
    const pending = failureOf(http.fetch(server.origin, { ...init, signal: late.signal }));
    await expect.poll(() => server.seen.length).toBe(1);
    late.abort(reason);
    expect(await pending).toMatchObject({ code: 'timed_out', execution: 'unknown' });
  });

  it('H3: connections are used again by calls that follow one another', async () => {
    const server = await serveHttp(answerAsUsual);
    const http = client();
    for (let call = 0; call < 10; call += 1) {
      const response = await http.fetch(server.origin, { method: 'POST', headers: {}, body, proxies });
      await response.text();
    }
    // A second one is opened when a call comes before the first connection has noticed that it is free.
    expect(server.connections.made).toBeLessThan(4);
  });

  it('after close nothing is sent', async () => {
    const server = await serveHttp(answerAsUsual);
    const http = client();
    await http.close();
    const error = await failureOf(http.fetch(server.origin, { method: 'POST', headers: {}, body, proxies }));
    expect(error).toMatchObject({ code: 'connection_failed', execution: 'not-sent' });
    expect(server.seen).toHaveLength(0);
  });
});
