import { describe, expect, it, vi } from 'vitest';
import {
  answerDiscover,
  exited,
  fakeDial,
  type FakeDial,
  limitedDeadline,
  testDeadline,
} from '../../../test/support/dial-fake.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { FakeMessage } from '../../../test/support/fake-link.ts';
import { createManualClock, type ManualClock } from '../../../test/support/manual-clock.ts';
import { limits } from '../../base/index.ts';
import type { SessionPorts } from '../dial/dial-options.ts';

const roots = (): readonly string[] => ['/srv/a b', '/'];
const form = {
  message: 'Who?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, times: { type: 'integer', default: 3 } },
    required: ['name'],
  },
};
const elicitation = { method: 'elicitation/create', params: { mode: 'form', ...form } };
const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } };
const tool = { name: 'x', arguments: { a: 1 } };
const control = () => ({ deadline: testDeadline() });

const needs = (inputRequests: unknown, requestState?: unknown): object => ({
  resultType: 'input_required',
  ...(inputRequests !== undefined && { inputRequests }),
  ...(requestState !== undefined && { requestState }),
});
const done = { resultType: 'complete', content: [] };

/** A modern server that gives the n-th call its n-th result. */
function modern(ports: Partial<SessionPorts>, results: (nth: number) => object, clock?: ManualClock): FakeDial {
  let nth = 0;
  return fakeDial({
    protocol: 'modern',
    ports: { roots, ...ports },
    ...(clock && { clock }),
    serve: (message, link) => {
      if (!answerDiscover(message, link) && message.method === 'tools/call')
        link.answer(message.id, results((nth += 1)));
    },
  });
}

const callsOf = (fake: FakeDial): readonly FakeMessage[] =>
  (fake.links[0]?.sent ?? []).filter((message) => message.method === 'tools/call');

describe('input that a modern result asks for', () => {
  it('S14: is given through the ports of server requests, the state echoed byte for byte, under a new id', async () => {
    const fake = modern({ elicit: async () => ({ action: 'accept', content: { name: 'Ann' } }) }, (nth) =>
      nth === 1 ? needs({ q: elicitation, r: { method: 'roots/list' } }, 'st ate/é') : done,
    );
    const session = await fake.dial();
    await expect(session.callTool(tool, control())).resolves.toMatchObject({ isError: false });
    const [first, second] = callsOf(fake);
    expect(second?.id).not.toBe(first?.id);
    expect(second?.params).toMatchObject({
      ...tool,
      requestState: 'st ate/é',
      inputResponses: {
        q: { action: 'accept', content: { name: 'Ann', times: 3 } },
        r: { roots: [{ name: 'a b' }, { name: '/' }] },
      },
    });
  });

  it('S14: only the latest round goes back: no answer, and no state, of an earlier one', async () => {
    const decline: SessionPorts['elicit'] = async () => ({ action: 'decline' });
    const fake = modern({ elicit: decline }, (nth) =>
      nth === 1 ? needs({ a: elicitation }, 'one') : nth === 2 ? needs({ b: elicitation }) : done,
    );
    await (await fake.dial()).callTool(tool, control());
    const { _meta, ...params } = callsOf(fake)[2]?.params ?? {};
    expect(params).toEqual({ ...tool, inputResponses: { b: { action: 'decline' } } });
    expect(new Set(callsOf(fake).map(({ id }) => id)).size).toBe(3);
  });

  it.each([
    ['has no port for', {}, { q: elicitation }],
    [
      'cannot show (a page to open)',
      { elicit: vi.fn<NonNullable<SessionPorts['elicit']>>() },
      { q: { method: 'elicitation/create', params: { mode: 'url', message: 'Who?' } } },
    ],
    ['has never heard of', {}, { q: { method: 'x/launch', params: { message: 'Who?' } } }],
  ])('S14: what the host %s is a failure that names it, and nobody is asked anything', async (_what, ports, asked) => {
    const sample = vi.fn<NonNullable<SessionPorts['sample']>>();
    const fake = modern({ ...ports, sample }, () => needs({ s: sampling, ...asked }));
    await expect((await fake.dial()).callTool(tool, control())).rejects.toMatchObject({
      code: 'input_required',
      execution: 'unknown',
      message: expect.stringContaining(`${asked.q.method} ("Who?")`) as string,
    });
    expect(sample).not.toHaveBeenCalled();
    expect(callsOf(fake)).toHaveLength(1);
  });

  it.each<[string, Partial<SessionPorts>, RegExp]>([
    [
      'that fails',
      { elicit: () => Promise.reject(new Error('key sk-123456789 refused')) },
      /could not answer \(internal\)/,
    ],
    ['whose form is not filled in', { elicit: async () => ({ action: 'accept', content: {} }) }, /name is required/],
    [
      'whose message is none',
      { sample: async () => ({ role: 'assistant' }), elicit: () => new Promise(() => {}) },
      /no message/,
    ],
  ])('S14: a host %s fails the call, and other questions are dropped', async (_how, ports, why) => {
    const signals: AbortSignal[] = [];
    const sample: SessionPorts['sample'] = (_server, _params, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const fake = modern({ sample, ...ports }, () => needs({ s: sampling, q: elicitation }));
    const failed: unknown = await (await fake.dial()).callTool(tool, control()).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'input_required',
      execution: 'unknown',
      message: expect.stringMatching(why) as string,
    });
    expect(String(failed)).not.toContain('sk-123456789');
    expect(signals.every((signal) => signal.aborted)).toBe(true);
  });

  it('S14: questions without end are given up', async () => {
    const fake = modern({ elicit: async () => ({ action: 'decline' }) }, (nth) =>
      needs({ q: elicitation }, String(nth)),
    );
    await expect((await fake.dial()).callTool(tool, control())).rejects.toMatchObject({ code: 'input_required' });
    expect(callsOf(fake)).toHaveLength(limits.inputRounds + 1);
  });

  it('S14: while the host is asked the idle limit stands still, the limit of the whole does not', async () => {
    const clock = createManualClock();
    const fake = modern({ elicit: () => new Promise(() => {}) }, () => needs({ q: elicitation }), clock);
    const session = await fake.dial();
    const deadline = limitedDeadline({ clock, idleMs: 1_000, totalMs: 20_000 });
    const calling = session.callTool(tool, { deadline });
    calling.catch(() => {});
    await clock.advance(19_999);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    await expect(calling).rejects.toMatchObject({
      code: 'timed_out',
      execution: 'unknown',
      details: { limit: 'total' },
    });
    expect(callsOf(fake)).toHaveLength(1);
  });

  it('S14: a host that never answers is waited for within its own limit', async () => {
    const clock = createManualClock();
    const fake = modern({ elicit: () => new Promise(() => {}) }, () => needs({ q: elicitation }), clock);
    const calling = (await fake.dial()).callTool(tool, { deadline: testDeadline(clock, 1_000) });
    calling.catch(() => {});
    await clock.advance(limits.portAnswerMs);
    await expect(calling).rejects.toMatchObject({ code: 'input_required' });
  });

  it('P6, S14: a server that dies while the host is asked ends the call at once, and the question', async () => {
    const signals: AbortSignal[] = [];
    const elicit: SessionPorts['elicit'] = (_server, _params, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const fake = modern({ elicit }, () => needs({ q: elicitation }));
    const calling = (await fake.dial()).callTool(tool, control());
    calling.catch(() => {});
    await eventually(() => signals.length === 1);
    fake.links[0]?.end(exited);
    await expect(calling).rejects.toMatchObject({ code: 'server_exited', execution: 'unknown' });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('S14: a server that wants nothing but time is asked again with growing pauses', async () => {
    const clock = createManualClock();
    const fake = modern({}, (nth) => (nth < 4 ? needs(undefined, `wait ${nth}`) : done), clock);
    const calling = (await fake.dial()).callTool(tool, { deadline: testDeadline(clock, 1_000) });
    for (const [pauseMs, sent] of [
      [249, 1],
      [1, 2],
      [499, 2],
      [1, 3],
      [999, 3],
      [1, 4],
    ] as const) {
      await clock.advance(pauseMs);
      expect(callsOf(fake)).toHaveLength(sent);
    }
    await calling;
    expect(callsOf(fake).map(({ params }) => params?.['requestState'])).toEqual([
      undefined,
      'wait 1',
      'wait 2',
      'wait 3',
    ]);
    expect(callsOf(fake)[3]?.params).not.toHaveProperty('inputResponses');
  });

  it.each([
    ['nothing at all', needs(undefined)],
    ['no question', needs({})],
    ['a list of questions', needs([elicitation])],
    ['a question without a method', needs({ q: {} })],
    ['a state that is no text', needs({ q: elicitation }, { step: 1 })],
    [
      'more than anybody can answer',
      needs(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [at, elicitation]))),
    ],
  ])('S14: a result that asks for input and holds %s is a broken reply', async (_what, result) => {
    const fake = modern({ elicit: async () => ({ action: 'decline' }) }, () => result);
    await expect((await fake.dial()).callTool(tool, control())).rejects.toMatchObject({
      code: 'broken_reply',
      execution: 'unknown',
    });
    expect(callsOf(fake)).toHaveLength(1);
  });

  it('S14: a list may not ask for input', async () => {
    const fake = fakeDial({
      protocol: 'modern',
      ports: { roots },
      serve: (message, link) => {
        if (!answerDiscover(message, link)) link.answer(message.id, needs({ r: { method: 'roots/list' } }));
      },
    });
    await expect((await fake.dial()).listTools(control())).rejects.toMatchObject({ code: 'broken_reply' });
  });
});
