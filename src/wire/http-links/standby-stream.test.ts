import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { testHttpLink, type TestHttpLink } from '../../../test/support/http-link.ts';
import {
  answerAsUsual,
  eventOf,
  serveHttp,
  startEvents,
  type TestHttpServer,
} from '../../../test/support/http-server.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { delay, limits, systemClock, type Clock } from '../../base/index.ts';
import { keepStandbyStream, mayComeLater, type StandbyTry } from './standby-stream.ts';

/** How a server answers the optional GET. */
const behaviours: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'answers 405': (response) => response.writeHead(405).end(),
  'answers 404': (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>'),
  'answers 404 with a body without end': (response) => response.writeHead(404).write('<h1>Not '),
  'answers with a page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  'never answers': () => {},
  'answers with a silent stream': startEvents,
  'drops the stream': (response) => {
    startEvents(response);
    setTimeout(() => response.destroy(), 10);
  },
  'answers 409': (response) => response.writeHead(409).end('{"error":"one stream only"}'),
};

const getsOf = (server: TestHttpServer): number => server.seen.filter(({ method }) => method === 'GET').length;

interface Greeted extends TestHttpLink {
  readonly server: TestHttpServer;
  /** GETs whose connection or answer is not over. */
  readonly openGets: () => number;
}

async function greeted(answerGet: (response: ServerResponse) => void, clock: Clock = systemClock): Promise<Greeted> {
  let openGets = 0;
  const server = await serveHttp((request, response) => {
    if (request.method !== 'GET') {
      answerAsUsual(request, response);
      return;
    }
    openGets += 1;
    response.on('close', () => {
      openGets -= 1;
    });
    answerGet(response);
  });
  const opened = testHttpLink(server.origin, { clock });
  await opened.greet();
  return { ...opened, server, openGets: () => openGets };
}

describe('the optional stream of a legacy server', () => {
  it.each(Object.entries(behaviours))(
    'H4: a server that %s disturbs no call and no close',
    async (_name, answerGet) => {
      const { link, request, faults, server, openGets } = await greeted(answerGet);
      await expect.poll(() => getsOf(server)).toBe(1);
      for (let call = 0; call < 3; call += 1) expect(await request('tools/list')).toMatchObject({ result: {} });
      const startedMs = performance.now();
      await link.close();
      expect(performance.now() - startedMs).toBeLessThan(10_000);
      expect(faults).toEqual([]);
      await expect.poll(openGets).toBe(0);
    },
  );

  it('H4: messages on it are delivered', async () => {
    const { messages } = await greeted((response) => {
      startEvents(response);
      response.write(eventOf({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    });
    await expect.poll(() => messages.at(-1)).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('H2: it is asked for after the handshake, with the session’s headers, and not in the modern era', async () => {
    const { server } = await greeted(startEvents);
    await expect.poll(() => getsOf(server)).toBe(1);
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    expect(server.seen[2]?.headers).toMatchObject({
      accept: 'text/event-stream',
      'mcp-session-id': 's1',
      'mcp-protocol-version': '2025-06-18',
    });
    const modernServer = await serveHttp(answerAsUsual);
    const { link, request } = testHttpLink(modernServer.origin);
    await link.start();
    await request('server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
    expect(getsOf(modernServer)).toBe(0);
  });

  it.each([
    ['answers 405', 1],
    ['answers 404', 1],
    ['answers with a page', 1],
    ['answers 409', limits.standby.tries],
  ])('H4: a server that %s is asked %d times in all', async (behaviour, times) => {
    const clock = createManualClock();
    const { request, server } = await greeted(behaviours[behaviour] ?? startEvents, clock);
    // Each round is longer than any pause; the calls in it give the answer to a GET the time to arrive.
    for (let round = 0; round < limits.standby.tries * 3; round += 1) {
      for (let call = 0; call < 3; call += 1) await request('tools/list');
      await clock.advance(limits.standby.longestPauseMs);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(getsOf(server)).toBe(times);
  });

  it('H4: only what may change is worth another try', () => {
    expect([408, 409, 425, 429, 500, 503].filter((status) => !mayComeLater(status))).toEqual([]);
    expect([400, 401, 403, 404, 405, 406, 410, 415].filter(mayComeLater)).toEqual([]);
  });
});

/** Keeps a stream whose tries all come to `outcome`, after `heldMs` each; returns when they began. */
async function triesOf(
  outcome: StandbyTry,
  { heldMs = 0, retryMs, forMs }: { heldMs?: number; retryMs?: number; forMs: number },
) {
  const clock = createManualClock();
  const over = new AbortController();
  const begunMs: number[] = [];
  const kept = keepStandbyStream({
    clock,
    signal: over.signal,
    async attempt(onRetry) {
      begunMs.push(clock.monotonicMs());
      if (retryMs !== undefined) onRetry(retryMs);
      if (heldMs > 0) await delay(clock, heldMs, over.signal);
      return outcome;
    },
  });
  await clock.advance(forMs);
  over.abort();
  await kept;
  return begunMs;
}

describe('asking for the stream again', () => {
  it('H4: pauses grow, and there is a limit', async () => {
    expect(await triesOf('ended', { forMs: 5_000 })).toEqual([0, 1_000, 3_000]);
    expect(await triesOf('not-now', { forMs: 24 * 3_600_000 })).toHaveLength(limits.standby.tries);
  });

  it('H4: a stream that is not offered is not asked for again', async () => {
    expect(await triesOf('none', { forMs: 60_000 })).toEqual([0]);
  });

  it('H4: a stream that held is opened again for as long as the link lives', async () => {
    const begun = await triesOf('ended', { heldMs: 60_000, forMs: 3_600_000 });
    expect(begun.length).toBeGreaterThan(limits.standby.tries * 2);
  });

  it('H4: the server’s own pause is respected and clamped', async () => {
    expect(await triesOf('ended', { retryMs: 0, forMs: 1_500 })).toEqual([0, limits.sseRetryMs.least]);
    expect(await triesOf('ended', { retryMs: 3_600_000, forMs: 31_000 })).toEqual([0, limits.sseRetryMs.most]);
  });
});
