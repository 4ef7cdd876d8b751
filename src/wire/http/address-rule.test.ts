import { describe, expect, it, onTestFinished } from 'vitest';
import { answerAsUsual, serveHttp } from '../../../test/support/http-server.ts';
import { noProxies as proxies, systemClock } from '../../base/index.ts';
import { isReachable, type Reach } from './address-rule.ts';
import type { HttpClient } from './http-client.ts';
import { createHttpClient } from './http-fetch.ts';
import type { ResolveName } from './http-ways.ts';

function client(resolveName?: ResolveName): HttpClient {
  const http = createHttpClient({ clock: systemClock, resolveName });
  onTestFinished(() => http.close());
  return http;
}

const get = (http: HttpClient, url: string, reach?: Reach): Promise<Response> =>
  http.fetch(url, { method: 'GET', headers: {}, proxies, reach });

describe('which addresses are within reach', () => {
  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '0.1.2.3',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::192.168.0.1',
    '2002:c0a8:101::1',
    '::10.0.0.1',
  ])('H11: %s is private', (address) => {
    expect(isReachable(address, 'public')).toBe(false);
    expect(isReachable(address, 'public-or-loopback')).toBe(false);
    expect(isReachable(address, 'any')).toBe(true);
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1'])(
    'H11: %s is this machine, for definitions on it only',
    (address) => {
      expect(isReachable(address, 'public')).toBe(false);
      expect(isReachable(address, 'public-or-loopback')).toBe(true);
    },
  );

  it.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1'])(
    'H11: %s is public',
    (address) => expect(isReachable(address, 'public')).toBe(true),
  );
});

describe('the HTTP client, under a reach', () => {
  it.each(['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9', 'http://0x7f.1:9', 'http://2130706433:9'])(
    'H11: %s is refused as it is written',
    async (url) => {
      await expect(get(client(), url, 'public')).rejects.toMatchObject({
        code: 'address_refused',
        execution: 'not-sent',
      });
    },
  );

  it('H11: a name is refused for what it resolves to, and nothing is connected', async () => {
    const server = await serveHttp(answerAsUsual);
    const port = new URL(server.origin).port;
    const http = client((_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]));
    await expect(get(http, `http://auth.example:${port}`, 'public')).rejects.toMatchObject({
      code: 'address_refused',
      message:
        'auth.example (127.0.0.1) is on this machine or in a private network, and no definition names that host.',
    });
    expect(server.connections.made).toBe(0);
    expect((await get(http, `http://auth.example:${port}`, 'public-or-loopback')).status).toBe(405);
  });

  it('H11: one bad address among good ones refuses the name', async () => {
    const addresses = [
      { address: '1.1.1.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    const http = client((_name, _options, callback) => callback(null, addresses));
    await expect(get(http, 'http://auth.example', 'public')).rejects.toMatchObject({ code: 'address_refused' });
  });

  it('H11: what was judged is what is connected to, though the name means something else the next time', async () => {
    const server = await serveHttp(answerAsUsual);
    let asked = 0;
    const http = client((_name, _options, callback) => {
      asked += 1;
      callback(null, [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
    });
    const url = `http://auth.example:${new URL(server.origin).port}`;
    expect((await get(http, url, 'public-or-loopback')).status).toBe(405);
    expect(asked).toBe(1);
  });

  it('H11: a connection that a definition allowed is no way for a request that it does not', async () => {
    const server = await serveHttp(answerAsUsual);
    const http = client((_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]));
    const url = `http://auth.example:${new URL(server.origin).port}`;
    await (await get(http, url, 'public-or-loopback')).text();
    await expect(get(http, url, 'public')).rejects.toMatchObject({ code: 'address_refused' });
  });
});
