import { describe, expect, it, vi } from 'vitest';
import {
  answerDiscover,
  answerHandshake,
  exited,
  fakeDial,
  httpEndpoint,
  testDeadline,
} from '../../test/support/dial-fake.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { FakeLink, FakeMessage } from '../../test/support/fake-link.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { TrestleError } from '../base/index.ts';
import type { EraVerdict } from './dial/dial-options.ts';
import type { Session } from './session.ts';

interface Talk {
  readonly session: Session;
  readonly link: FakeLink;
  /** Requests and notifications sent after the handshake, but for responses. */
  readonly asked: () => readonly FakeMessage[];
}

type Serve = (message: FakeMessage, link: FakeLink) => void;

async function talk(serve: Serve, options: Partial<Parameters<typeof fakeDial>[0]> = {}): Promise<Talk> {
  const fake = fakeDial({
    protocol: 'legacy',
    ...options,
    serve: (message, link) => {
      if (options.protocol === 'modern' ? !answerDiscover(message, link) : !answerHandshake(message, link))
        serve(message, link);
    },
  });
  const session = await fake.dial();
  const link = fake.links.at(-1);
  if (link === undefined) throw new Error('no link was opened');
  const before = link.sent.length;
  return { session, link, asked: () => link.sent.slice(before).filter((message) => message.method !== undefined) };
}

const call = (session: Session, options: { signal?: AbortSignal; onProgress?: (p: object) => void } = {}) =>
  session.callTool(
    { name: 'echo', arguments: { a: 1 } },
    { deadline: testDeadline(undefined, 60_000, options.signal), onProgress: options.onProgress },
  );

const text = { content: [{ type: 'text', text: 'ok' }] };

describe('replies', () => {
  it('S4: one whose id differs only in type fails that call at once and says so; the other call lives', async () => {
    const { session, link, asked } = await talk(() => {});
    const first = call(session);
    const second = call(session);
    link.answer(String(asked()[0]?.id), text);
    await expect(first).rejects.toMatchObject({
      code: 'broken_reply',
      execution: 'unknown',
      message: expect.stringMatching(/has the id "\d+" instead of \d+/) as string,
    });
    link.answer(asked()[1]?.id, text);
    expect(await second).toMatchObject({ content: text.content });
  });

  it.each([
    ['without jsonrpc', { result: text }],
    ['with both', { jsonrpc: '2.0', result: text, error: { code: 1, message: '' } }],
    ['with neither', { jsonrpc: '2.0' }],
    ['whose result is a text', { jsonrpc: '2.0', result: 'ok' }],
  ])('S4: one %s is broken and fails that call only', async (_name, members) => {
    const { session, link, asked } = await talk(() => {});
    const first = call(session);
    const second = call(session);
    link.deliver({ id: asked()[0]?.id, ...members });
    await expect(first).rejects.toMatchObject({ code: 'broken_reply', execution: 'unknown' });
    link.answer(asked()[1]?.id, text);
    await expect(second).resolves.toMatchObject({ isError: false });
    expect(session.state).toBe('ready');
  });

  it('S4: unknown, late and duplicate ones are counted and ignored', async () => {
    const { session, link, asked } = await talk((message, to) => to.answer(message.id, text));
    await call(session);
    link.answer(asked()[0]?.id, text);
    link.answer(999, text);
    link.answer('x', text);
    link.deliver({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } });
    expect(session.counters().strayReplies).toBe(4);
    await expect(call(session)).resolves.toMatchObject({ isError: false });
  });

  const nameless = (code: number) => ({ jsonrpc: '2.0', id: null, error: { code, message: 'Cannot read it' } });

  it.each([-32_700, -32_600])('S4: error %i without an id fails the only call that waits, at once', async (code) => {
    const { session, link, asked } = await talk((message, to) => {
      if (message.params?.['name'] === 'first') to.answer(message.id, text);
    });
    await session.callTool({ name: 'first', arguments: {} }, { deadline: testDeadline() });
    const only = call(session);
    link.deliver(nameless(code));
    await expect(only).rejects.toMatchObject({
      code: 'protocol_error',
      execution: 'unknown',
      details: { rpcCode: code },
    });
    const two = [call(session), call(session)];
    link.deliver(nameless(code));
    for (const { id } of asked().slice(-2)) link.answer(id, text);
    for (const one of two) await expect(one).resolves.toMatchObject({ isError: false });
  });

  it('S4: an error without an id that may be about a notice, or says something else, fails nothing', async () => {
    const { session, link, asked } = await talk(() => {});
    const first = call(session);
    // The notice that ended the handshake.
    link.deliver(nameless(-32_600));
    link.deliver(nameless(-32_601));
    link.answer(asked()[0]?.id, text);
    await expect(first).resolves.toMatchObject({ isError: false });
  });

  it('S4, S13: an id that no double can keep is none of ours, whatever it is rounded to, and harms nothing', async () => {
    const { session, link, asked } = await talk(() => {});
    const first = call(session);
    const huge = 2n ** 64n + BigInt(asked()[0]?.id ?? 0);
    link.deliver({ jsonrpc: '2.0', id: huge, result: text });
    link.deliver({ jsonrpc: '2.0', id: huge, error: { code: 1, message: '' } });
    expect(session.counters().strayReplies).toBe(2);
    link.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: huge, progress: huge } });
    link.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: huge } });
    link.deliver({ jsonrpc: '2.0', method: 'notifications/x', params: { _meta: { progressToken: huge }, huge } });
    link.answer(asked()[0]?.id, text);
    await expect(first).resolves.toMatchObject({ isError: false });
  });

  it('S13: results, errors and progress keep integers that no double can', async () => {
    const huge = 9007199254740993n;
    const structuredContent = { id: huge, deep: [{ id: -huge }] };
    const told = vi.fn<(progress: object) => void>();
    const { session } = await talk((message, to) => {
      const progressToken = message.id;
      to.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 2n ** 60n } });
      to.answer(message.id, { content: [{ type: 'x', id: huge }], structuredContent, _meta: { id: huge } });
    });
    const reply = { content: [{ type: 'x', id: huge }], isError: false, structuredContent, _meta: { id: huge } };
    expect(await call(session, { onProgress: told })).toEqual(reply);
    expect(told).toHaveBeenCalledWith({ progress: 2 ** 60 });
    const refusing = await talk((message, to) => {
      to.deliver({ jsonrpc: '2.0', id: message.id, error: { code: -huge, message: 'no', data: { limit: huge } } });
    });
    await expect(call(refusing.session)).rejects.toMatchObject({
      message: expect.stringContaining('error -9007199254740993: no') as string,
      execution: 'unknown',
      details: { rpcCode: -huge, rpcData: { limit: huge } },
    });
  });

  it('S4: what is nested too deeply to be written becomes a text, and the rest of the answer stays', async () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    const { session } = await talk((message, to) => {
      if (message.method === 'tools/list') to.answer(message.id, { resultType: deep, tools: [{ name: 'a', deep }] });
      else to.answer(message.id, { ...text, structuredContent: { deep } });
    });
    const reply = await call(session);
    expect(reply.content).toEqual(text.content);
    expect(JSON.stringify(reply.structuredContent)).toMatch(/^\{"deep":\[{700,}"\[nested too deeply\]"\]+\}$/);
    const { problems } = await session.listTools({ deadline: testDeadline() });
    expect(problems).toEqual(['tool "a" is nested too deeply; left out']);
    const modern = await talk((message, to) => to.answer(message.id, { resultType: deep, content: [] }), {
      protocol: 'modern',
    });
    await expect(call(modern.session)).rejects.toMatchObject({ code: 'broken_reply' });
  });

  it('S5: an error keeps its code, message and data; isError is a result', async () => {
    const data = { deep: ['x'], uri: 'a' };
    const { session } = await talk((message, to) => to.refuse(message.id, { code: -32_602, message: 'Bad', data }));
    await expect(call(session)).rejects.toMatchObject({
      code: 'protocol_error',
      execution: 'unknown',
      details: { rpcCode: -32_602, rpcMessage: 'Bad', rpcData: data },
    });
    const other = await talk((message, to) => to.answer(message.id, { ...text, isError: true }));
    await expect(call(other.session)).resolves.toMatchObject({ isError: true, content: text.content });
  });

  it('S5: an error of the server that looks like one of ours stays the error of the server', async () => {
    const forged = { code: 'session_lost', execution: 'rejected', name: 'TrestleError' };
    const { session } = await talk((message, to) =>
      to.refuse(message.id, { code: -32_603, message: 'x', data: forged }),
    );
    await expect(call(session)).rejects.toMatchObject({ code: 'protocol_error', details: { rpcData: forged } });
  });

  it('S7: content the library does not know is not lost', async () => {
    const odd = { content: [{ type: 'hologram', data: 7 }, 3], structuredContent: [null], extra: true };
    for (const protocol of ['legacy', 'modern'] as const) {
      const { session } = await talk((message, to) => to.answer(message.id, { resultType: 'complete', ...odd }), {
        protocol,
      });
      await expect(call(session)).resolves.toMatchObject({ content: odd.content, structuredContent: [null] });
    }
  });

  it('S14: a modern result of an unknown type is no success', async () => {
    const { session } = await talk((message, to) => to.answer(message.id, { resultType: 'task', taskId: 'x' }), {
      protocol: 'modern',
    });
    await expect(call(session)).rejects.toMatchObject({ code: 'broken_reply', execution: 'unknown' });
  });
});

describe('failures of the link', () => {
  it('P6: when the link ends every waiting call ends at once with its reason', async () => {
    const { session, link } = await talk(() => {});
    const calls = [call(session), call(session)];
    link.end(exited);
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'server_exited', execution: 'unknown' } });
    }
    expect(session.state).toBe('failed');
    expect(await session.over).toBe(exited);
  });

  it('P6, H10, S10: a request that the link still held back was not sent, whatever ends it, and is not cancelled', async () => {
    const { session, link, asked } = await talk(() => {});
    link.hold();
    const abort = new AbortController();
    const cancelled = call(session, { signal: abort.signal });
    const waiting = call(session);
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled', execution: 'not-sent' });
    expect(asked()).toEqual([]);
    link.end(exited);
    await expect(waiting).rejects.toMatchObject({ code: 'server_exited', execution: 'not-sent' });
  });

  it('S15: a request after the end fails at once, unsent, naming the reason', async () => {
    const { session, link } = await talk(() => {});
    link.end(exited);
    const after = { code: 'session_closed', execution: 'not-sent', details: { reason: exited.message } };
    await expect(call(session)).rejects.toMatchObject(after);
    expect(await session.signOfLife(10)).toBe(false);
  });

  it('S15: close moves to closed, resolves over, and is the same the second time', async () => {
    const { session, link } = await talk(() => {});
    await Promise.all([session.close(), session.close()]);
    expect(session.state).toBe('closed');
    expect(link.closed).toBe(true);
    expect(await session.over).toMatchObject({ code: 'session_closed' });
    await expect(call(session)).rejects.toMatchObject({ code: 'session_closed', execution: 'not-sent' });
  });

  it('P6: calls under way when it is closed end with the reason of who closes', async () => {
    const { session } = await talk(() => {});
    const waiting = call(session);
    const reason = new TrestleError({ code: 'connection_closed', message: 'fake gave no sign of life.' });
    const closing = session.close(reason);
    await expect(waiting).rejects.toMatchObject({ code: reason.code, message: reason.message, execution: 'unknown' });
    await closing;
    expect(await session.over).toBe(reason);
  });

  it('T5: calls that end without an answer have the last words of the server, others not', async () => {
    const clock = createManualClock();
    const stderr = 'waiting for the database';
    const { session, link, asked } = await talk(() => {}, { stderr, clock });
    const begin = (idleMs: number) =>
      session.callTool({ name: 'echo', arguments: {} }, { deadline: testDeadline(clock, idleMs) });
    const late = begin(1_000);
    late.catch(() => {});
    await clock.advance(1_000);
    await expect(late).rejects.toMatchObject({ code: 'timed_out', details: { limit: 'idle', stderr } });
    const refused = begin(60_000);
    link.refuse(asked().at(-1)?.id, { code: -32_603, message: 'Broken.' });
    await expect(refused).rejects.toSatisfy((error: TrestleError) => error.details?.['stderr'] === undefined);
    const waiting = begin(60_000);
    const closing = session.close(new TrestleError({ code: 'connection_closed', message: 'No sign of life.' }));
    await expect(waiting).rejects.toMatchObject({ code: 'connection_closed', details: { stderr } });
    await closing;
  });

  it('T3: a fault of one request fails that one with the reason of the link', async () => {
    const { session, link, asked } = await talk(() => {});
    const first = call(session);
    const second = call(session);
    const tooLarge = new TrestleError({ code: 'message_too_large', message: 'Too large.', execution: 'unknown' });
    link.fault(asked()[0]?.id, tooLarge);
    await expect(first).rejects.toBe(tooLarge);
    link.answer(asked()[1]?.id, text);
    await expect(second).resolves.toMatchObject({ isError: false });
  });

  it('S5: a send that the link rejects tells whether it was sent', async () => {
    const refused = new TrestleError({ code: 'http_error', message: 'x', execution: 'not-sent' });
    const { session } = await talk(() => {
      throw refused;
    });
    await expect(call(session)).rejects.toBe(refused);
  });
});

describe('a lost HTTP session', () => {
  const lost = new TrestleError({
    code: 'session_lost',
    message: 'x',
    execution: 'rejected',
    details: { status: 404 },
  });
  const overHttp = { endpoint: httpEndpoint, sessionId: 's1' };

  it('H5: a 404 ends the session and stays rejected; calls under way keep their own answers', async () => {
    const { session, link, asked } = await talk(() => {}, overHttp);
    const first = call(session);
    const second = call(session);
    link.fault(asked()[0]?.id, lost);
    await expect(first).rejects.toMatchObject({ code: 'session_lost', execution: 'rejected' });
    expect(session.state).toBe('failed');
    expect(link.closed).toBe(false);
    link.fault(asked()[1]?.id, lost);
    await expect(second).rejects.toMatchObject({ code: 'session_lost', execution: 'rejected' });
    await eventually(() => link.closed);
  });

  it('H5: told as an error in a 200 it is recognised, the call is unknown, and the session over', async () => {
    const { session, link } = await talk(
      (message, to) => to.refuse(message.id, { code: -32_600, message: 'Session not found' }),
      overHttp,
    );
    await expect(call(session)).rejects.toMatchObject({ code: 'session_lost', execution: 'unknown' });
    expect(session.state).toBe('failed');
    await eventually(() => link.closed);
  });

  it('H5: the same words of a server without sessions are an error of the call', async () => {
    const { session } = await talk(
      (message, to) => to.refuse(message.id, { code: -32_600, message: 'Session not found' }),
      {
        endpoint: httpEndpoint,
      },
    );
    await expect(call(session)).rejects.toMatchObject({ code: 'protocol_error' });
    expect(session.state).toBe('ready');
  });
});

describe('deadlines', () => {
  it('S9: a progress token is always sent; progress renews the idle limit and reaches the host', async () => {
    const clock = createManualClock();
    const fake = fakeDial({ clock, protocol: 'legacy', serve: (message, link) => void answerHandshake(message, link) });
    const session = await fake.dial();
    const onProgress = vi.fn<(progress: object) => void>();
    const deadline = testDeadline(clock, 1_000);
    const calling = session.callTool({ name: 'x', arguments: {} }, { deadline, onProgress });
    const link = fake.links[0];
    const request = link?.sent.at(-1);
    const meta = request?.params?.['_meta'] as { readonly progressToken: number };
    expect(meta.progressToken).toBe(request?.id);
    for (let step = 1; step <= 3; step += 1) {
      await clock.advance(900);
      const params = { progressToken: meta.progressToken, progress: step, total: 3, message: 'on' };
      link?.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params });
    }
    link?.answer(request?.id, text);
    await expect(calling).resolves.toMatchObject({ isError: false });
    expect(onProgress.mock.calls).toEqual([1, 2, 3].map((progress) => [{ progress, total: 3, message: 'on' }]));
  });

  it('S9: progress in the packet of the answer is not lost, and late progress goes nowhere', async () => {
    const onProgress = vi.fn<(progress: object) => void>();
    const { session, link, asked } = await talk(() => {});
    const calling = call(session, { onProgress });
    const progress = { method: 'notifications/progress', params: { progressToken: asked()[0]?.id, progress: 1 } };
    link.deliver({ jsonrpc: '2.0', ...progress });
    link.answer(asked()[0]?.id, text);
    link.deliver({ jsonrpc: '2.0', ...progress });
    await calling;
    expect(onProgress).toHaveBeenCalledTimes(1);
  });

  it('S10: a timeout sends one notice with the right id and no text of ours; others live on; the late answer is ignored', async () => {
    const clock = createManualClock();
    const fake = fakeDial({ clock, protocol: 'legacy', serve: (message, link) => void answerHandshake(message, link) });
    const session = await fake.dial();
    const calling = session.callTool(
      { name: 'x', arguments: { secret: 'hunter2' } },
      { deadline: testDeadline(clock, 1_000) },
    );
    const other = session.callTool({ name: 'y', arguments: {} }, { deadline: testDeadline(clock, 60_000) });
    calling.catch(() => {});
    const link = fake.links[0];
    const [first, second] = (link?.sent ?? []).filter((message) => message.method === 'tools/call');
    await clock.advance(1_000);
    await expect(calling).rejects.toMatchObject({ code: 'timed_out', execution: 'unknown' });
    const notices = link?.sent.filter((message) => message.method === 'notifications/cancelled');
    expect(notices).toMatchObject([{ params: { requestId: first?.id, reason: 'timed out' } }]);
    link?.answer(first?.id, text);
    link?.answer(second?.id, text);
    await expect(other).resolves.toMatchObject({ isError: false });
    expect(session.counters().strayReplies).toBe(1);
    expect(session.state).toBe('ready');
  });

  it('S10: a cancel by the caller says so', async () => {
    const abort = new AbortController();
    const { session, asked } = await talk(() => {});
    const calling = call(session, { signal: abort.signal });
    abort.abort(new Error('hunter2'));
    await expect(calling).rejects.toMatchObject({ code: 'cancelled', execution: 'unknown' });
    expect(asked().slice(1)).toMatchObject([{ method: 'notifications/cancelled', params: { reason: 'cancelled' } }]);
    await expect(call(session, { signal: AbortSignal.abort() })).rejects.toMatchObject({ execution: 'not-sent' });
  });

  it('S10: modern stdio is told by a notification, modern HTTP is not', async () => {
    for (const endpoint of [undefined, httpEndpoint]) {
      const abort = new AbortController();
      const { session, asked } = await talk(() => {}, { protocol: 'modern', ...(endpoint && { endpoint }) });
      const calling = call(session, { signal: abort.signal });
      abort.abort();
      await expect(calling).rejects.toMatchObject({ code: 'cancelled' });
      expect(
        asked()
          .slice(1)
          .map((message) => message.method),
      ).toEqual(endpoint ? [] : ['notifications/cancelled']);
    }
  });
});

describe('a sign of life', () => {
  it('P4: legacy asks ping, and an error is life', async () => {
    const { session, asked } = await talk((message, to) => to.refuse(message.id, { code: -32_601, message: 'no' }));
    expect(await session.signOfLife(1_000)).toBe(true);
    expect(asked().map((message) => message.method)).toEqual(['ping']);
  });

  it('P4: silence is none, and the ping is not cancelled', async () => {
    const { session, asked } = await talk(() => {});
    expect(await session.signOfLife(20)).toBe(false);
    expect(asked().map((message) => message.method)).toEqual(['ping']);
  });

  it('P4: modern stdio asks server/discover, modern HTTP asks nothing and lives', async () => {
    const stdio = await talk(() => {}, { protocol: 'modern' });
    expect(await stdio.session.signOfLife(1_000)).toBe(true);
    expect(stdio.asked().map((message) => message.method)).toEqual(['server/discover']);
    const http = await talk(() => {}, { protocol: 'modern', endpoint: httpEndpoint });
    expect(await http.session.signOfLife(1_000)).toBe(true);
    expect(http.asked()).toEqual([]);
  });
});

describe('lists', () => {
  it('S8: without the capability nothing is asked', async () => {
    const fake = fakeDial({
      protocol: 'legacy',
      serve: (message, link) => void answerHandshake(message, link, { capabilities: { resources: {} } }),
    });
    const session = await fake.dial();
    const control = { deadline: testDeadline() };
    expect(await session.listTools(control)).toEqual({ items: [], problems: [] });
    expect(await session.listPrompts(control)).toEqual({ items: [], problems: [] });
    expect(fake.links[0]?.sent.at(-1)?.method).toBe('notifications/initialized');
  });

  it('S7: one malformed item does not lose the others, in either era', async () => {
    const tools = [{ name: 'good', inputSchema: { type: 'object' } }, null, { name: 7 }];
    for (const protocol of ['legacy', 'modern'] as const) {
      const { session } = await talk((message, to) => to.answer(message.id, { resultType: 'complete', tools }), {
        protocol,
      });
      const listing = await session.listTools({ deadline: testDeadline() });
      expect(listing.items).toEqual([tools[0]]);
      expect(listing.problems).toHaveLength(2);
    }
  });

  it('S5: a resource is read as it is', async () => {
    const contents = [{ uri: 'a', odd: true }];
    const { session } = await talk((message, to) => to.answer(message.id, { contents }));
    expect(await session.readResource('a', { deadline: testDeadline() })).toEqual(contents);
    const broken = await talk((message, to) => to.answer(message.id, {}));
    await expect(broken.session.readResource('a', { deadline: testDeadline() })).rejects.toMatchObject({
      code: 'broken_reply',
    });
  });
});

describe('what was remembered', () => {
  it('S2: a modern server that refuses the version is forgotten and its session over', async () => {
    const eras = new Map<string, EraVerdict>();
    const fake = fakeDial({
      eras,
      serve: (message, link) => {
        if (!answerDiscover(message, link))
          link.refuse(message.id, { code: -32_022, message: 'no', data: { supported: [], requested: 'x' } });
      },
    });
    const session = await fake.dial();
    expect(eras.get('hash')).toMatchObject({ era: 'modern' });
    await expect(call(session)).rejects.toMatchObject({ execution: 'rejected' });
    expect(eras.has('hash')).toBe(false);
    expect(session.state).toBe('failed');
  });
});
