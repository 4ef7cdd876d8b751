import { describe, expect, it } from 'vitest';
import { testHttpLink } from '../../../test/support/http-link.ts';
import {
  answerAsUsual,
  eventOf,
  replyTo,
  sendJson,
  serveHttp,
  startEvents,
} from '../../../test/support/http-server.ts';
import type { SeenRequest } from '../../../test/support/http-server.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { limits } from '../../base/index.ts';

const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

const isCall = (request: SeenRequest): boolean => request.message['method'] === 'tools/call';

describe('a Streamable HTTP link', () => {
  it('H2: the session id of a successful initialize and the agreed version go with everything after it', async () => {
    const server = await serveHttp(answerAsUsual);
    const { greet, request } = testHttpLink(server.origin);
    await greet();
    await request('tools/list');
    const [initialize, ...others] = server.seen.filter(({ method }) => method === 'POST');
    expect(initialize?.headers).not.toHaveProperty('mcp-session-id');
    expect(initialize?.headers).not.toHaveProperty('mcp-protocol-version');
    expect(others).toHaveLength(2);
    for (const { headers } of others) {
      expect(headers).toMatchObject({ 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-06-18' });
    }
  });

  it.each([
    ['a refused probe', 400],
    ['an initialize answered with an error', 200],
  ])('H2: a session id beside %s is not taken', async (_name, status) => {
    const server = await serveHttp((request, response) => {
      const error = { code: -32_600, message: 'no' };
      const answer = { jsonrpc: '2.0', id: request.message['id'], error };
      sendJson(response, answer, { status, headers: { 'mcp-session-id': 'poison' } });
    });
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    await request(status === 400 ? 'server/discover' : 'initialize');
    await request('initialize');
    await request('tools/list');
    for (const { headers } of server.seen) expect(headers).not.toHaveProperty('mcp-session-id');
  });

  it('H2, S14: a modern message carries its version, method and subject, and no session id', async () => {
    const server = await serveHttp(answerAsUsual);
    const { greet, request } = testHttpLink(server.origin);
    await greet();
    await request('tools/call', { name: 'größe', ...modern });
    const headers = server.seen.at(-1)?.headers;
    expect(headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?Z3LDtsOfZQ==?=',
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
  });

  it('H3: a batch in one JSON answer is delivered message by message', async () => {
    const server = await serveHttp((request, response) => {
      const note = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
      sendJson(response, [note, replyTo(request, 1)]);
    });
    const { link, request, messages } = testHttpLink(server.origin);
    await link.start();
    expect(await request('tools/list')).toMatchObject({ result: 1 });
    expect(messages).toHaveLength(2);
  });

  it('H3: what comes on a request’s stream is delivered in order, before the stream ends', async () => {
    const server = await serveHttp((request, response) => {
      startEvents(response);
      response.write(': hello\n\nid: e1\ndata: \n\n');
      response.write(eventOf({ jsonrpc: '2.0', method: 'notifications/progress', params: {} }));
      response.write(eventOf({ jsonrpc: '2.0', id: 'ask', method: 'roots/list' }));
      response.write(eventOf(replyTo(request, 'done')));
    });
    const { link, request, messages } = testHttpLink(server.origin);
    await link.start();
    expect(await request('tools/call')).toMatchObject({ result: 'done' });
    expect(messages.map((message) => message['method'] ?? message['result'])).toEqual([
      'notifications/progress',
      'roots/list',
      'done',
    ]);
    expect(link.stats()).toMatchObject({ messagesIn: 3, messagesOut: 1, noise: 0 });
    expect(link.stats().lastInMs).toBeGreaterThan(0);
  });

  it('H3: a stream that goes on after the answer is released', async () => {
    const server = await serveHttp((request, response) => {
      startEvents(response);
      response.write(eventOf(replyTo(request, 'done')));
    });
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    await request('tools/call');
    await expect.poll(() => server.connections.open, { timeout: 5_000 }).toBe(0);
  });

  it('H3: content type may have parameters and any case', async () => {
    const server = await serveHttp((request, response) => {
      response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=UTF-8' });
      response.end(eventOf(replyTo(request, 1)));
    });
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    expect(await request('tools/list')).toMatchObject({ result: 1 });
  });

  it.each(['application/json', 'text/event-stream'])(
    'H3: %s of the whole limit arrives, one byte more fails that request only',
    async (type) => {
      const big = (request: SeenRequest, sizeBytes: number): string => {
        const empty = JSON.stringify(replyTo(request, ''));
        return empty.replace('""', `"${'x'.repeat(sizeBytes - empty.length)}"`);
      };
      // An event counts with its field name.
      const limit = type === 'application/json' ? limits.messageBytes : limits.messageBytes - 'data: '.length;
      const server = await serveHttp((request, response) => {
        const text = big(request, limit + (request.message['params'] as { over: number }).over);
        response.writeHead(200, { 'content-type': type });
        response.end(type === 'application/json' ? text : `data: ${text}\n\n`);
      });
      const { link, request } = testHttpLink(server.origin);
      await link.start();
      const { result } = await request('tools/call', { over: 0 });
      expect(String(result).length).toBeGreaterThan(limits.messageBytes - 100);
      await expect(request('tools/call', { over: 1 })).rejects.toMatchObject({
        code: 'message_too_large',
        execution: 'unknown',
      });
      await request('tools/call', { over: 0 });
    },
  );

  it('H3: a message over the limit is not sent', async () => {
    const server = await serveHttp(answerAsUsual);
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    const failed = request('tools/call', { text: 'x'.repeat(limits.messageBytes) });
    await expect(failed).rejects.toMatchObject({ code: 'message_too_large', execution: 'not-sent' });
    expect(server.seen).toHaveLength(0);
  });

  it.each(['ends', 'breaks'])(
    'H4, P6: a stream that %s before the answer ends that call at once and is not asked again',
    async (how) => {
      const server = await serveHttp((request, response) => {
        if (!isCall(request)) return answerAsUsual(request, response);
        startEvents(response);
        response.write(': working\n\n');
        return setTimeout(() => (how === 'ends' ? response.end() : response.destroy()), 20);
      });
      const { greet, request } = testHttpLink(server.origin);
      await greet();
      await expect(request('tools/call')).rejects.toMatchObject({ code: 'connection_closed', execution: 'unknown' });
      expect(server.seen.filter(isCall)).toHaveLength(1);
      expect(await request('tools/list')).toMatchObject({ result: {} });
    },
  );

  it('H4: a JSON answer that breaks off ends the call as unknown', async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"jsonrpc"');
      setTimeout(() => response.destroy(), 20);
    });
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    await expect(request('tools/call')).rejects.toMatchObject({ code: 'connection_closed', execution: 'unknown' });
  });

  it('an answer may come on another stream than its own', async () => {
    let held: ((text: string) => void) | undefined;
    const server = await serveHttp((request, response) => {
      startEvents(response);
      if (held === undefined) {
        held = (text) => response.end(text);
        return;
      }
      held(eventOf(replyTo(request, 'elsewhere')));
    });
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    const first = request('tools/call');
    await expect.poll(() => server.seen.length).toBe(1);
    expect(await request('tools/call')).toMatchObject({ result: 'elsewhere' });
    await expect(first).rejects.toMatchObject({ code: 'connection_closed' });
  });

  it('S10: a cancelled legacy request loses its POST once the server has the notice', async () => {
    const order: string[] = [];
    const server = await serveHttp((request, response) => {
      if (!isCall(request)) {
        if (request.message['method'] === 'notifications/cancelled') order.push('notice');
        answerAsUsual(request, response);
        return;
      }
      response.on('close', () => order.push('dropped'));
      startEvents(response);
      response.write(': working\n\n');
    });
    const { greet, request, notify, faults } = testHttpLink(server.origin);
    await greet();
    const call = request('tools/call');
    call.catch(() => {});
    await expect.poll(() => server.seen.some(isCall)).toBe(true);
    await notify('notifications/cancelled', { requestId: 2 });
    await expect.poll(() => order).toEqual(['notice', 'dropped']);
    expect(faults).toEqual([]);
    expect(await request('tools/list')).toMatchObject({ result: {} });
  });

  it('S10: the request signal closes the response stream of a modern request, and nothing is posted', async () => {
    let dropped = false;
    const server = await serveHttp((_request, response) => {
      response.on('close', () => {
        dropped = true;
      });
      startEvents(response);
      response.write(': working\n\n');
    });
    const { link, request, faults } = testHttpLink(server.origin);
    await link.start();
    expect(link.hasPerRequestStream).toBe(true);
    const abort = new AbortController();
    request('tools/call', modern, { requestSignal: abort.signal }).catch(() => {});
    await expect.poll(() => link.stats().messagesOut).toBe(1);
    abort.abort();
    await expect.poll(() => dropped).toBe(true);
    expect(server.seen).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('H5: close says goodbye to the session with DELETE', async () => {
    const server = await serveHttp(answerAsUsual);
    const { greet, link, closings } = testHttpLink(server.origin, { headers: { Authorization: 'Bearer k' } });
    await greet();
    await Promise.all([link.close(), link.close()]);
    const deletes = server.seen.filter(({ method }) => method === 'DELETE');
    expect(deletes).toHaveLength(1);
    expect(deletes[0]?.headers).toMatchObject({ 'mcp-session-id': 's1', authorization: 'Bearer k' });
    expect(closings()).toBe(1);
    expect(link.ended).toMatchObject({ code: 'session_closed' });
  });

  it('H5: without a session there is nothing to delete', async () => {
    const server = await serveHttp(answerAsUsual);
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    await request('tools/list', modern);
    await link.close();
    expect(server.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(0);
  });

  it('H5: a server that never answers holds up neither close nor the calls that wait', async () => {
    const server = await serveHttp((request, response) => {
      if (request.method === 'POST' && !isCall(request)) answerAsUsual(request, response);
    });
    const { greet, link, request } = testHttpLink(server.origin);
    await greet();
    const call = request('tools/call');
    await expect.poll(() => server.seen.some(isCall)).toBe(true);
    const closed = link.close();
    await expect(call).rejects.toMatchObject({ code: 'session_closed', execution: 'unknown' });
    const startedMs = performance.now();
    await closed;
    expect(performance.now() - startedMs).toBeLessThan(limits.sessionDeleteMs + 20_000);
    await expect(request('tools/list')).rejects.toMatchObject({ code: 'session_closed', execution: 'not-sent' });
    await expect.poll(() => server.connections.open).toBe(0);
  });

  it('P6: when the server dies every waiting call ends', async () => {
    const server = await serveHttp((request, response) => {
      if (!isCall(request)) answerAsUsual(request, response);
      else if (request.message['id'] === 2) startEvents(response);
    });
    const { greet, request } = testHttpLink(server.origin);
    await greet();
    const calls = [request('tools/call'), request('tools/call')];
    await expect.poll(() => server.seen.filter(isCall).length).toBe(2);
    server.cut();
    const codes = await Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
    expect(codes).toMatchObject([
      { code: 'connection_closed', execution: 'unknown' },
      { code: 'connection_failed', execution: 'unknown' },
    ]);
  });

  it.each(['application/json', 'text/event-stream'])(
    'S4: a reply in %s whose id differs in type is handed on for judgement, and is the last of its stream',
    async (type) => {
      let closed = false;
      const server = await serveHttp((request, response) => {
        response.on('close', () => {
          closed = true;
        });
        const reply = { jsonrpc: '2.0', id: String(request.message['id']), result: 1 };
        response.writeHead(200, { 'content-type': type });
        response.write(type === 'application/json' ? JSON.stringify(reply) : eventOf(reply));
        if (type === 'application/json') response.end();
      });
      const { link, request, messages, faults } = testHttpLink(server.origin);
      await link.start();
      request('tools/call').catch(() => {});
      await expect.poll(() => messages).toMatchObject([{ id: '1' }]);
      await expect.poll(() => closed).toBe(true);
      expect(faults).toEqual([]);
    },
  );

  it('the end of a request’s own stream is told, an abort of it is not', async () => {
    const server = await serveHttp((request, response) => {
      startEvents(response);
      if (request.message['id'] === 1) response.end();
    });
    const { link, request } = testHttpLink(server.origin);
    await link.start();
    const ends: number[] = [];
    const abort = new AbortController();
    await expect(
      request('subscriptions/listen', modern, { onRequestStreamEnd: () => ends.push(1) }),
    ).rejects.toMatchObject({ code: 'connection_closed' });
    request('subscriptions/listen', modern, {
      requestSignal: abort.signal,
      onRequestStreamEnd: () => ends.push(2),
    }).catch(() => {});
    await expect.poll(() => link.stats().messagesOut).toBe(2);
    abort.abort();
    await expect.poll(() => server.connections.open).toBeLessThan(2);
    await link.close();
    expect(ends).toEqual([1]);
  });

  it('a notification nobody accepts has a deadline of its own', async () => {
    const clock = createManualClock();
    const server = await serveHttp(() => {});
    const { link, notify } = testHttpLink(server.origin, { clock });
    await link.start();
    const sent = notify('notifications/initialized');
    sent.catch(() => {});
    await expect.poll(() => server.seen.length).toBe(1);
    await clock.advance(limits.requestIdleMs);
    await expect(sent).rejects.toMatchObject({ code: 'timed_out', execution: 'unknown' });
  });

  it('nothing is sent before start', async () => {
    const server = await serveHttp(answerAsUsual);
    const { request } = testHttpLink(server.origin);
    await expect(request('initialize')).rejects.toMatchObject({ execution: 'not-sent' });
    expect(server.seen).toHaveLength(0);
  });
});
