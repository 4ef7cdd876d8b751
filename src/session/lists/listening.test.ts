import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answerDiscover,
  answerHandshake,
  fakeDial,
  httpEndpoint,
  type FakeDialOptions,
  testDeadline,
} from '../../../test/support/dial-fake.ts';
import { dialReal, modernVices, type Transport } from '../../../test/support/dial-real.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { FakeLink, FakeMessage } from '../../../test/support/fake-link.ts';
import { createManualClock, type ManualClock } from '../../../test/support/manual-clock.ts';
import { type Clock, limits, type Log, silentLog, TrestleError } from '../../base/index.ts';
import type { ChangedList, Session } from '../session.ts';

const declared = { capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} } };
const method = 'subscriptions/listen';
const subscription = (id: unknown): object => ({ 'io.modelcontextprotocol/subscriptionId': id });

function acknowledge(
  link: FakeLink,
  message: FakeMessage,
  notifications: object = { toolsListChanged: true, promptsListChanged: true },
): void {
  const params = { notifications, _meta: subscription(message.id) };
  link.deliver({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
}

interface Talk {
  readonly session: Session;
  readonly link: FakeLink;
  readonly clock: ManualClock;
  /** The listen requests so far. */
  readonly listens: () => readonly FakeMessage[];
  readonly notices: () => readonly FakeMessage[];
  /** Log lines about the server. */
  readonly lines: readonly string[];
}

type Serve = (message: FakeMessage, link: FakeLink, nth: number) => void;

/** A session with a server that gives the n-th listen request what `serve` does with it. */
async function talk(serve: Serve, options: Partial<FakeDialOptions> = {}, facts: object = declared): Promise<Talk> {
  const clock = createManualClock();
  const lines: string[] = [];
  const log: Log = { ...silentLog, info: (text) => void lines.push(text) };
  let nth = 0;
  const fake = fakeDial({
    clock,
    log,
    protocol: 'modern',
    ...options,
    serve: (message, link) => {
      if (answerDiscover(message, link, facts)) return;
      if (message.method === method) serve(message, link, (nth += 1));
      else if (message.id !== undefined) link.answer(message.id, { content: [], tools: [] });
    },
  });
  const session = await fake.dial();
  const [link] = fake.links;
  if (link === undefined) throw new Error('no link was opened');
  const sent = (name: string): readonly FakeMessage[] => link.sent.filter((message) => message.method === name);
  return { session, link, clock, lines, listens: () => sent(method), notices: () => sent('notifications/cancelled') };
}

/** Everything that listeners of `session` are told. */
function hear(session: Session): ChangedList[] {
  const told: ChangedList[] = [];
  session.onListChanged((list) => told.push(list));
  return told;
}

const changed = (list: ChangedList, id?: unknown): object => ({
  jsonrpc: '2.0',
  method: `notifications/${list}/list_changed`,
  params: id === undefined ? {} : { _meta: subscription(id) },
});

describe('list changes of the initialize era', () => {
  it('S11: are told once a burst, outside of the receive loop, and nothing is asked for', async () => {
    const fake = fakeDial({
      protocol: 'legacy',
      serve: (message, link) => void answerHandshake(message, link, declared),
    });
    const session = await fake.dial();
    const told = hear(session);
    const [link] = fake.links;
    for (let at = 0; at < 3; at += 1) link?.deliver(changed('tools'));
    link?.deliver(changed('resources'));
    expect(told).toEqual([]);
    await eventually(() => told.length === 2);
    link?.deliver(changed('tools'));
    await eventually(() => told.length === 3);
    expect(told).toEqual(['tools', 'resources', 'tools']);
    expect(link?.sent.some((message) => message.method === method)).toBe(false);
  });
});

it.each(['notifications/tools/list_changed', 'notifications/message', 'notifications/nobody/knows'])(
  'P5: a flood of %s costs next to nothing, so that it holds up no other server',
  async (notice) => {
    const fake = fakeDial({
      protocol: 'legacy',
      serve: (message, link) => {
        if (!answerHandshake(message, link, declared)) link.answer(message.id, { content: [] });
      },
    });
    const session = await fake.dial();
    const started = process.cpuUsage();
    for (let at = 0; at < 300_000; at += 1) fake.links[0]?.deliver({ jsonrpc: '2.0', method: notice, params: {} });
    await session.callTool({ name: 'x', arguments: {} }, { deadline: testDeadline() });
    // A tenth of a second of work, whatever else the machine does.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000);
  },
);

describe('listening to a modern server', () => {
  it('S11: is asked for when somebody listens, once, for the lists that the server declares', async () => {
    const { session, clock, listens } = await talk((message, link) => acknowledge(link, message));
    await clock.advance(1_000);
    expect(listens()).toEqual([]);
    const stops = [session.onListChanged(() => {}), session.onListChanged(() => {})];
    await clock.advance(0);
    expect(listens()).toMatchObject([
      { params: { notifications: { toolsListChanged: true, promptsListChanged: true } } },
    ]);
    expect(listens()[0]?.params?.['_meta']).toHaveProperty(['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
    stops.forEach((stop) => stop());
    hear(session);
    await clock.advance(0);
    expect(listens().map(({ id }) => id)).toEqual(['listen-1', 'listen-2']);
  });

  it('S11: is not asked of a server that declares nothing', async () => {
    const { session, clock, listens } = await talk(
      () => {},
      {},
      { capabilities: { tools: {}, prompts: { listChanged: false } } },
    );
    hear(session);
    await clock.advance(60_000);
    expect(listens()).toEqual([]);
  });

  it('S11: changes are told, outside of the receive loop; the first acknowledgement tells nothing', async () => {
    const { session, link, clock, listens } = await talk((message, to) => acknowledge(to, message));
    const told = hear(session);
    await clock.advance(0);
    expect(told).toEqual([]);
    link.deliver(changed('prompts', listens()[0]?.id));
    expect(told).toEqual([]);
    await clock.advance(0);
    expect(told).toEqual(['prompts']);
  });

  it('S11: opened again with growing pauses when it ends, and each list is told once, since it may have changed', async () => {
    const openedMs: number[] = [];
    const talking = await talk((message, link) => {
      openedMs.push(talking.clock.monotonicMs());
      acknowledge(link, message);
      link.answer(message.id, { resultType: 'complete' });
    });
    const told = hear(talking.session);
    await talking.clock.advance(300_000);
    const { firstPauseMs, longestPauseMs, jitter } = limits.listen;
    const wanted = [1, 2, 4, 8, 16, 32, 60, 60].map((times) => Math.min(firstPauseMs * times, longestPauseMs));
    wanted.forEach((pauseMs, at) => {
      const pausedMs = (openedMs[at + 1] ?? Number.NaN) - (openedMs[at] ?? Number.NaN);
      expect(Math.abs(pausedMs - pauseMs)).toBeLessThanOrEqual(pauseMs * jitter);
    });
    expect(told).toEqual(openedMs.slice(1).flatMap(() => ['tools', 'prompts']));
  });

  it('S11: one that held a while is opened again soon', async () => {
    const { session, link, clock, listens } = await talk((message, to) => acknowledge(to, message));
    hear(session);
    for (let nth = 1; nth <= 5; nth += 1) {
      await clock.advance(limits.listen.settledMs);
      expect(listens()).toHaveLength(nth);
      link.answer(listens().at(-1)?.id, {});
      await clock.advance(limits.listen.firstPauseMs * (1 + limits.listen.jitter));
    }
  });

  it.each([
    [
      'refuses it',
      (message: FakeMessage, link: FakeLink) => link.refuse(message.id, { code: -32_601, message: 'no' }),
      1,
      /no$/,
    ],
    [
      'answers without acknowledging it',
      (message: FakeMessage, link: FakeLink) => link.answer(message.id, {}),
      2,
      /acknowledge/,
    ],
    ['says nothing', () => {}, 2, /acknowledge/],
  ])('S11: a server that %s is left alone, with one line', async (_what, serve, ...[asked, line]) => {
    const { session, clock, listens, lines } = await talk(serve);
    const told = hear(session);
    await clock.advance(3_600_000);
    expect(listens()).toHaveLength(asked);
    expect(told).toEqual([]);
    expect(lines).toEqual([expect.stringMatching(line)]);
  });

  it('S11: a server in trouble is asked again, and then tells what it has', async () => {
    const down = new TrestleError({ code: 'connection_failed', message: 'x', execution: 'not-sent' });
    const { session, clock, listens, lines } = await talk(
      (message, link, nth) => {
        if (nth <= 4) throw down;
        acknowledge(link, message);
      },
      { endpoint: httpEndpoint },
    );
    const told = hear(session);
    await clock.advance(30_000);
    expect(listens()).toHaveLength(5);
    expect(told).toEqual(['tools', 'prompts']);
    expect(lines).toEqual([]);
  });

  it('S11: lists that the server does not tell of are named; where it tells of none, the stream is ended', async () => {
    const some = await talk((message, link) => acknowledge(link, message, { toolsListChanged: true }));
    hear(some.session);
    await some.clock.advance(0);
    expect(some.lines).toEqual([expect.stringMatching(/: prompts$/)]);
    expect(some.notices()).toEqual([]);
    const none = await talk((message, link) => acknowledge(link, message, {}));
    hear(none.session);
    await none.clock.advance(3_600_000);
    expect(none.listens()).toHaveLength(1);
    expect(none.notices()).toMatchObject([{ params: { requestId: none.listens()[0]?.id } }]);
  });

  it('S11: taken back by the server with a notification, it has ended, and is not cancelled by us', async () => {
    const { session, clock, listens, notices } = await talk((message, link) => {
      acknowledge(link, message);
      link.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: message.id } });
    });
    hear(session);
    await clock.advance(limits.listen.firstPauseMs * (1 + limits.listen.jitter));
    expect(listens()).toHaveLength(2);
    expect(notices()).toEqual([]);
  });

  it.each([
    ['stdio', undefined],
    ['HTTP', httpEndpoint],
  ])(
    'S11: over %s it ends with its last listener, and with its session, at once, leaving no timer',
    async (kind, endpoint) => {
      for (const how of ['stop', 'close'] as const) {
        const { session, clock, listens, notices } = await talk(
          (message, link) => acknowledge(link, message),
          endpoint === undefined ? {} : { endpoint },
        );
        const before = clock.pending;
        const stop = session.onListChanged(() => {});
        await clock.advance(0);
        if (how === 'stop') stop();
        else await session.close();
        await clock.advance(0);
        expect(clock.pending).toBe(before);
        const wanted = kind === 'stdio' ? [{ params: { requestId: listens()[0]?.id } }] : [];
        expect(notices()).toMatchObject(wanted);
        await clock.advance(3_600_000);
        expect(listens()).toHaveLength(1);
      }
    },
  );

  it('S11: a session that dies ends it without a word, also between two streams', async () => {
    for (const ends of [true, false]) {
      const { session, link, clock, listens, lines } = await talk((message, to) => {
        acknowledge(to, message);
        if (ends) to.answer(message.id, {});
      });
      const before = clock.pending;
      hear(session);
      await clock.advance(0);
      link.end(new TrestleError({ code: 'server_exited', message: 'exited' }));
      await clock.advance(0);
      expect(clock.pending).toBe(before);
      await clock.advance(3_600_000);
      expect(listens()).toHaveLength(1);
      expect(lines).toEqual([]);
    }
  });

  it('S11: none of its timers keeps a process alive', async () => {
    const manual = createManualClock();
    const kept: boolean[] = [];
    const clock: Clock = {
      ...manual,
      after: (ms, run, options) => {
        kept.push(options?.keepAlive ?? true);
        return manual.after(ms, run, options);
      },
    };
    const { session } = await talk((message, link) => link.answer(message.id, {}), { clock });
    kept.length = 0;
    hear(session);
    await manual.advance(10_000);
    expect(kept.length).toBeGreaterThan(2);
    expect(kept).not.toContain(true);
  });

  it('S11: it is no call: an error without an id is not taken for its end, and its failure leaves calls alone', async () => {
    const { session, link, clock, listens, notices } = await talk((message, to) => acknowledge(to, message));
    hear(session);
    await clock.advance(0);
    link.deliver({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } });
    const calling = session.callTool({ name: 'x', arguments: {} }, { deadline: testDeadline(clock) });
    link.refuse(listens()[0]?.id, { code: -32_022, message: 'no' });
    await expect(calling).resolves.toMatchObject({ isError: false });
    expect(session.state).toBe('ready');
    expect(notices()).toEqual([]);
  });
});

describe.each<Transport>(['stdio', 'http'])('listening to a real server over %s', (transport) => {
  const under = () => ({ deadline: testDeadline() });
  const call = (session: Session, name: string) => session.callTool({ name, arguments: {} }, under());

  async function open(
    listening: string,
  ): Promise<{ readonly session: Session; readonly ran: () => readonly string[] }> {
    const { endpoint, ran } = await modernVices(transport, listening);
    const session = await dialReal(endpoint);
    onTestFinished(() => session.close());
    return { session, ran };
  }

  it('S11: a change is told, what is new is found, and the server learns of the end', async () => {
    const { session, ran } = await open('good');
    const told = hear(session);
    await eventually(() => ran().includes('listen {"toolsListChanged":true}'));
    await call(session, 'add');
    await eventually(() => told.length > 0);
    expect(told).toEqual(['tools']);
    const { items } = await session.listTools(under());
    expect(items.map((tool) => tool['name'])).toContain('extra_1');
    await session.close();
    await eventually(() => ran().includes(transport === 'http' ? 'listener left' : 'cancelled listen-1'));
  });

  it('S11: one that is cut is opened again, and calls work meanwhile', async () => {
    const { session, ran } = await open('cut');
    const told = hear(session);
    await call(session, 'plain');
    const listens = (): number => ran().filter((line) => line.startsWith('listen')).length;
    await eventually(() => listens() >= 2);
    await call(session, 'plain');
    await eventually(() => told.includes('tools'));
    expect(session.state).toBe('ready');
  });

  it.each(['refused', 'unacknowledged', 'silent', 'nothing'])(
    'S11: calls work where it is %s, and closing is no wait',
    async (vice) => {
      const { session, ran } = await open(vice);
      hear(session);
      await eventually(() => ran().some((line) => line.startsWith('listen')));
      expect(await call(session, 'plain')).toMatchObject({ isError: false });
      await session.close();
    },
  );
});
