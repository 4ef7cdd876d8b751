import { describe, expect, it } from 'vitest';
import { proxySecrets, readProxies } from './proxies.ts';

const read = (env: Readonly<Record<string, string>>) => readProxies((name) => env[name]);

describe('the proxies of an environment', () => {
  it('H8: each protocol has its variables, and ALL_PROXY stands in for either', () => {
    expect(read({ HTTP_PROXY: 'http://a', HTTPS_PROXY: 'http://b', NO_PROXY: 'c' })).toEqual({
      http: { variable: 'HTTP_PROXY', address: 'http://a' },
      https: { variable: 'HTTPS_PROXY', address: 'http://b' },
      exempt: 'c',
    });
    expect(read({ ALL_PROXY: 'http://a', https_proxy: 'http://b' })).toEqual({
      http: { variable: 'ALL_PROXY', address: 'http://a' },
      https: { variable: 'https_proxy', address: 'http://b' },
      exempt: '',
    });
    expect(read({})).toEqual({ http: undefined, https: undefined, exempt: '' });
  });

  it('H8: small letters come before capitals', () => {
    const env = { http_proxy: 'http://small', HTTP_PROXY: 'http://large', no_proxy: 'small', NO_PROXY: 'large' };
    expect(read(env)).toMatchObject({ http: { variable: 'http_proxy', address: 'http://small' }, exempt: 'small' });
  });

  it('H8: a variable that is set to nothing switches the proxy off', () => {
    expect(read({ https_proxy: '', HTTPS_PROXY: 'http://a', ALL_PROXY: 'http://b' })).toMatchObject({
      http: { variable: 'ALL_PROXY' },
      https: undefined,
    });
  });

  it('H8: the proxy of http: URLs is none for https: ones', () => {
    expect(read({ HTTP_PROXY: 'http://a' }).https).toBeUndefined();
  });

  it('H8, K4: what is secret of an address: its password, written and sent, alone and with all around it', () => {
    const secrets = proxySecrets(read({ HTTP_PROXY: 'http://me:p%40ss-word@proxy:3128', HTTPS_PROXY: 'http://proxy' }));
    const pair = Buffer.from('me:p@ss-word').toString('base64');
    expect(secrets).toEqual(['http://me:p%40ss-word@proxy:3128', 'p%40ss-word', 'p@ss-word', 'me:p@ss-word', pair]);
    expect(proxySecrets(read({ ALL_PROXY: 'me:unencoded%@proxy' }))).toContain('unencoded%');
  });
});
