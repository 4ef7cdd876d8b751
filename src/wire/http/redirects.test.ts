import { describe, expect, it } from 'vitest';
import { testHttpLink } from '../../../test/support/http-link.ts';
import { answerAsUsual, serveHttp, type TestHttpServer } from '../../../test/support/http-server.ts';

/** A server whose path `/mcp` works and whose other paths redirect, by the table. */
function redirecting(table: Readonly<Record<string, readonly [number, string]>>): Promise<TestHttpServer> {
  return serveHttp((request, response) => {
    const [status, location] = table[request.path] ?? [];
    if (status === undefined || location === undefined) answerAsUsual(request, response);
    else response.writeHead(status, { location }).end('moved');
  });
}

describe('redirects', () => {
  it.each([307, 308])('H6: %d within the origin is followed with method, body and headers kept', async (status) => {
    const server = await redirecting({ '/old': [status, 'hop'], '/hop': [307, '/mcp'] });
    const { greet, request } = testHttpLink(`${server.origin}/old`, { headers: { Authorization: 'Bearer k' } });
    await greet();
    expect(await request('tools/call', { name: 'x' })).toMatchObject({ result: { name: 'x' } });
    const [first, , last] = server.seen;
    expect(last).toMatchObject({ method: 'POST', path: '/mcp', body: first?.body });
    expect(last?.headers).toMatchObject({ authorization: 'Bearer k', 'content-type': 'application/json' });
  });

  it.each([301, 302, 303])('H6: %d is refused, naming status and target', async (status) => {
    const server = await redirecting({ '/old': [status, '/mcp?token=hidden'] });
    const { link, request } = testHttpLink(`${server.origin}/old`);
    await link.start();
    const failed = request('initialize');
    await expect(failed).rejects.toMatchObject({
      code: 'redirect_refused',
      server: 'thing',
      details: { status, target: `${server.origin}/mcp` },
    });
    await expect(failed).rejects.toThrow(`HTTP ${status}) to ${server.origin}/mcp`);
    expect(server.seen).toHaveLength(1);
  });

  it('H6: another origin gets nothing and is named', async () => {
    const other = await serveHttp(answerAsUsual);
    const server = await redirecting({ '/old': [307, `${other.origin}/mcp`] });
    const { link, request } = testHttpLink(`${server.origin}/old`, { headers: { Authorization: 'Bearer k' } });
    await link.start();
    await expect(request('initialize')).rejects.toThrow(`${other.origin}/mcp, which is another origin`);
    expect(other.seen).toHaveLength(0);
    expect(other.connections.made).toBe(0);
  });

  it('H6: the same host over https is another origin', async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(308, { location: server.origin.replace('http:', 'https:') }).end();
    });
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    await expect(request('initialize')).rejects.toMatchObject({ code: 'redirect_refused' });
    expect(server.seen).toHaveLength(1);
  });

  it('H6: a loop ends after five redirects', async () => {
    const server = await redirecting({ '/old': [307, '/old'] });
    const { link, request } = testHttpLink(`${server.origin}/old`);
    await link.start();
    await expect(request('initialize')).rejects.toMatchObject({ code: 'redirect_refused' });
    expect(server.seen).toHaveLength(6);
  });

  it('H6: `redirects: none` refuses those within the origin too', async () => {
    const server = await redirecting({ '/old': [307, '/mcp'] });
    const { link, request } = testHttpLink(`${server.origin}/old`, { redirects: 'none' });
    await link.start();
    await expect(request('initialize')).rejects.toMatchObject({ code: 'redirect_refused' });
    expect(server.seen).toHaveLength(1);
  });

  it('H6: a target that is no URL, or no place, is refused', async () => {
    for (const target of ['http://[', 'javascript:alert(1)']) {
      const server = await redirecting({ '/old': [307, target] });
      const { link, request } = testHttpLink(`${server.origin}/old`);
      await link.start();
      await expect(request('initialize')).rejects.toMatchObject({ code: 'redirect_refused' });
    }
  });

  it.each(['streamable', 'sse'] as const)(
    'H6: %s: a URL with user and password is refused before any connection',
    async (kind) => {
      const server = await serveHttp(answerAsUsual);
      const { link, closings } = testHttpLink(server.origin.replace('//', '//user:secret@'), { link: kind });
      const started = link.start();
      await expect(started).rejects.toMatchObject({
        code: 'config_entry_invalid',
      });
      expect(link.ended?.hint).toContain('headers');
      expect(String(link.ended)).not.toContain('secret');
      expect(closings()).toBe(1);
      expect(server.connections.made).toBe(0);
    },
  );
});
