import { request } from 'node:http';
import { createServer, type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CallbackReceiver, openCallbackReceiver } from './callback-receiver.ts';

async function receiver(): Promise<CallbackReceiver> {
  const opened = await openCallbackReceiver({ port: 0 });
  onTestFinished(() => opened.close());
  return opened;
}

function statusOf(url: string, options: { readonly method?: string; readonly host?: string } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', host } = options;
    const asking = request(url, { method, agent: false, ...(host === undefined ? {} : { headers: { host } }) });
    asking.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    asking.on('error', reject);
    asking.end();
  });
}

describe('the page that receives the answer of a sign-in', () => {
  it('K6: is bound to the loopback address before anybody hears of it', async () => {
    const { redirectUrl } = await receiver();
    expect(redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(await statusOf(redirectUrl)).toBe(400);
  });

  it('K6: takes the one call that is expected, and turns all others away', async () => {
    const opened = await receiver();
    const answer = opened.receive((parameters) => parameters.get('state') === 'mine');
    expect(await statusOf(`${opened.redirectUrl}?state=other&code=evil`)).toBe(400);
    expect(await statusOf(`${opened.redirectUrl}?state=mine&code=evil`, { method: 'POST' })).toBe(404);
    expect(await statusOf(opened.redirectUrl.replace('/callback', '/else?state=mine'))).toBe(404);
    expect(await statusOf(`${opened.redirectUrl}?state=mine&code=evil`, { host: 'evil.example:80' })).toBe(404);
    expect(await statusOf(`${opened.redirectUrl}?state=mine&code=good&iss=x`)).toBe(200);
    expect(String(await answer)).toBe('state=mine&code=good&iss=x');
  });

  it('K6: a port that is taken is told, with what to do', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(openCallbackReceiver({ port })).rejects.toMatchObject({
      code: 'sign_in_failed',
      message: `The answer of a sign-in cannot be received on port ${port} (EADDRINUSE).`,
      details: { reason: 'port_in_use', port },
    });
  });

  it('K6: closing waits for no connection that says nothing', async () => {
    const opened = await openCallbackReceiver({ port: 0 });
    const socket = connect(Number(new URL(opened.redirectUrl).port), '127.0.0.1');
    const gone = new Promise((resolve) => socket.once('close', (isBroken) => resolve(isBroken)));
    await new Promise((resolve) => socket.once('connect', resolve));
    await opened.close();
    expect(await gone).toBeDefined();
  });
});
