import { describe, expect, it } from 'vitest';
import { testHttpLink } from '../../../test/support/http-link.ts';
import { answerAsUsual, serveHttp } from '../../../test/support/http-server.ts';
import { limits, TrestleError } from '../../base/index.ts';
import type { Authorization, AuthorizedAnswer } from './authorization.ts';

/** Takes only the last of its keys; each refusal hands out the next one. */
function keyring(keys: readonly string[]): Authorization & { readonly told: AuthorizedAnswer[] } {
  const told: AuthorizedAnswer[] = [];
  let at = 0;
  return {
    told,
    headersFor: async () => ({ authorization: `Bearer ${keys[at]}` }),
    async answered(answer) {
      told.push(answer);
      if (answer.status !== 401 || at === keys.length - 1) return false;
      at += 1;
      return true;
    },
  };
}

const guarded = (key: string): ReturnType<typeof serveHttp> =>
  serveHttp((request, response) => {
    if (request.headers.authorization === `Bearer ${key}`) answerAsUsual(request, response);
    else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('no');
  });

describe('the authorization of a link', () => {
  it('K6: goes with every request, over the headers of the definition', async () => {
    const server = await guarded('good');
    const authorization = keyring(['good']);
    const link = testHttpLink(server.origin, { authorization, headers: { Authorization: 'Basic x', 'x-own': '1' } });
    await link.greet();
    await link.request('tools/list');
    await link.link.close();
    expect(server.seen.map(({ method }) => method).toSorted()).toEqual(['DELETE', 'GET', 'POST', 'POST', 'POST']);
    expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer good']));
    expect(server.seen.every(({ headers }) => headers['x-own'] === '1')).toBe(true);
  });

  it('K6: a request that was refused unexecuted goes once more, with the next headers', async () => {
    const server = await guarded('new');
    const authorization = keyring(['old', 'new']);
    const link = testHttpLink(server.origin, { authorization });
    await link.link.start();
    await link.request('tools/call', { name: 'x' });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
    expect(authorization.told.map(({ status, method, sent }) => [status, method, sent['authorization']])).toEqual([
      [401, 'POST', 'Bearer old'],
      [200, 'POST', 'Bearer new'],
    ]);
  });

  it('K6: no request goes out more often than the limit, whatever the authorization thinks', async () => {
    const server = await guarded('never');
    const link = testHttpLink(server.origin, {
      authorization: keyring(Array.from({ length: 20 }, (_, at) => `k${at}`)),
    });
    await link.link.start();
    await expect(link.request('tools/call', { name: 'x' })).rejects.toMatchObject({
      code: 'auth_required',
      execution: 'rejected',
    });
    expect(server.seen).toHaveLength(limits.authorizedTries);
  });

  it('K6: what executed is never sent again', async () => {
    const server = await serveHttp((_request, response) => response.writeHead(500).end());
    const authorization: Authorization = { headersFor: async () => ({}), answered: async () => true };
    const link = testHttpLink(server.origin, { authorization });
    await link.link.start();
    await expect(link.request('tools/call', { name: 'x' })).rejects.toMatchObject({ execution: 'unknown' });
    expect(server.seen).toHaveLength(1);
  });

  it('K6: what stands in the way before a request, or after its refusal, is its end', async () => {
    const server = await guarded('never');
    const fail = (): never => {
      throw new TrestleError({ code: 'auth_required', message: 'Sign in first.' });
    };
    const before = testHttpLink(server.origin, {
      authorization: { headersFor: async () => fail(), answered: async () => false },
    });
    await before.link.start();
    await expect(before.request('tools/call')).rejects.toMatchObject({
      message: 'Sign in first.',
      execution: 'not-sent',
    });
    expect(server.seen).toHaveLength(0);
    const after = testHttpLink(server.origin, {
      authorization: { headersFor: async () => ({}), answered: async () => fail() },
    });
    await after.link.start();
    await expect(after.request('tools/call')).rejects.toMatchObject({
      message: 'Sign in first.',
      execution: 'rejected',
    });
    expect(server.seen).toHaveLength(1);
  });

  it('H5: what the server says in a refusal stays with the error of the authorization', async () => {
    const server = await serveHttp((_request, response) => response.writeHead(401).end('Session not found'));
    const authorization: Authorization = {
      headersFor: async () => ({}),
      answered: async ({ status }) => {
        throw new TrestleError({ code: 'auth_required', message: 'Sign in first.', details: { status } });
      },
    };
    const link = testHttpLink(server.origin, { authorization });
    await link.link.start();
    await expect(link.request('tools/call')).rejects.toMatchObject({
      code: 'auth_required',
      details: { status: 401, body: 'Session not found' },
    });
  });
});
