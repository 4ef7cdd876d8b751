import { describe, expect, it, onTestFinished } from 'vitest';
import { httpEndpoint, testDeadline } from '../../../test/support/dial-fake.ts';
import { type DialectServer, serveDialect } from '../../../test/support/event-dialect.ts';
import { testKeeper } from '../../../test/support/stdio-link.ts';
import { type Deadline, silentLog, systemClock } from '../../base/index.ts';
import { createHttpClient, type HttpTransportChoice } from '../../wire/index.ts';
import type { Session } from '../session.ts';
import type { EraVerdict } from './dial-options.ts';
import { dial } from './dial.ts';

interface Opened {
  readonly server: DialectServer;
  readonly session: Session;
  readonly eras: ReadonlyMap<string, EraVerdict>;
}

/** A session with a server of the dialect. */
async function open(transport: HttpTransportChoice, ...settings: readonly string[]): Promise<Opened> {
  const server = await serveDialect(...settings);
  const http = createHttpClient({ clock: systemClock });
  onTestFinished(() => http.close());
  const eras = new Map<string, EraVerdict>();
  const session = await dial({
    server: 'dialect',
    endpoint: { ...httpEndpoint, url: server.url, transport },
    definitionHash: 'hash',
    protocol: 'auto',
    protocolVersions: [],
    eras: { get: (hash) => eras.get(hash), set: (hash, verdict) => void eras.set(hash, verdict), forget() {} },
    wire: { clock: systemClock, log: silentLog, keeper: testKeeper(), http },
    ports: { roots: () => [] },
    client: { name: 'trestle', version: '0.0.0' },
    deadline: testDeadline(),
  });
  onTestFinished(() => session.close());
  return { server, session, eras };
}

const under = (deadline: Deadline = testDeadline()) => ({ deadline });
const call = (session: Session, name: string, args = {}) => session.callTool({ name, arguments: args }, under());
const calls = (server: DialectServer): readonly string[] => server.ran().filter((line) => line.startsWith('call'));

describe('a session in the event dialect', () => {
  it.each(['auto', 'events'] as const)(
    'H1, H10: is found with transport %s, lists its tools and calls them',
    async (transport) => {
      const { session, eras } = await open(transport);
      expect(session.info).toMatchObject({ era: 'legacy', link: 'events', serverInfo: undefined });
      expect(eras.get('hash')).toMatchObject({ era: 'legacy', link: 'events' });
      const { items, problems } = await session.listTools(under());
      expect(items.map(({ name }) => name)).toContain('echo');
      expect(problems).toEqual([]);
      expect(await session.listPrompts(under())).toEqual({ items: [], problems: [] });
      expect(await call(session, 'echo', { text: 'hello' })).toMatchObject({ content: [{ text: 'hello' }] });
      expect(await call(session, 'value')).toMatchObject({ structuredContent: { n: 1 }, isError: false });
      expect(await session.signOfLife(2_000)).toBe(true);
    },
  );

  it('H10: with transport auto also when the tools come late', async () => {
    const { session } = await open('auto', 'pauseMs=100', 'endpoint=url');
    expect(session.info.link).toBe('events');
  });

  it('S5, H10: the two layers of error stay apart', async () => {
    const { session } = await open('events');
    expect(await call(session, 'fail', { how: 'told' })).toMatchObject({
      isError: true,
      content: [{ text: 'the disk is full' }],
    });
    await expect(call(session, 'fail', { how: 'protocol' })).rejects.toMatchObject({
      code: 'protocol_error',
      details: { rpcCode: -32_602, rpcMessage: 'no such text', rpcData: { at: 'text' } },
    });
  });

  it('H10, S10: at a timeout the call that runs is unknown, one that waits was not sent, and the next one works', async () => {
    const { session, server } = await open('events');
    const timedOut = (name: string, idleMs: number): Promise<unknown> =>
      session.callTool({ name, arguments: { text: 'x' } }, under(testDeadline(systemClock, idleMs))).then(
        () => undefined,
        (error: unknown) => error,
      );
    const [running, waiting] = await Promise.all([timedOut('hang', 1_000), timedOut('echo', 200)]);
    expect(running).toMatchObject({ code: 'timed_out', execution: 'unknown' });
    expect(waiting).toMatchObject({ code: 'timed_out', execution: 'not-sent' });
    expect(await session.signOfLife(2_000)).toBe(true);
    expect(await call(session, 'echo', { text: 'after' })).toMatchObject({ content: [{ text: 'after' }] });
    expect(calls(server)).toEqual(['call hang', 'call echo']);
    expect(session.state).toBe('ready');
  });

  it('H10, P6: when the server dies the call that runs is unknown, and those that wait were not sent', async () => {
    const { session, server } = await open('events');
    const ends = await Promise.all(
      ['die', 'echo', 'echo'].map((name) =>
        call(session, name).then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    expect(ends).toMatchObject([{ execution: 'unknown' }, { execution: 'not-sent' }, { execution: 'not-sent' }]);
    expect(calls(server)).toEqual(['call die']);
    expect(session.state).toBe('failed');
  });

  it('H5, H10: an unknown session is lost: the call was rejected, and the session is over', async () => {
    const { session } = await open('events');
    await expect(call(session, 'forget')).rejects.toMatchObject({ code: 'session_lost', execution: 'rejected' });
    expect(session.state).toBe('failed');
  });

  it('S4, H10: an answer to nobody is counted', async () => {
    const { session } = await open('events');
    await call(session, 'twice', { text: 'once' });
    await expect.poll(() => session.counters().strayReplies).toBe(1);
  });

  it('S11, H10: a later list of tools is told', async () => {
    const { session } = await open('events');
    const changed: string[] = [];
    session.onListChanged((list) => changed.push(list));
    await call(session, 'grow');
    await expect.poll(() => changed).toEqual(['tools']);
    const { items } = await session.listTools(under());
    expect(items.map(({ name }) => name)).toContain('grown');
  });
});
