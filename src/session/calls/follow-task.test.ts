import { describe, expect, it, vi } from 'vitest';
import {
  answerDiscover,
  answerHandshake,
  fakeDial,
  type FakeDial,
  httpEndpoint,
  limitedDeadline,
  testDeadline,
} from '../../../test/support/dial-fake.ts';
import type { FakeLink, FakeMessage } from '../../../test/support/fake-link.ts';
import { createManualClock, type ManualClock } from '../../../test/support/manual-clock.ts';
import { limits, TrestleError } from '../../base/index.ts';
import type { ToolCall } from '../session.ts';

type Served = (message: FakeMessage, link: FakeLink) => void;

const tool: ToolCall = { name: 'x', arguments: { a: 1 } };
const finished = { content: [{ type: 'text', text: 'finished' }] };

const task = (status: string, members: object = {}): object => ({ taskId: 't', status, ...members });
const started = (members: object = {}): object => ({ resultType: 'task', ...task('working', members) });

/** A modern server that begins a task with every call. */
function modern(serve: Served, clock: ManualClock, first: object = started()): FakeDial {
  return fakeDial({
    clock,
    protocol: 'modern',
    endpoint: httpEndpoint,
    serve: (message, link) => {
      if (answerDiscover(message, link)) return;
      if (message.method === 'tools/call') link.answer(message.id, first);
      else serve(message, link);
    },
  });
}

const looksOf = (fake: FakeDial): readonly FakeMessage[] =>
  (fake.links[0]?.sent ?? []).filter((message) => message.method === 'tasks/get');
const methodsOf = (fake: FakeDial): readonly (string | undefined)[] =>
  (fake.links[0]?.sent ?? []).map((message) => message.method).slice(1);

describe('a modern task', () => {
  it('S14: the extension is declared with every request, to modern servers only', async () => {
    const clock = createManualClock();
    const fake = modern((message, link) => link.answer(message.id, task('completed', { result: finished })), clock);
    const calling = (await fake.dial()).callTool(tool, { deadline: testDeadline(clock) });
    await clock.advance(limits.taskPollMs.unsaid);
    await calling;
    const declared = fake.links[0]?.sent.map(({ params }) => {
      const meta = params?.['_meta'] as Readonly<Record<string, { readonly extensions?: object }>> | undefined;
      return meta?.['io.modelcontextprotocol/clientCapabilities']?.extensions;
    });
    expect(declared).toEqual(declared?.map(() => ({ 'io.modelcontextprotocol/tasks': {} })));
    const old = fakeDial({ protocol: 'legacy', serve: (message, link) => void answerHandshake(message, link) });
    await old.dial();
    expect(JSON.stringify(old.links[0]?.sent)).not.toContain('extensions');
  });

  it.each([
    ['says nothing', undefined, limits.taskPollMs.unsaid],
    ['asks for 5 s', 5_000, 5_000],
    ['asks for none', 0, limits.taskPollMs.least],
    ['asks for an hour', 3_600_000, limits.taskPollMs.most],
  ])('S14: is looked at as often as the server wants: it %s', async (_what, pollIntervalMs, pauseMs) => {
    const clock = createManualClock();
    const interval = pollIntervalMs === undefined ? {} : { pollIntervalMs };
    const look = (): object => task('working', interval);
    const fake = modern((message, link) => link.answer(message.id, look()), clock, started(interval));
    const calling = (await fake.dial()).callTool(tool, { deadline: testDeadline(clock, 1_000) });
    calling.catch(() => {});
    for (let looks = 0; looks < 3; looks += 1) {
      await clock.advance(pauseMs - 1);
      expect(looksOf(fake)).toHaveLength(looks);
      await clock.advance(1);
      expect(looksOf(fake)).toHaveLength(looks + 1);
    }
  });

  it('S14: at work it may take longer than the idle limit, but not than the limit of the whole', async () => {
    const clock = createManualClock();
    const fake = modern((message, link) => {
      if (message.method === 'tasks/get') link.answer(message.id, task('working'));
    }, clock);
    const deadline = limitedDeadline({ clock, idleMs: 1_000, totalMs: 60_000 });
    const calling = (await fake.dial()).callTool(tool, { deadline });
    calling.catch(() => {});
    await clock.advance(59_999);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    await expect(calling).rejects.toMatchObject({ code: 'timed_out', execution: 'unknown', details: { taskId: 't' } });
    expect(methodsOf(fake).at(-1)).toBe('tasks/cancel');
  });

  it('S14: a look that stays unanswered ends the call by the idle limit', async () => {
    const clock = createManualClock();
    const fake = modern(() => {}, clock);
    const session = await fake.dial();
    const before = clock.pending;
    const calling = session.callTool(tool, { deadline: testDeadline(clock, 1_000) });
    calling.catch(() => {});
    await clock.advance(limits.taskPollMs.unsaid + 1_000);
    await expect(calling).rejects.toMatchObject({ code: 'timed_out', execution: 'unknown' });
    expect(methodsOf(fake)).toEqual(['tools/call', 'tasks/get', 'tasks/cancel']);
    // An unanswered goodbye is over by itself.
    await clock.advance(limits.taskCancelMs);
    expect(clock.pending).toBe(before);
  });

  it('S14: progress is told when its words change', async () => {
    const clock = createManualClock();
    const said = ['one', 'one', undefined, 'two'];
    const fake = modern(
      (message, link) => {
        const statusMessage = said.shift();
        const words = statusMessage === undefined ? {} : { statusMessage };
        link.answer(
          message.id,
          said.length > 0 ? task('working', words) : task('completed', { result: finished, ...words }),
        );
      },
      clock,
      started({ statusMessage: 'begun' }),
    );
    const onProgress = vi.fn<(progress: object) => void>();
    const calling = (await fake.dial()).callTool(tool, { deadline: testDeadline(clock), onProgress });
    await clock.advance(10_000);
    await calling;
    expect(onProgress.mock.calls.flat()).toEqual([
      { progress: 1, message: 'begun' },
      { progress: 2, message: 'one' },
      { progress: 3, message: 'two' },
    ]);
  });

  /** The outcome of a call whose task is `members` at its first look, and what was sent for it. */
  async function outcomeOf(members: object): Promise<{ readonly outcome: unknown; readonly sent: readonly unknown[] }> {
    const clock = createManualClock();
    const fake = modern((message, link) => link.answer(message.id, members), clock);
    const calling = (await fake.dial()).callTool(tool, { deadline: testDeadline(clock) });
    const outcome = calling.catch((error: unknown) => error);
    await clock.advance(limits.taskPollMs.unsaid);
    return { outcome: await outcome, sent: methodsOf(fake) };
  }

  it('S14: that ends with an error of the tool is a result', async () => {
    const { outcome } = await outcomeOf(task('completed', { result: { ...finished, isError: true } }));
    expect(outcome).toMatchObject({ ...finished, isError: true });
  });

  it('S14: that fails is an error of the protocol, of unknown execution whatever its code', async () => {
    const error = { code: -32_600, message: 'broke', data: { at: 'work' } };
    const { outcome, sent } = await outcomeOf(task('failed', { error }));
    expect(outcome).toMatchObject({
      code: 'protocol_error',
      execution: 'unknown',
      details: { rpcCode: -32_600, rpcMessage: 'broke', rpcData: { at: 'work' }, taskId: 't' },
    });
    expect(sent).toEqual(['tools/call', 'tasks/get']);
  });

  it('S14: that the server cancels says so', async () => {
    const { outcome, sent } = await outcomeOf(task('cancelled', { statusMessage: 'not today' }));
    expect(outcome).toMatchObject({
      code: 'cancelled',
      execution: 'unknown',
      message: expect.stringContaining('not today') as string,
    });
    expect(sent).toEqual(['tools/call', 'tasks/get']);
  });

  it('S14: that needs what the host cannot give is taken back', async () => {
    const inputRequests = { q: { method: 'elicitation/create', params: { message: 'Sure?' } } };
    const { outcome, sent } = await outcomeOf(task('input_required', { inputRequests }));
    expect(outcome).toMatchObject({ code: 'input_required', execution: 'unknown', details: { taskId: 't' } });
    expect(sent).toEqual(['tools/call', 'tasks/get', 'tasks/cancel']);
  });

  it('S14: that asks without end is given up and taken back', async () => {
    const clock = createManualClock();
    let nth = 0;
    const fake = modern((message, link) => {
      const inputRequests = { [(nth += 1)]: { method: 'roots/list' } };
      link.answer(message.id, message.method === 'tasks/get' ? task('input_required', { inputRequests }) : {});
    }, clock);
    const calling = (await fake.dial()).callTool(tool, { deadline: testDeadline(clock) });
    calling.catch(() => {});
    await clock.advance(60_000);
    await expect(calling).rejects.toMatchObject({ code: 'input_required', execution: 'unknown' });
    expect(methodsOf(fake).filter((name) => name === 'tasks/update')).toHaveLength(limits.inputRounds);
    expect(methodsOf(fake).at(-1)).toBe('tasks/cancel');
  });

  it('S14: is asked for by the id it began with, whatever a look says', async () => {
    const clock = createManualClock();
    const ids = ['other', undefined, 't'];
    const fake = modern((message, link) => {
      const taskId = ids.shift();
      const status = ids.length > 0 ? 'working' : 'completed';
      link.answer(message.id, { status, result: finished, ...(taskId !== undefined && { taskId }) });
    }, clock);
    const calling = (await fake.dial()).callTool(tool, { deadline: testDeadline(clock) });
    await clock.advance(10_000);
    await expect(calling).resolves.toMatchObject(finished);
    expect(looksOf(fake).map(({ params }) => params?.['taskId'])).toEqual(['t', 't', 't']);
  });

  it('S14: one that is over from the start is looked at at once', async () => {
    const clock = createManualClock();
    const fake = modern((message, link) => link.answer(message.id, task('completed', { result: finished })), clock, {
      resultType: 'task',
      ...task('completed'),
    });
    await expect((await fake.dial()).callTool(tool, { deadline: testDeadline(clock) })).resolves.toMatchObject(
      finished,
    );
  });

  const down = new TrestleError({
    code: 'http_error',
    message: 'HTTP 503',
    execution: 'unknown',
    details: { status: 503 },
  });

  it('S14: looks that fail on their way are repeated, a few times in a row', async () => {
    const clock = createManualClock();
    let failing: number = limits.taskPollFailures;
    const fake = modern((message, link) => {
      if (message.method === 'tasks/get' && (failing -= 1) >= 0) throw down;
      link.answer(message.id, task('completed', { result: finished }));
    }, clock);
    const session = await fake.dial();
    const calling = session.callTool(tool, { deadline: testDeadline(clock) });
    await clock.advance(60_000);
    await expect(calling).resolves.toMatchObject(finished);
    failing = Number.POSITIVE_INFINITY;
    const before = looksOf(fake).length;
    const lost = session.callTool(tool, { deadline: testDeadline(clock) });
    lost.catch(() => {});
    await clock.advance(60_000);
    await expect(lost).rejects.toMatchObject({ code: 'http_error', execution: 'unknown', details: { taskId: 't' } });
    expect(looksOf(fake).length - before).toBe(limits.taskPollFailures + 1);
  });

  it('P6, S14: a session that ends ends the call at once, of unknown execution', async () => {
    const clock = createManualClock();
    const fake = modern((message, link) => link.answer(message.id, task('working')), clock);
    const session = await fake.dial();
    const calling = session.callTool(tool, { deadline: testDeadline(clock) });
    calling.catch(() => {});
    await clock.advance(1_500);
    await session.close();
    await expect(calling).rejects.toMatchObject({ code: 'session_closed', execution: 'unknown' });
  });

  it.each([
    ['has no id', { resultType: 'task', status: 'working' }],
    ['has no status that is known', { resultType: 'task', taskId: 't', status: 'asleep' }],
  ])('S14: one that %s is a broken reply', async (_what, first) => {
    const clock = createManualClock();
    const fake = modern(() => {}, clock, first);
    await expect((await fake.dial()).callTool(tool, { deadline: testDeadline(clock) })).rejects.toMatchObject({
      code: 'broken_reply',
      execution: 'unknown',
    });
  });

  it.each([
    ['completed', {}],
    ['completed', { result: 'text' }],
    ['failed', {}],
    ['failed', { error: 'text' }],
  ])('S14: one that is %s with %j is a broken reply', async (status, members) => {
    const clock = createManualClock();
    const fake = modern((message, link) => link.answer(message.id, task(status, members)), clock);
    const calling = (await fake.dial()).callTool(tool, { deadline: testDeadline(clock) });
    calling.catch(() => {});
    await clock.advance(2_000);
    await expect(calling).rejects.toMatchObject({ code: 'broken_reply', execution: 'unknown' });
    expect(methodsOf(fake)).not.toContain('tasks/cancel');
  });

  it('S14: nothing but a call may become one', async () => {
    const fake = fakeDial({
      protocol: 'modern',
      serve: (message, link) => {
        if (!answerDiscover(message, link)) link.answer(message.id, started());
      },
    });
    await expect((await fake.dial()).readResource('memo://x', { deadline: testDeadline() })).rejects.toMatchObject({
      code: 'broken_reply',
    });
  });
});

describe('a task of 2025-11-25', () => {
  const able = { capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } } };
  const demanding: ToolCall = { ...tool, execution: { taskSupport: 'required' } };

  function legacy(serve: Served, clock: ManualClock, facts: object = able): FakeDial {
    return fakeDial({
      clock,
      protocol: 'legacy',
      ports: { roots: () => ['/srv'] },
      serve: (message, link) => {
        if (!answerHandshake(message, link, facts)) serve(message, link);
      },
    });
  }

  const sentOf = (fake: FakeDial): readonly FakeMessage[] => (fake.links[0]?.sent ?? []).slice(2);

  it('S14: is begun where the tool demands it, looked at, and its result fetched', async () => {
    const clock = createManualClock();
    const looks = ['working', 'completed'];
    const fake = legacy((message, link) => {
      const { method, id } = message;
      if (method === 'tools/call') link.answer(id, { task: task('working', { pollInterval: 500 }) });
      else if (method === 'tasks/get') link.answer(id, task(looks.shift() ?? 'completed', { pollInterval: 500 }));
      else link.answer(id, finished);
    }, clock);
    const calling = (await fake.dial()).callTool(demanding, { deadline: testDeadline(clock) });
    await clock.advance(1_000);
    await expect(calling).resolves.toMatchObject(finished);
    expect(sentOf(fake).map(({ method }) => method)).toEqual(['tools/call', 'tasks/get', 'tasks/get', 'tasks/result']);
    expect(sentOf(fake)[0]?.params).toMatchObject({ ...tool, task: { ttl: 600_000 } });
  });

  it('S14: that needs input asks for it while its result is waited for', async () => {
    const clock = createManualClock();
    let asking: FakeMessage | undefined;
    const fake = legacy((message, link) => {
      const { method, id } = message;
      if (method === 'tools/call') link.answer(id, { task: task('working') });
      else if (method === 'tasks/get') link.answer(id, task('input_required'));
      else if (method === 'tasks/result') {
        asking = message;
        link.deliver({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
      } else if (id === 'q') link.answer(asking?.id, finished);
    }, clock);
    const calling = (await fake.dial()).callTool(demanding, { deadline: testDeadline(clock) });
    await clock.advance(2_000);
    await expect(calling).resolves.toMatchObject(finished);
  });

  it('S14: that fails does so with what its call would have failed with, of unknown execution', async () => {
    const clock = createManualClock();
    const fake = legacy((message, link) => {
      const { method, id } = message;
      if (method === 'tools/call') link.answer(id, { task: task('working') });
      else if (method === 'tasks/get') link.answer(id, task('failed'));
      else link.refuse(id, { code: -32_601, message: 'no' });
    }, clock);
    const calling = (await fake.dial()).callTool(demanding, { deadline: testDeadline(clock) });
    calling.catch(() => {});
    await clock.advance(2_000);
    await expect(calling).rejects.toMatchObject({
      code: 'protocol_error',
      execution: 'unknown',
      details: { rpcCode: -32_601 },
    });
  });

  it.each([
    ['can cancel', able, ['tools/call', 'tasks/cancel']],
    ['cannot', { capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } } }, ['tools/call']],
  ])('S14: given up, it is taken back where the server %s', async (_what, facts, methods) => {
    const clock = createManualClock();
    const fake = legacy(
      (message, link) => {
        if (message.method === 'tools/call') link.answer(message.id, { task: task('working') });
      },
      clock,
      facts,
    );
    const abort = new AbortController();
    const calling = (await fake.dial()).callTool(demanding, { deadline: testDeadline(clock, 60_000, abort.signal) });
    calling.catch(() => {});
    await clock.advance(10);
    abort.abort();
    await expect(calling).rejects.toMatchObject({ code: 'cancelled', execution: 'unknown' });
    expect(sentOf(fake).map(({ method }) => method)).toEqual(methods);
  });

  it.each([
    ['does not demand it', able, tool],
    ['may be called either way', able, { ...tool, execution: { taskSupport: 'optional' } }],
    ['demands it of a server that cannot', { capabilities: { tools: {} } }, demanding],
  ])('S14: no task is begun for a tool that %s', async (_what, facts, wanted) => {
    const clock = createManualClock();
    // What looks like a task beside content is a member of the tool's own.
    const fake = legacy((message, link) => link.answer(message.id, { ...finished, task: { taskId: 7 } }), clock, facts);
    const session = await fake.dial();
    await expect(session.callTool(wanted, { deadline: testDeadline(clock) })).resolves.toMatchObject(finished);
    expect(sentOf(fake)[0]?.params).not.toHaveProperty('task');
  });
});
