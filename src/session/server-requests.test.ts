import { describe, expect, it, vi } from 'vitest';
import { answerHandshake, fakeDial, testDeadline } from '../../test/support/dial-fake.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { FakeLink } from '../../test/support/fake-link.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { limits } from '../base/index.ts';
import type { SessionPorts } from './dial/dial-options.ts';

const roots = (): readonly string[] => ['/srv/a b', '/'];

async function connect(ports: Partial<SessionPorts> = {}): Promise<FakeLink> {
  const fake = fakeDial({
    protocol: 'legacy',
    ports: { roots, ...ports },
    serve: (message, link) => void answerHandshake(message, link),
  });
  await fake.dial();
  const [link] = fake.links;
  if (link === undefined) throw new Error('no link was opened');
  return link;
}

/** Lets the server ask, and resolves with the answer. */
async function ask(link: FakeLink, method: string, params?: object): Promise<object> {
  const id = `q${link.sent.length}`;
  const before = link.sent.length;
  link.deliver({ jsonrpc: '2.0', id, method, ...(params && { params }) });
  await eventually(() => link.sent.length > before);
  const { result, error } = link.sent[before] ?? {};
  expect(link.sent[before]?.id).toBe(id);
  return result ?? { error };
}

const form = {
  message: 'Who?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, times: { type: 'integer', default: 3 } },
    required: ['name'],
  },
};
const question = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 };

describe('requests of a server', () => {
  it('S6: ping and roots/list are answered, also during a call; what is not declared is -32601', async () => {
    const link = await connect();
    expect(await ask(link, 'ping')).toEqual({});
    expect(await ask(link, 'roots/list')).toEqual({
      roots: [
        { uri: 'file:///srv/a%20b', name: 'a b' },
        { uri: 'file:///', name: '/' },
      ],
    });
    for (const [method, params] of [
      ['sampling/createMessage', question],
      ['elicitation/create', form],
      ['x/y', {}],
    ] as const) {
      expect(await ask(link, method, params)).toMatchObject({ error: { code: -32_601 } });
    }
  });

  it('S6: only what the host offers is declared', async () => {
    const declared = (link: FakeLink): unknown =>
      link.sent.find((message) => message.method === 'initialize')?.params?.['capabilities'];
    expect(declared(await connect())).toEqual({ roots: {} });
    const all = await connect({ sample: async () => null, elicit: async () => ({ action: 'decline' }) });
    expect(declared(all)).toEqual({ roots: {}, sampling: {}, elicitation: { form: {} } });
  });

  it('S6: a form gets its defaults and is checked before it is sent', async () => {
    const elicit = vi
      .fn<NonNullable<SessionPorts['elicit']>>()
      .mockResolvedValueOnce({ action: 'accept', content: { name: 'Ann' } });
    const link = await connect({ elicit });
    expect(await ask(link, 'elicitation/create', form)).toEqual({
      action: 'accept',
      content: { name: 'Ann', times: 3 },
    });
    expect(elicit.mock.calls[0]?.[0]).toBe('fake');
    elicit.mockResolvedValueOnce({ action: 'accept', content: {} });
    expect(await ask(link, 'elicitation/create', form)).toMatchObject({
      error: { code: -32_603, message: expect.stringContaining('name is required') as string },
    });
    elicit.mockResolvedValueOnce({ action: 'decline', content: { name: 'Ann' } });
    expect(await ask(link, 'elicitation/create', form)).toEqual({ action: 'decline' });
  });

  it('S6: a port that fails is an error of the request, without its text', async () => {
    const link = await connect({ sample: () => Promise.reject(new Error('key sk-123456789 refused')) });
    const answer = await ask(link, 'sampling/createMessage', question);
    expect(answer).toMatchObject({ error: { code: -32_603 } });
    expect(JSON.stringify(answer)).not.toContain('sk-123456789');
  });

  it('S6: a question taken back aborts its handler and gets no answer', async () => {
    const signals: AbortSignal[] = [];
    const elicit: SessionPorts['elicit'] = (_server, _params, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const link = await connect({ elicit });
    const before = link.sent.length;
    link.deliver({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: form });
    await eventually(() => signals.length === 1);
    link.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q' } });
    await eventually(() => signals[0]?.aborted === true);
    expect(link.sent.length).toBe(before);
  });

  it('S6: a port has a limit, and while it is asked the call under way does not time out', async () => {
    const clock = createManualClock();
    const fake = fakeDial({
      clock,
      protocol: 'legacy',
      ports: { roots, elicit: () => new Promise(() => {}) },
      serve: (message, link) => void answerHandshake(message, link),
    });
    const session = await fake.dial();
    const deadline = testDeadline(clock, 1_000);
    const calling = session.callTool({ name: 'x', arguments: {} }, { deadline });
    const link = fake.links[0];
    const request = link?.sent.at(-1);
    link?.deliver({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: form });
    await clock.advance(limits.portAnswerMs - 1);
    expect(link?.sent.at(-1)).toBe(request);
    await clock.advance(1);
    expect(link?.sent.at(-1)).toMatchObject({ id: 'q', error: { code: -32_603 } });
    expect(deadline.signal.aborted).toBe(false);
    link?.answer(request?.id, { content: [] });
    await expect(calling).resolves.toMatchObject({ isError: false });
  });

  it('S6: progress during a question, and the answer to another, do not bring the limit back', async () => {
    const clock = createManualClock();
    const answers: ((value: { readonly action: 'decline' }) => void)[] = [];
    const fake = fakeDial({
      clock,
      protocol: 'legacy',
      ports: { roots, elicit: () => new Promise((resolve) => answers.push(resolve)) },
      serve: (message, link) => void answerHandshake(message, link),
    });
    const session = await fake.dial();
    const deadline = testDeadline(clock, 1_000);
    const calling = session.callTool({ name: 'x', arguments: {} }, { deadline });
    const link = fake.links[0];
    const id = link?.sent.at(-1)?.id;
    for (const question of ['q1', 'q2']) {
      link?.deliver({ jsonrpc: '2.0', id: question, method: 'elicitation/create', params: form });
    }
    await clock.advance(900);
    link?.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, progress: 1 } });
    answers[0]?.({ action: 'decline' });
    await clock.advance(5_000);
    expect(deadline.signal.aborted).toBe(false);
    answers[1]?.({ action: 'decline' });
    await clock.advance(999);
    link?.answer(id, { content: [] });
    await expect(calling).resolves.toMatchObject({ isError: false });
  });

  it('S6: more questions at once than the limit are refused, not queued', async () => {
    const link = await connect({ sample: () => new Promise(() => {}) });
    for (let id = 0; id < limits.serverRequests; id += 1) {
      link.deliver({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: question });
    }
    expect(await ask(link, 'sampling/createMessage', question)).toMatchObject({ error: { code: -32_603 } });
  });

  it('S3, S6: before the handshake is over ping is answered, and another request waits', async () => {
    const fake = fakeDial({
      protocol: 'legacy',
      serve(message, link) {
        if (message.method !== 'initialize') return;
        link.deliver({ jsonrpc: '2.0', id: 1, method: 'ping' });
        link.deliver({ jsonrpc: '2.0', id: 2, method: 'roots/list' });
        answerHandshake(message, link);
      },
    });
    await fake.dial();
    const link = fake.links[0];
    await eventually(() => link?.sent.length === 4);
    expect(link?.sent.map((message) => message.method ?? message.id)).toEqual([
      'initialize',
      1,
      'notifications/initialized',
      2,
    ]);
  });

  it('S6, S13: an id that no double can keep comes back with its digits, early and late, and takes its question back', async () => {
    const [early, late, taken] = [9007199254740993n, -9007199254740993n, 18446744073709551615n];
    const fake = fakeDial({
      protocol: 'legacy',
      ports: { roots, elicit: () => new Promise(() => {}) },
      serve(message, link) {
        if (message.method === 'initialize') link.deliver({ jsonrpc: '2.0', id: early, method: 'roots/list' });
        answerHandshake(message, link);
      },
    });
    const session = await fake.dial();
    const [link] = fake.links;
    for (const method of ['ping', 'x/y', 'roots/list']) link?.deliver({ jsonrpc: '2.0', id: late, method });
    link?.deliver({ jsonrpc: '2.0', id: taken, method: 'elicitation/create', params: form });
    link?.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: taken } });
    await eventually(() => session.counters().requestsAnswered['roots/list'] === 2);
    const answers = link?.sent.slice(2).map(({ id, error }) => [id, error?.code]);
    expect(answers).toHaveLength(4);
    expect(answers).toContainEqual([early, undefined]);
    expect(answers?.filter(([id]) => id === (late as unknown))).toEqual([
      [late, undefined],
      [late, -32_601],
      [late, undefined],
    ]);
  });

  it('S6, S13: a form and its answer keep such integers, which are checked to the last digit', async () => {
    const properties = {
      id: { type: 'integer', minimum: 9007199254740993n },
      other: { type: 'integer', default: 9007199254740995n },
    };
    const asked = { message: 'Which?', requestedSchema: { type: 'object', properties, required: ['id'] } };
    const seen: unknown[] = [];
    const answers = [9007199254740993n, 9007199254740992n];
    const link = await connect({
      elicit: async (_server, params) => {
        seen.push(params);
        return { action: 'accept', content: { id: answers.shift() ?? null } };
      },
    });
    const content = { id: 9007199254740993n, other: 9007199254740995n };
    expect(await ask(link, 'elicitation/create', asked)).toEqual({ action: 'accept', content });
    expect(seen).toEqual([asked]);
    expect(await ask(link, 'elicitation/create', asked)).toMatchObject({
      error: { message: expect.stringContaining('id must be at least 9007199254740993') as string },
    });
  });

  it('S6: one id for many questions does not get around the limit, and a question in another form is refused', async () => {
    const link = await connect({ sample: () => new Promise(() => {}), elicit: () => new Promise(() => {}) });
    const before = link.sent.length;
    for (let count = 0; count < limits.serverRequests; count += 1) {
      link.deliver({ jsonrpc: '2.0', id: 'same', method: 'sampling/createMessage', params: question });
    }
    expect(link.sent.length).toBe(before);
    expect(await ask(link, 'sampling/createMessage', question)).toMatchObject({ error: { code: -32_603 } });
    link.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'same' } });
    const byUrl = { mode: 'url', url: 'https://example.com', message: '?', elicitationId: '1' };
    expect(await ask(link, 'elicitation/create', byUrl)).toMatchObject({ error: { code: -32_602 } });
  });

  it.each([null, true, {}, []])('S6: a request with the id %j has no answer, and harms nothing', async (id) => {
    const link = await connect();
    const before = link.sent.length;
    link.deliver({ jsonrpc: '2.0', id, method: 'ping' });
    expect(await ask(link, 'ping')).toEqual({});
    expect(link.sent.length).toBe(before + 1);
  });

  it('S6: answers are counted by method', async () => {
    const fake = fakeDial({ protocol: 'legacy', serve: (message, link) => void answerHandshake(message, link) });
    const session = await fake.dial();
    const [link] = fake.links;
    if (link === undefined) throw new Error('no link was opened');
    await ask(link, 'ping');
    await ask(link, 'roots/list');
    await ask(link, 'x/1');
    await ask(link, 'x/2');
    expect(session.counters().requestsAnswered).toEqual({ ping: 1, 'roots/list': 1, other: 2 });
  });
});
