import { describe, expect, it } from 'vitest';
import { serveDialect } from '../../../test/support/event-dialect.ts';
import { serveHttp } from '../../../test/support/http-server.ts';
import { failureOf, trestleHome, valueOf } from '../../../test/support/trestle-home.ts';
import { adHocDefinition } from '../../config/index.ts';

describe('a server that the environment names', () => {
  it('H10: is shown, synced and called like a configured one, with its token', async () => {
    const server = await serveDialect('token=secret-key');
    const env = { MCP_SERVER_URL: server.url, MCP_API_KEY: 'secret-key' };
    const { runtime } = trestleHome({}, { env });
    const name = new URL(server.url).host.replace(':', '-');
    const called = valueOf(await runtime.call({ server: name, tool: 'echo', arguments: { text: 'hello' } }));
    expect(called.result).toMatchObject({ content: [{ text: 'hello' }] });
    const [status, ...others] = (await runtime.status()).servers;
    expect(others).toEqual([]);
    expect(status).toMatchObject({
      name,
      known: 'configured',
      source: 'MCP_SERVER_URL',
      problem: undefined,
      entries: [{ info: { link: 'events' } }],
    });
    expect(runtime.registry.server(name).value?.tools.length).toBeGreaterThan(5);
    expect(runtime.redact('secret-key')).toBe('[redacted]');
    const { registry } = await runtime.forget(name);
    expect(registry).toBe(true);
  });

  it('H10: the token goes to no other server', async () => {
    const server = await serveDialect();
    const other = await serveHttp((_request, response) => response.writeHead(404).end());
    const env = { MCP_SERVER_URL: server.url, MCP_API_KEY: 'secret-key' };
    const home = trestleHome({}, { env });
    const { runtime } = home;
    failureOf(await runtime.inspect({ server: adHocDefinition({ url: other.origin }) }));
    home.configure({ other: { url: other.origin } });
    failureOf(await runtime.call({ server: 'other', tool: 'echo' }));
    expect(other.seen.length).toBeGreaterThan(2);
    expect(JSON.stringify(other.seen)).not.toContain('secret-key');
  });

  it('H10, H6: nor where its server redirects to', async () => {
    const other = await serveHttp((_request, response) => response.writeHead(200).end());
    const server = await serveHttp((_request, response) =>
      response.writeHead(307, { location: `${other.origin}/sse` }).end(),
    );
    const env = { MCP_SERVER_URL: `${server.origin}/sse`, MCP_API_KEY: 'secret-key' };
    const { runtime } = trestleHome({}, { env });
    const name = new URL(server.origin).host.replace(':', '-');
    expect(failureOf(await runtime.inspect({ server: name })).failure.code).toBe('redirect_refused');
    expect(server.seen[0]?.headers.authorization).toBe('Bearer secret-key');
    expect(other.seen).toEqual([]);
  });

  it('H10: a URL that is none is told when the server is asked for', async () => {
    const { runtime } = trestleHome({}, { env: { MCP_SERVER_URL: 'localhost' } });
    const [status] = (await runtime.status()).servers;
    expect(status).toMatchObject({ name: 'MCP_SERVER_URL', known: 'broken' });
    expect(status?.problem).toContain('is no URL');
  });
});
