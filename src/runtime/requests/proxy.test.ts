import { describe, expect, it } from 'vitest';
import { serveProxy, type TestProxy } from '../../../test/support/proxy-server.ts';
import { countingHttp, failureOf, trestleHome, valueOf } from '../../../test/support/trestle-home.ts';

/** A server that only a proxy knows, under the name `mcp.test`. */
async function behindProxies(): Promise<{ readonly url: string; readonly proxy: () => Promise<TestProxy> }> {
  const { port, pathname } = new URL(String((await countingHttp()).entry['url']));
  return { url: `http://mcp.test${pathname}`, proxy: () => serveProxy({ hosts: { 'mcp.test': Number(port) } }) };
}

describe('proxies of callers', () => {
  it('H8, P1: two callers with different proxies share no session', async () => {
    const { url, proxy } = await behindProxies();
    const [one, two] = [await proxy(), await proxy()];
    const { runtime, folder } = trestleHome({ it: { url } }, { env: {} });
    const callers = [one, two].map(({ origin }) => ({ env: { HTTP_PROXY: origin }, cwd: folder }));
    for (const used of [0, 1, 0, 1]) {
      const before = [one.passed.length, two.passed.length];
      valueOf(await runtime.call({ server: 'it', tool: 'count', caller: callers[used] }));
      const ways = [one.passed.length, two.passed.length].map((count, nth) => count > (before[nth] ?? 0));
      expect(ways[used]).toBe(true);
      // What the other one may still carry is the farewell to a session that was replaced.
      const others = (used === 0 ? two : one).passed.slice(before[1 - used]);
      expect(others.filter(({ method }) => method === 'POST')).toEqual([]);
    }
  });

  it('H8: when the variable names another one it is used', async () => {
    const { url, proxy } = await behindProxies();
    const [one, two] = [await proxy(), await proxy()];
    const env: Record<string, string> = { http_proxy: one.origin };
    const { runtime } = trestleHome({ it: { url } }, { env });
    valueOf(await runtime.call({ server: 'it', tool: 'count' }));
    env['http_proxy'] = two.origin;
    valueOf(await runtime.call({ server: 'it', tool: 'count' }));
    expect(two.passed.length).toBeGreaterThan(0);
  });

  it('H8, K4: a failure names server, proxy and variable, and no password', async () => {
    const { url } = await behindProxies();
    const proxy = await serveProxy({ wants: 'Basic other' });
    const address = proxy.origin.replace('://', '://me:proxy-password@');
    const { runtime } = trestleHome({ it: { url } }, { env: { ALL_PROXY: address } });
    const failed = failureOf(await runtime.call({ server: 'it', tool: 'count' }));
    expect(failed).toMatchObject({
      kind: 'unavailable',
      execution: 'not-sent',
      failure: { code: 'connection_failed' },
    });
    expect(failed.failure.message).toContain(`Server "it": The proxy ${proxy.origin} (ALL_PROXY)`);
    expect(JSON.stringify(failed)).not.toContain('proxy-password');
  });

  it('H8: a proxy that cannot be used ends the search with one sentence', async () => {
    const { runtime } = trestleHome({ it: { url: 'http://mcp.test' } }, { env: { all_proxy: 'socks5://proxy' } });
    const { failure } = failureOf(await runtime.call({ server: 'it', tool: 'count' }));
    expect(failure).toMatchObject({ code: 'unsupported_setting', server: 'it' });
    expect(failure.message).toBe(
      'Server "it": The environment variable all_proxy names a proxy of the kind socks5, which Trestle cannot use.',
    );
  });
});
