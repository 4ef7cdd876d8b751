import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { selfSigned } from '../../../test/support/certificate.ts';
import { serveProxy } from '../../../test/support/proxy-server.ts';
import { readProxies, systemClock } from '../../base/index.ts';
import { createHttpClient } from '../../wire/index.ts';
import { openAuthRequests } from './request.ts';

const certificate = selfSigned('issuer.test');
setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);

/** An authorization server behind TLS that gives everybody a token. */
async function serveIssuer(): Promise<number> {
  const issuer = createServer(certificate, (request, response) => {
    request.resume().on('end', () => response.end('{"access_token":"a-token-of-some-length"}'));
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    issuer.closeAllConnections();
    issuer.close();
  });
  return (issuer.address() as AddressInfo).port;
}

it('H8: requests of a sign-in go through the proxy of their caller, as those to the server do', async () => {
  const proxy = await serveProxy({ hosts: { 'issuer.test': await serveIssuer() } });
  const http = createHttpClient({ clock: systemClock });
  onTestFinished(() => http.close());
  const secrets: string[] = [];
  const { fetch } = openAuthRequests({
    server: 'locked',
    named: ['https://issuer.test/mcp'],
    proxies: readProxies((name) => (name === 'https_proxy' ? proxy.origin : undefined)),
    http,
    clock: systemClock,
    onSecret: (secret) => secrets.push(secret),
    signal: undefined,
  });
  const response = await fetch('https://issuer.test/token', { method: 'POST', body: 'grant_type=refresh_token' });
  expect(await response.json()).toEqual({ access_token: 'a-token-of-some-length' });
  expect(proxy.passed).toMatchObject([{ method: 'CONNECT', target: 'issuer.test:443' }]);
  expect(secrets).toEqual(['a-token-of-some-length']);
});
