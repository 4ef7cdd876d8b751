import type { ServerResponse } from 'node:http';
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
const firstEvent = 'id: e1\ndata: \n\n';

const isCall = (request: SeenRequest): boolean => request.message['method'] === 'tools/call';
const isResume = (request: SeenRequest): boolean => request.headers['last-event-id'] !== undefined;

/** Answers one part of the stream of `call`. */
type Part = (response: ServerResponse, call: SeenRequest) => void;

/** A part that is an event stream with `text`, then its end. */
const events =
  (text: string): Part =>
  (response) => {
    startEvents(response);
    response.end(text);
  };

/** The answer, as event `id`. */
const answer =
  (id: string, result: unknown = 'done'): Part =>
  (response, call) =>
    events(`id: ${id}\n${eventOf(replyTo(call, result))}`)(response, call);

/** A greeted link; a tools/call is answered with the first part, each GET that resumes it with the next. Time stands still. */
async function resumable(...parts: readonly Part[]) {
  const clock = createManualClock();
  let call: SeenRequest | undefined;
  let resumes = 0;
  const server = await serveHttp((request, response) => {
    if (isCall(request)) call = request;
    if (isResume(request)) resumes += 1;
    const part = parts[isCall(request) ? 0 : resumes];
    if (call === undefined || part === undefined || !(isCall(request) || isResume(request))) {
      answerAsUsual(request, response);
      return;
    }
    part(response, call);
  });
  const opened = testHttpLink(server.origin, { clock });
  await opened.greet();
  // The optional stream, of which there is none here, is done with: from here on a timer is one of the call.
  await expect.poll(() => server.seen.some(({ method }) => method === 'GET')).toBe(true);
  for (let notice = 0; notice < 3; notice += 1) await opened.notify('notifications/roots/list_changed');
  await expect.poll(() => clock.pending).toBe(0);
  const resumesSeen = (): readonly (string | string[] | undefined)[] =>
    server.seen.filter(isResume).map(({ headers }) => headers['last-event-id']);
  return {
    ...opened,
    clock,
    server,
    resumesSeen,
    calls: (): number => server.seen.filter(isCall).length,
    /** Whether the first part is over and the pause after it runs. */
    pausing: () => expect.poll(() => clock.pending).toBe(1),
    /** Lets time pass until `work` is over. */
    passing: async <T>(work: Promise<T>): Promise<T> => {
      const state = { over: false };
      const watched = work.finally(() => {
        state.over = true;
      });
      watched.catch(() => {});
      while (!state.over) {
        await clock.advance(limits.resume.pauseMs);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return watched;
    },
  };
}

describe('the stream of one request', () => {
  it.each(['ends', 'breaks'])(
    'H4: one that %s after an event with an id is resumed by a GET; the call is not sent again',
    async (how) => {
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };
      const { passing, request, server, resumesSeen, calls, messages } = await resumable(
        (response) => {
          startEvents(response);
          response.write(firstEvent);
          setTimeout(() => (how === 'ends' ? response.end() : response.destroy()), 20);
        },
        (response, call) =>
          events(`id: e2\n${eventOf(progress)}id: e3\n${eventOf(replyTo(call, 'done'))}`)(response, call),
      );
      expect(await passing(request('tools/call'))).toMatchObject({ result: 'done' });
      expect(resumesSeen()).toEqual(['e1']);
      expect(calls()).toBe(1);
      expect(server.seen.find(isResume)).toMatchObject({
        method: 'GET',
        headers: { accept: 'text/event-stream', 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-06-18' },
      });
      expect(messages.slice(-2)).toMatchObject([progress, { result: 'done' }]);
    },
  );

  it('H4: a second cut keeps the id, a newer id replaces it, and an id may come without data', async () => {
    const { passing, request, resumesSeen, calls } = await resumable(
      events(firstEvent),
      events(': nothing new\n\n'),
      events('id: e2\n\n'),
      answer('e3'),
    );
    expect(await passing(request('tools/call'))).toMatchObject({ result: 'done' });
    expect(resumesSeen()).toEqual(['e1', 'e1', 'e2']);
    expect(calls()).toBe(1);
  });

  it.each([
    ['1500', 1_500],
    ['0', limits.sseRetryMs.least],
    ['3600000', limits.sseRetryMs.most],
    ['soon', limits.resume.pauseMs],
  ])('H4: retry: %s means a pause of %d ms', async (retry, pauseMs) => {
    const { clock, request, resumesSeen, pausing } = await resumable(
      events(`retry: ${retry}\n${firstEvent}`),
      answer('e2'),
    );
    const call = request('tools/call');
    await pausing();
    await clock.advance(pauseMs - 1);
    expect(clock.pending).toBe(1);
    expect(resumesSeen()).toEqual([]);
    await clock.advance(1);
    expect(await call).toMatchObject({ result: 'done' });
  });

  it.each<[string, Part]>([
    ['400', (response) => sendJson(response, { error: 'what?' }, { status: 400 })],
    ['404', (response) => response.writeHead(404).end()],
    ['405', (response) => response.writeHead(405).end()],
    ['an empty 204', (response) => response.writeHead(204).end()],
    ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['a redirect elsewhere', (response) => response.writeHead(307, { location: 'http://other.invalid/' }).end()],
  ])('H4: %s to the GET ends the call as unknown, with the first reason', async (_name, refuse) => {
    const { passing, request, resumesSeen, calls } = await resumable(events(firstEvent), refuse, answer('e2'));
    await expect(passing(request('tools/call'))).rejects.toMatchObject({
      code: 'connection_closed',
      execution: 'unknown',
      message: 'Server "thing" ended the connection before its answer was there.',
    });
    expect(resumesSeen()).toEqual(['e1']);
    expect(calls()).toBe(1);
    expect(await request('tools/list')).toMatchObject({ result: {} });
  });

  it.each<[string, Part]>([
    ['503', (response) => response.writeHead(503).end()],
    ['no answer but the end of the connection', (response) => response.destroy()],
  ])('H4: %s to the GET is worth another try', async (_name, fail) => {
    const { passing, request, resumesSeen } = await resumable(events(firstEvent), fail, fail, answer('e2'));
    expect(await passing(request('tools/call'))).toMatchObject({ result: 'done' });
    expect(resumesSeen()).toEqual(['e1', 'e1', 'e1']);
  });

  it.each([
    ['no id', ': working\n\n'],
    ['an id that was taken back', `${firstEvent}id\ndata: \n\n`],
    ['an id that no header can hold', 'id: \u0001\ndata: \n\n'],
    ['an id whose event is not over', 'id: e1\n'],
  ])('H4: with %s the call ends at once', async (_name, text) => {
    const { request, resumesSeen, clock } = await resumable(events(text));
    await expect(request('tools/call')).rejects.toMatchObject({ code: 'connection_closed', execution: 'unknown' });
    await clock.advance(limits.sseRetryMs.most);
    expect(resumesSeen()).toEqual([]);
  });

  it('H4: in the modern era the call ends at once, whatever ids came', async () => {
    const { request, server, clock } = await resumable(events(firstEvent), answer('e2'));
    const ends: number[] = [];
    const options = { onRequestStreamEnd: () => ends.push(1) };
    await expect(request('tools/call', modern, options)).rejects.toMatchObject({ execution: 'unknown' });
    await clock.advance(limits.sseRetryMs.most);
    expect(server.seen.filter(isResume)).toEqual([]);
    expect(ends).toEqual([1]);
  });

  it('H4: half an answer at the cut is left to the stream that goes on', async () => {
    const { passing, request, resumesSeen, link, faults } = await resumable(
      (response, call) =>
        events(`${firstEvent}id: e2\ndata: ${JSON.stringify(replyTo(call, 'x')).slice(0, -6)}`)(response, call),
      answer('e2'),
    );
    expect(await passing(request('tools/call'))).toMatchObject({ result: 'done' });
    expect(resumesSeen()).toEqual(['e1']);
    expect(faults).toEqual([]);
    expect(link.stats().noise).toBe(0);
  });

  it('H4: a whole answer at the end of the stream counts without its closing blank line', async () => {
    const { clock, request, resumesSeen } = await resumable((response, call) =>
      events(`${firstEvent}id: e2\n${eventOf(replyTo(call, 'done')).trimEnd()}`)(response, call),
    );
    expect(await request('tools/call')).toMatchObject({ result: 'done' });
    await clock.advance(limits.sseRetryMs.most);
    expect(resumesSeen()).toEqual([]);
  });

  it('H4: a message that was delivered at the cut is not asked for again', async () => {
    const note = eventOf({ jsonrpc: '2.0', method: 'notifications/message', params: {} }).trimEnd();
    const { passing, request, resumesSeen } = await resumable(events(`${firstEvent}id: e2\n${note}`), answer('e3'));
    await passing(request('tools/call'));
    expect(resumesSeen()).toEqual(['e2']);
  });

  it('H4: an answer that came elsewhere meanwhile is enough', async () => {
    let isFirst = true;
    const { clock, request, resumesSeen, pausing } = await resumable((response, call) => {
      const elsewhere = eventOf({ jsonrpc: '2.0', id: 2, result: 'elsewhere' });
      events(isFirst ? firstEvent : elsewhere + eventOf(replyTo(call, 3)))(response, call);
      isFirst = false;
    });
    const call = request('tools/call');
    await pausing();
    await request('tools/call');
    expect(await call).toMatchObject({ result: 'elsewhere' });
    await clock.advance(limits.sseRetryMs.most);
    expect(resumesSeen()).toEqual([]);
  });

  it('H4: a reply that comes twice on the resumed stream faults nothing', async () => {
    const { passing, request, messages, faults } = await resumable(events(firstEvent), (response, call) =>
      events(`id: e2\n${eventOf(replyTo(call, 1))}id: e3\n${eventOf(replyTo(call, 2))}`)(response, call),
    );
    expect(await passing(request('tools/call'))).toMatchObject({ result: 1 });
    await expect.poll(() => messages.at(-1)).toMatchObject({ result: 2 });
    expect(faults).toEqual([]);
  });

  it('H4, S10: a cancelled call is not resumed', async () => {
    const { clock, request, notify, resumesSeen, faults, pausing } = await resumable(events(firstEvent), answer('e2'));
    request('tools/call').catch(() => {});
    await pausing();
    await notify('notifications/cancelled', { requestId: 2 });
    await expect.poll(() => clock.pending).toBe(0);
    await clock.advance(limits.sseRetryMs.most);
    expect(resumesSeen()).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('H4, S10: the end of the caller’s time closes the resumed stream', async () => {
    let dropped = false;
    const { clock, request, resumesSeen, pausing } = await resumable(events(firstEvent), (response) => {
      response.on('close', () => {
        dropped = true;
      });
      startEvents(response);
      response.write(': still working\n\n');
    });
    const abort = new AbortController();
    request('tools/call', {}, { requestSignal: abort.signal }).catch(() => {});
    await pausing();
    await clock.advance(limits.resume.pauseMs);
    await expect.poll(resumesSeen).toEqual(['e1']);
    abort.abort();
    await expect.poll(() => dropped).toBe(true);
    await expect.poll(() => clock.pending).toBe(0);
  });

  it.each([
    ['the pause', false],
    ['the resumed stream', true],
  ])('H4, H5: close ends %s and the call', async (_name, isResumed) => {
    const { clock, link, request, resumesSeen, pausing, server } = await resumable(events(firstEvent), (response) => {
      startEvents(response);
      response.write(': still working\n\n');
    });
    const call = request('tools/call');
    call.catch(() => {});
    await pausing();
    if (isResumed) await clock.advance(limits.resume.pauseMs);
    await expect.poll(() => resumesSeen().length).toBe(isResumed ? 1 : 0);
    await link.close();
    await expect(call).rejects.toMatchObject({ code: 'session_closed' });
    expect(clock.pending).toBe(0);
    await clock.advance(limits.sseRetryMs.most);
    expect(resumesSeen()).toHaveLength(isResumed ? 1 : 0);
    await expect.poll(() => server.seen.at(-1)?.method).toBe('DELETE');
  });

  it('H2, H4: an initialize that was cut is resumed within the session it began', async () => {
    const clock = createManualClock();
    let initialize: SeenRequest | undefined;
    const server = await serveHttp((request, response) => {
      if (request.message['method'] === 'initialize') {
        initialize = request;
        response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's7' }).end(firstEvent);
      } else if (isResume(request) && initialize !== undefined) answer('e2', {})(response, initialize);
      else answerAsUsual(request, response);
    });
    const { link, request } = testHttpLink(server.origin, { clock });
    await link.start();
    const greeting = request('initialize');
    await expect.poll(() => clock.pending).toBe(1);
    await clock.advance(limits.resume.pauseMs);
    expect(await greeting).toMatchObject({ result: {} });
    expect(server.seen.find(isResume)?.headers).toMatchObject({ 'mcp-session-id': 's7' });
    expect(link.sessionId).toBe('s7');
  });
});
