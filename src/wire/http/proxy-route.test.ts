import { describe, expect, it } from 'vitest';
import { type Proxies, readProxies, TrestleError } from '../../base/index.ts';
import { routeOf } from './proxy-route.ts';

const proxies = (env: Readonly<Record<string, string>>): Proxies => readProxies((name) => env[name]);
const both = proxies({ ALL_PROXY: 'http://proxy:3128' });
const kindOf = (url: string, noProxy: string): string => routeOf(url, { ...both, exempt: noProxy }).kind;

describe('the way of a request', () => {
  it('H8: http: is asked of the proxy, https: goes through a tunnel, nothing through no proxy', () => {
    expect(routeOf('http://mcp.test/mcp', both)).toMatchObject({ kind: 'forward', proxy: { variable: 'ALL_PROXY' } });
    expect(routeOf('https://mcp.test/mcp', both)).toMatchObject({ kind: 'tunnel' });
    expect(routeOf('https://mcp.test/mcp', proxies({ HTTP_PROXY: 'http://proxy' }))).toEqual({ kind: 'direct' });
  });

  it.each([
    'http://localhost:3000',
    'http://LOCALHOST.',
    'https://app.localhost',
    'http://127.0.0.1',
    'http://127.9.9.9:1',
    'http://2130706433',
    'http://[::1]:80',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0:8080',
    'http://[::]',
  ])('H8: %s is this machine, and reached directly', (url) => {
    expect(routeOf(url, both)).toEqual({ kind: 'direct' });
  });

  it.each(['http://localhost.example.org', 'http://128.0.0.1', 'http://10.0.0.1', 'http://[fe80::1]', 'http://local'])(
    'H8: %s is another machine',
    (url) => {
      expect(routeOf(url, both).kind).toBe('forward');
    },
  );

  it.each([
    ['*', 'https://any.test'],
    ['mcp.test', 'https://mcp.test'],
    ['mcp.test', 'https://a.b.mcp.test'],
    ['.mcp.test', 'https://a.mcp.test'],
    ['.mcp.test', 'https://mcp.test'],
    ['*.mcp.test', 'https://a.mcp.test'],
    ['MCP.Test.', 'https://mcp.test'],
    ['mcp.test', 'https://mcp.test./'],
    ['other, mcp.test', 'https://mcp.test'],
    ['other mcp.test', 'https://mcp.test'],
    ['mcp.test:443', 'https://mcp.test'],
    ['mcp.test:80', 'http://mcp.test'],
    ['mcp.test:8443', 'https://mcp.test:8443'],
    ['*:8443', 'https://mcp.test:8443'],
    ['10.0.0.0/8', 'http://10.1.2.3'],
    ['10.1.2.3', 'http://10.1.2.3'],
    ['10.1.2.3:80', 'http://10.1.2.3'],
    ['fd00::/8', 'http://[fd12::1]'],
    ['[fd00::1]', 'http://[fd00:0:0::1]'],
    ['[fd00::1]:80', 'http://[fd00::1]'],
    ['fd00::1', 'http://[fd00::1]'],
  ])('H8: NO_PROXY=%s covers %s', (noProxy, url) => {
    expect(kindOf(url, noProxy)).toBe('direct');
  });

  it.each([
    ['', 'https://mcp.test'],
    ['.', 'https://mcp.test'],
    ['cp.test', 'https://mcp.test'],
    ['*.mcp.test', 'https://mcp.test'],
    ['mcp.test.org', 'https://mcp.test'],
    ['mcp.test:80', 'https://mcp.test'],
    ['*:80', 'https://mcp.test'],
    ['10.0.0.0/8', 'http://11.1.2.3'],
    ['10.0.0.0/8', 'http://ten.test'],
    ['10.0.0.0/99', 'http://10.0.0.0'],
    ['10.1.2', 'http://10.1.2.3'],
    ['fd00::1', 'http://[fd00::2]'],
  ])('H8: NO_PROXY=%s does not cover %s', (noProxy, url) => {
    expect(kindOf(url, noProxy)).not.toBe('direct');
  });

  it.each([
    ['proxy:3128', 'http://proxy:3128 (HTTP_PROXY)', undefined],
    ['http://proxy', 'http://proxy (HTTP_PROXY)', undefined],
    ['https://me:pass@proxy:1/path', 'https://proxy:1 (HTTP_PROXY)', 'me:pass'],
    ['http://me@proxy', 'http://proxy (HTTP_PROXY)', 'me:'],
    ['http://m%65:p%3A@proxy', 'http://proxy (HTTP_PROXY)', 'me:p:'],
    ['http://me:100%@proxy', 'http://proxy (HTTP_PROXY)', 'me:100%'],
  ])('H8: the address %s is shown as %s', (address, shown, pair) => {
    const authorization = pair === undefined ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
    expect(routeOf('http://mcp.test', proxies({ HTTP_PROXY: address }))).toMatchObject({
      proxy: { shown, authorization },
    });
  });

  it.each([
    ['socks5://me:secret@proxy:1080', 'socks5'],
    ['http://', 'no address'],
    ['not a url, secret', 'no address'],
  ])('H8: an unusable address, %s, is refused without being repeated, and only where it is needed', (address, says) => {
    const all = proxies({ ALL_PROXY: address });
    const failure = (): unknown => routeOf('https://mcp.test', all);
    expect(failure).toThrow(TrestleError);
    expect(failure).toThrow(says);
    expect(failure).toThrow('ALL_PROXY');
    expect(failure).not.toThrow('secret');
    expect(routeOf('http://localhost', all)).toEqual({ kind: 'direct' });
  });
});
