import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { selfSigned } from '../../../test/support/certificate.ts';
import { testHttpLink } from '../../../test/support/http-link.ts';
import { answerAsUsual, eventOf, replyTo, serveHttp, startEvents } from '../../../test/support/http-server.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { serveProxy, type TestProxyOptions } from '../../../test/support/proxy-server.ts';
import { type Clock, limits, type Proxies, readProxies, systemClock, TrestleError } from '../../base/index.ts';
import type { HttpClient } from './http-client.ts';
import { createHttpClient } from './http-fetch.ts';

const trusted = selfSigned('mcp.test');
setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);

const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';
const basic = `Basic ${Buffer.from('me:pass word').toString('base64')}`;

function client(clock: Clock = systemClock): HttpClient {
  const http = createHttpClient({ clock });
  onTestFinished(() => http.close());
  return http;
}

const through = (origin: string, credentials = ''): Proxies =>
  readProxies((name) => (name === 'ALL_PROXY' ? origin.replace('://', `://${credentials}`) : undefined));

const post = (proxies: Proxies) => ({ method: 'POST', headers: {}, body, proxies }) as const;

async function failureOf(work: Promise<unknown>): Promise<TrestleError> {
  const error: unknown = await work.then(() => undefined).catch((thrown: unknown) => thrown);
  if (!(error instanceof TrestleError)) throw new Error('expected a TrestleError', { cause: error });
  return error;
}

/** A server of TLS with the certificate of `mcp.test`, which says what came. */
async function serveTls(certificate = trusted): Promise<{ readonly port: number; readonly seen: string[] }> {
  const seen: string[] = [];
  const server = createTlsServer(certificate, (request, response) => {
    seen.push(
      `${request.method} ${request.headers.host}${request.url} ${request.headers['proxy-authorization'] ?? ''}`,
    );
    request.resume().on('end', () => response.end('hello'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

const portOf = (origin: string): number => Number(new URL(origin).port);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('http: through a proxy', () => {
  it('H8: the proxy is asked for the whole URL and gets the credentials, which the server does not see', async () => {
    const server = await serveHttp(answerAsUsual);
    const proxy = await serveProxy({ hosts: { 'mcp.test': portOf(server.origin) }, wants: basic });
    const http = client();
    const response = await http.fetch('http://mcp.test/mcp?a=1', post(through(proxy.origin, 'me:pass%20word@')));
    expect(response.status).toBe(200);
    expect(proxy.passed).toEqual([
      { method: 'POST', target: 'http://mcp.test/mcp?a=1', host: 'mcp.test', authorization: basic },
    ]);
    expect(server.seen).toMatchObject([{ path: '/mcp?a=1', body, headers: { host: 'mcp.test' } }]);
    expect(server.seen[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  it('H8: loopback is reached directly, and so is what NO_PROXY names', async () => {
    const server = await serveHttp(answerAsUsual);
    const proxy = await serveProxy({ refuses: 500 });
    const response = await client().fetch(server.origin, post(through(proxy.origin)));
    expect(response.status).toBe(200);
    const exempt = { ...through(proxy.origin), exempt: 'no-such-host.invalid' };
    expect(await failureOf(client().fetch('http://no-such-host.invalid', post(exempt)))).toMatchObject({
      code: 'connection_failed',
      message: expect.not.stringContaining('proxy') as string,
    });
    expect(proxy.passed).toHaveLength(0);
  });

  it('H8: a link works through it: sessions, streams of events, a call that ends with its stream', async () => {
    const server = await serveHttp((request, response) => {
      if (request.method === 'GET' || request.message['method'] !== 'tools/call') {
        answerAsUsual(request, response);
        return;
      }
      startEvents(response);
      response.write(eventOf({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }));
      if (request.body.includes('cut')) setTimeout(() => response.destroy(), 50);
      else response.end(eventOf(replyTo(request, { done: true })));
    });
    const proxy = await serveProxy({ hosts: { 'mcp.test': portOf(server.origin) } });
    const { greet, request, messages } = testHttpLink('http://mcp.test/mcp', { proxies: through(proxy.origin) });
    await greet();
    expect(await request('tools/call')).toMatchObject({ result: { done: true } });
    expect(messages.filter((message) => message['method'] === 'notifications/progress')).toHaveLength(1);
    expect(await failureOf(request('tools/call', { cut: true }))).toMatchObject({ execution: 'unknown' });
    expect(server.seen.every(({ headers }) => headers.host === 'mcp.test')).toBe(true);
    expect(proxy.passed).toHaveLength(server.seen.length);
  });

  it('H8: HTTP+SSE works through it', async () => {
    const server = await serveHttp((request, response) => {
      if (request.method === 'GET') {
        startEvents(response);
        response.write('event: endpoint\ndata: /messages?id=1\n\n');
        streams.push(response);
      } else {
        response.writeHead(202).end();
        for (const stream of streams) stream.write(eventOf(replyTo(request, { path: request.path })));
      }
    });
    const streams: { write: (text: string) => unknown }[] = [];
    const proxy = await serveProxy({ hosts: { 'mcp.test': portOf(server.origin) } });
    const options = { link: 'sse', proxies: through(proxy.origin) } as const;
    const { link, request } = testHttpLink('http://mcp.test/sse', options);
    await link.start();
    expect(await request('ping')).toMatchObject({ result: { path: '/messages?id=1' } });
    expect(proxy.passed.map(({ target }) => target)).toEqual(['http://mcp.test/sse', 'http://mcp.test/messages?id=1']);
  });

  it('H8: a 407 is the word of the proxy: the call was not executed, and the variable is named', async () => {
    const proxy = await serveProxy({ wants: basic });
    const without = await failureOf(client().fetch('http://mcp.test', post(through(proxy.origin))));
    expect(without).toMatchObject({
      code: 'connection_failed',
      execution: 'rejected',
      message: `The proxy ${proxy.origin} (ALL_PROXY) wants a user and a password (HTTP 407).`,
      details: { status: 407, proxy: proxy.origin, variable: 'ALL_PROXY' },
    });
    expect(without.hint).toContain('ALL_PROXY');
    const wrong = await failureOf(client().fetch('http://mcp.test', post(through(proxy.origin, 'me:wrong@'))));
    expect(wrong.message).toContain('refuses our user and password');
    expect(JSON.stringify(wrong)).not.toContain('wrong');
  });

  it.each([502, 504, 403])('H8: a %i may come from the proxy, and both are named', async (status) => {
    const proxy = await serveProxy({ refuses: status });
    const { link, request } = testHttpLink('http://mcp.test/mcp', { proxies: through(proxy.origin) });
    await link.start();
    const error = await failureOf(request('tools/call'));
    expect(error).toMatchObject({ execution: status === 403 ? 'rejected' : 'unknown', details: { status } });
    expect(error.message).toContain(`Server "thing" or the proxy ${proxy.origin} (ALL_PROXY) before it`);
  });

  it('H8: a proxy that cannot be reached is named, without its credentials, and nothing was sent', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`;
    const error = await failureOf(client().fetch('http://mcp.test', post(through(origin, 'me:pass@'))));
    expect(error).toMatchObject({
      code: 'connection_failed',
      execution: 'not-sent',
      message: `Cannot connect to the proxy ${origin} (ALL_PROXY): nothing listens there (ECONNREFUSED).`,
    });
    expect(error.hint).toContain('Check ALL_PROXY');
  });

  it('H8: a proxy that breaks off while it has a call leaves it unknown', async () => {
    const server = await serveHttp(() => {});
    const proxy = await serveProxy({ hosts: { 'mcp.test': portOf(server.origin) } });
    const failing = failureOf(client().fetch('http://mcp.test', post(through(proxy.origin))));
    await expect.poll(() => server.seen.length).toBe(1);
    proxy.cut();
    const error = await failing;
    expect(error).toMatchObject({ code: 'connection_failed', execution: 'unknown' });
    expect(error.message).toContain(`The connection to mcp.test through the proxy ${proxy.origin}`);
  });
});

describe('https: through a proxy', () => {
  const tunnel = async (options: TestProxyOptions = {}) => {
    const server = await serveTls();
    const proxy = await serveProxy({ hosts: { 'mcp.test': server.port }, ...options });
    return { server, proxy };
  };

  it('H8: TLS is spoken with the server through a tunnel, which is used again', async () => {
    const { server, proxy } = await tunnel({ wants: basic });
    const http = client();
    for (let call = 0; call < 5; call += 1) {
      const response = await http.fetch('https://mcp.test/mcp', post(through(proxy.origin, 'me:pass%20word@')));
      expect(await response.text()).toBe('hello');
    }
    expect(server.seen).toEqual(Array.from({ length: 5 }, () => 'POST mcp.test/mcp '));
    expect(proxy.passed.length).toBeLessThan(3);
    expect(proxy.passed[0]).toEqual({
      method: 'CONNECT',
      target: 'mcp.test:443',
      host: 'mcp.test:443',
      authorization: basic,
    });
  });

  it('H8: callers with other credentials share no tunnel', async () => {
    const { proxy } = await tunnel();
    const http = client();
    for (const credentials of ['one:pass@', 'two:pass@', 'one:pass@']) {
      const response = await http.fetch('https://mcp.test:8443/', post(through(proxy.origin, credentials)));
      await response.text();
    }
    const users = proxy.passed.map(({ authorization = '' }) =>
      Buffer.from(authorization.slice(6), 'base64').toString(),
    );
    expect(new Set(users)).toEqual(new Set(['one:pass', 'two:pass']));
    expect(proxy.passed[0]?.target).toBe('mcp.test:8443');
  });

  it('H4, H8: the system watches over the connection to the proxy', async () => {
    const asked = vi.spyOn(Socket.prototype, 'setKeepAlive');
    onTestFinished(() => asked.mockRestore());
    const { proxy } = await tunnel();
    await client().fetch('https://mcp.test/', post(through(proxy.origin)));
    expect(asked.mock.calls).toContainEqual([true, limits.tcpKeepAliveMs]);
  });

  it('H8: a proxy that speaks TLS itself', async () => {
    const certificate = selfSigned('localhost');
    setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
    const { server, proxy } = await tunnel({ certificate });
    const proxies = through(proxy.origin.replace('127.0.0.1', 'localhost'));
    const response = await client().fetch('https://mcp.test/', post(proxies));
    expect(await response.text()).toBe('hello');
    const plain = await serveHttp(answerAsUsual);
    const other = await serveProxy({ hosts: { 'plain.test': portOf(plain.origin) }, certificate });
    const answer = await client().fetch(
      'http://plain.test/',
      post(through(other.origin.replace('127.0.0.1', 'localhost'))),
    );
    expect(answer.status).toBe(200);
    expect([server.seen.length, plain.seen.length]).toEqual([1, 1]);
  });

  it.each([
    [407, 'wants a user and a password (HTTP 407)'],
    [502, 'does not connect to mcp.test:443 (HTTP 502)'],
    [403, 'does not connect to mcp.test:443 (HTTP 403)'],
  ])('H8: a tunnel refused with %i is told, and nothing was sent', async (refuses, says) => {
    const { server, proxy } = await tunnel({ refuses });
    const error = await failureOf(client().fetch('https://mcp.test/', post(through(proxy.origin))));
    expect(error).toMatchObject({ code: 'connection_failed', execution: 'not-sent', details: { status: refuses } });
    expect(error.message).toBe(`The proxy ${proxy.origin} (ALL_PROXY) ${says}.`);
    expect(server.seen).toHaveLength(0);
    await expect.poll(proxy.open).toBe(0);
  });

  it('H8: a proxy that cannot be reached, and one that is none, are told as such', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`;
    const nobody = await failureOf(client().fetch('https://mcp.test/', post(through(origin))));
    expect(nobody).toMatchObject({
      execution: 'not-sent',
      message: `Cannot connect to the proxy ${origin} (ALL_PROXY): nothing listens there (ECONNREFUSED).`,
    });
    const other = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-thing\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const noProxy = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const broken = await failureOf(client().fetch('https://mcp.test/', post(through(noProxy))));
    expect(broken).toMatchObject({
      execution: 'not-sent',
      message: `The proxy ${noProxy} (ALL_PROXY) broke off before it was connected to mcp.test:443.`,
    });
  });

  it('H8: a certificate that is not trusted is that of the server, not of the proxy', async () => {
    const { port } = await serveTls(selfSigned('mcp.test'));
    const proxy = await serveProxy({ hosts: { 'mcp.test': port } });
    const error = await failureOf(client().fetch('https://mcp.test/', post(through(proxy.origin))));
    expect(error).toMatchObject({ code: 'connection_failed', execution: 'not-sent' });
    expect(error.message).toContain(`Cannot connect to https://mcp.test through the proxy ${proxy.origin}`);
    expect(error.message).toContain('its certificate is not trusted');
    await expect.poll(proxy.open).toBe(0);
  });

  it('H8: a proxy that does not answer is waited for as long as a connection', async () => {
    const clock = createManualClock();
    const { proxy } = await tunnel({ isSilent: true });
    const failing = failureOf(client(clock).fetch('https://mcp.test/', post(through(proxy.origin))));
    await expect.poll(() => proxy.passed.length).toBe(1);
    await clock.advance(limits.connectMs);
    const error = await failing;
    expect(error).toMatchObject({ code: 'connection_failed', execution: 'not-sent' });
    expect(error.message).toContain('did not connect to mcp.test:443 within 10 s');
    await expect.poll(proxy.open).toBe(0);
  });

  it('H8: an abort ends the wait for a tunnel, and a close leaves none', async () => {
    const { proxy } = await tunnel({ isSilent: true });
    const abort = new AbortController();
    const http = client();
    const init = { ...post(through(proxy.origin)), signal: abort.signal };
    const failing = failureOf(http.fetch('https://mcp.test/', init));
    await expect.poll(() => proxy.passed.length).toBe(1);
    abort.abort(new TrestleError({ code: 'timed_out', message: 'too late' }));
    expect(await failing).toMatchObject({ code: 'timed_out', execution: 'not-sent' });
    await http.close();
    // Long before the limit of the wait itself, which would end it, too.
    await expect.poll(proxy.open, { timeout: 5_000 }).toBe(0);
  });
});
