import { describe, expect, it } from 'vitest';
import {
  answerDiscover,
  answerHandshake,
  fakeDial,
  type FakeDial,
  type FakeServer,
  httpEndpoint,
  testDeadline,
} from '../../../test/support/dial-fake.ts';
import type { FakeLink } from '../../../test/support/fake-link.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { limits, TrestleError, type ErrorCode } from '../../base/index.ts';
import type { HttpTransportChoice } from '../../wire/index.ts';

const http = (status: number, code: ErrorCode = 'http_error'): TrestleError =>
  new TrestleError({
    code,
    message: `Server "fake" answered HTTP ${status}.`,
    details: { status },
    execution: 'unknown',
  });

const kinds = (fake: FakeDial): readonly string[] => fake.links.map((link) => link.kind);
const methods = (link: FakeLink | undefined): readonly unknown[] => (link?.sent ?? []).map((message) => message.method);

/** An old server whose reaction to the probe is `react`. */
const reacting =
  (react: FakeServer): FakeServer =>
  (message, link, nth) =>
    message.method === 'server/discover' ? react(message, link, nth) : void answerHandshake(message, link);

const failing =
  (error: TrestleError): FakeServer =>
  () => {
    throw error;
  };

const spoken = new TrestleError({
  code: 'not_mcp',
  message: 'It speaks the event dialect.',
  details: { speaks: 'events' },
});

/** A server that speaks the event dialect alone: an HTTP+SSE link ends with that reason. */
const dialectOnly: FakeServer = (message, link) => {
  if (link.kind === 'events') answerHandshake(message, link);
  else if (link.kind === 'sse') link.end(spoken);
  else throw http(404);
};

const over = (transport: HttpTransportChoice) => ({ endpoint: { ...httpEndpoint, transport } });

describe('the ladder', () => {
  it('H1: a modern server stands on the first rung', async () => {
    const fake = fakeDial({ ...over('auto'), serve: (message, link) => void answerDiscover(message, link) });
    await expect(fake.dial()).resolves.toMatchObject({ info: { era: 'modern', link: 'streamable' } });
    expect(fake.links).toHaveLength(1);
  });

  it.each<[string, FakeServer]>([
    ['a JSON-RPC error', (message, link) => link.refuse(message.id, { code: -32_601, message: 'no' })],
    ['400', failing(http(400))],
    ['404', failing(http(404))],
    ['405', failing(http(405))],
    ['415', failing(http(415))],
    ['an empty answer', (message, link) => link.fault(message.id, http(200, 'broken_reply'))],
    ['an HTML page', (message, link) => link.fault(message.id, http(200, 'not_mcp'))],
    ['a stream cut off', (message, link) => link.fault(message.id, http(200, 'connection_closed'))],
  ])('H1: %s to the probe leads to initialize on a fresh link', async (_name, react) => {
    const fake = fakeDial({ ...over('auto'), serve: reacting(react) });
    await expect(fake.dial()).resolves.toMatchObject({ info: { era: 'legacy', link: 'streamable' } });
    expect(methods(fake.links[0])).toEqual(['server/discover']);
    expect(methods(fake.links[1])).toEqual(['initialize', 'notifications/initialized']);
    expect(fake.links.map((link) => link.closed)).toEqual([true, false]);
    expect(fake.eras.get('hash')).toMatchObject({ era: 'legacy', link: 'streamable', fromSilence: false });
  });

  it.each([
    http(401, 'auth_required'),
    http(403, 'forbidden'),
    http(500),
    http(503),
    http(429),
    http(0, 'connection_failed').with({ execution: 'not-sent' }),
    http(302, 'redirect_refused'),
  ])('H1, S2: %s ends the search with its own error and is no verdict', async (error) => {
    const fake = fakeDial({ ...over('auto'), serve: failing(error) });
    await expect(fake.dial()).rejects.toMatchObject({
      code: error.code,
      message: error.message,
      execution: 'not-sent',
    });
    expect(fake.links.map((link) => [link.kind, link.closed])).toEqual([['streamable', true]]);
    expect(fake.eras.size).toBe(0);
  });

  it('H1, S2: where the connection breaks after the probe it is asked once more, and then initialize', async () => {
    const broken = http(0, 'connection_failed');
    const reaction = (asked: number, more: object = {}): FakeDial =>
      fakeDial({
        ...over('auto'),
        ...more,
        serve: (message, link) => {
          if (message.method !== 'server/discover') answerHandshake(message, link);
          else if (link.sent.length <= asked) throw broken;
          else answerDiscover(message, link);
        },
      });
    const once = reaction(1);
    await expect(once.dial()).resolves.toMatchObject({ info: { era: 'modern' } });
    const always = reaction(Infinity);
    await expect(always.dial()).resolves.toMatchObject({ info: { era: 'legacy', link: 'streamable' } });
    expect(methods(always.links[0])).toEqual(['server/discover', 'server/discover']);
    expect(always.eras.get('hash')).toMatchObject({ era: 'legacy', fromSilence: true });
    await expect(reaction(Infinity, { protocol: 'modern' }).dial()).rejects.toMatchObject({ code: broken.code });
  });

  it('H1: HTTP+SSE is the last rung, without a probe', async () => {
    const fake = fakeDial({
      ...over('auto'),
      serve: (message, link) => {
        if (link.kind !== 'sse') throw http(405);
        answerHandshake(message, link);
      },
    });
    await expect(fake.dial()).resolves.toMatchObject({ info: { era: 'legacy', link: 'sse' } });
    expect(kinds(fake)).toEqual(['streamable', 'streamable', 'sse']);
    expect(methods(fake.links[2])).toEqual(['initialize', 'notifications/initialized']);
    const again = fakeDial({
      ...over('auto'),
      eras: fake.eras,
      serve: (message, link) => void answerHandshake(message, link),
    });
    await again.dial();
    expect(kinds(again)).toEqual(['sse']);
  });

  it('H1, H10: where HTTP+SSE turns out to be the event dialect, that is the next rung, and it is remembered', async () => {
    const fake = fakeDial({ ...over('auto'), serve: dialectOnly });
    await expect(fake.dial()).resolves.toMatchObject({ info: { era: 'legacy', link: 'events' } });
    expect(kinds(fake)).toEqual(['streamable', 'streamable', 'sse', 'events']);
    expect(fake.links.slice(0, 3).every(({ closed }) => closed)).toBe(true);
    const again = fakeDial({ ...over('auto'), eras: fake.eras, serve: dialectOnly });
    await again.dial();
    expect(kinds(again)).toEqual(['events']);
  });

  it('H10: a `tools` event that comes a moment after the first message was refused still counts', async () => {
    const fake = fakeDial({
      ...over('auto'),
      serve: (message, link, nth) => {
        if (link.kind !== 'sse') dialectOnly(message, link, nth);
        else {
          setTimeout(() => link.end(spoken), 20);
          throw http(404);
        }
      },
    });
    await expect(fake.dial()).resolves.toMatchObject({ info: { link: 'events' } });
  });

  it('H10: without such an event the dialect is not tried', async () => {
    const clock = createManualClock();
    const fake = fakeDial({ ...over('auto'), clock, serve: failing(http(404)) });
    const dialling = fake.dial();
    dialling.catch(() => {});
    await clock.advance(limits.dialect.toolsEventMs);
    await expect(dialling).rejects.toMatchObject({ code: 'http_error' });
    expect(kinds(fake)).toEqual(['streamable', 'streamable', 'sse']);
  });

  it('H1, H9: a server that names an endpoint of another origin is refused with that reason alone', async () => {
    const refused = new TrestleError({ code: 'origin_refused', message: 'fake wants its messages sent elsewhere.' });
    const fake = fakeDial({
      ...over('auto'),
      serve: failing(http(405)),
      onStart: async (kind) => {
        if (kind === 'sse') throw refused;
      },
    });
    await expect(fake.dial()).rejects.toMatchObject({ code: 'origin_refused', message: refused.message });
  });

  it('H1: when no rung holds, the error says what was tried, the most telling first', async () => {
    const fake = fakeDial({
      ...over('auto'),
      serve: (message) => {
        throw message.method === 'initialize' ? http(400) : http(405);
      },
      onStart: async (kind) => {
        if (kind === 'sse') throw http(406);
      },
    });
    await expect(fake.dial()).rejects.toMatchObject({
      code: 'http_error',
      message: expect.stringMatching(
        /^[^\n]*Streamable HTTP: .*400; HTTP\+SSE: .*406; Streamable HTTP \(2026-07-28\): .*405\.$/,
      ) as string,
    });
    expect(fake.links.every((link) => link.closed)).toBe(true);
  });

  it('H1: rungs that failed alike share one reason', async () => {
    const fake = fakeDial({
      ...over('auto'),
      serve: failing(http(404)),
      onStart: async (kind) => {
        if (kind === 'sse') throw http(404);
      },
    });
    const error = await fake.dial().catch((reason: unknown) => reason as TrestleError);
    expect((error as TrestleError).message.split('404')).toHaveLength(2);
  });

  it('H1: a server that refuses initialize in JSON-RPC is not waited for long on the last rung', async () => {
    for (const [idleMs, waitsMs] of [
      [60_000, limits.probeFromSpawnMs],
      [4_000, 2_000],
    ] as const) {
      const clock = createManualClock();
      const fake = fakeDial({
        ...over('auto'),
        clock,
        deadline: testDeadline(clock, idleMs),
        serve: (message, link) => link.refuse(message.id, { code: -32_602, message: 'No.' }),
        onStart: (kind) => (kind === 'sse' ? new Promise(() => {}) : Promise.resolve()),
      });
      const dialling = fake.dial();
      dialling.catch(() => {});
      await clock.advance(waitsMs);
      await expect(dialling).rejects.toMatchObject({
        code: 'protocol_error',
        message: expect.stringContaining('No.') as string,
      });
    }
  });

  it('H1: transport overrides the ladder', async () => {
    const sse = fakeDial({ ...over('sse'), serve: (message, link) => void answerHandshake(message, link) });
    await sse.dial();
    expect(kinds(sse)).toEqual(['sse']);
    const streamable = fakeDial({ ...over('streamable'), serve: failing(http(404)) });
    await expect(streamable.dial()).rejects.toMatchObject({ code: 'http_error' });
    expect(kinds(streamable)).toEqual(['streamable', 'streamable']);
    const events = fakeDial({ ...over('events'), serve: (message, link) => void answerHandshake(message, link) });
    await events.dial();
    expect(kinds(events)).toEqual(['events']);
  });

  it('H9: waiting for the endpoint event has the deadline', async () => {
    const clock = createManualClock();
    const fake = fakeDial({
      ...over('sse'),
      clock,
      deadline: testDeadline(clock, 5_000),
      serve: () => {},
      onStart: () => new Promise(() => {}),
    });
    const dialling = fake.dial();
    dialling.catch(() => {});
    await clock.advance(5_000);
    await expect(dialling).rejects.toMatchObject({ code: 'timed_out' });
    expect(fake.links[0]?.closed).toBe(true);
  });
});

describe('a probe that hangs', () => {
  it('H1, S2: initialize goes out on a fresh link after 3 s', async () => {
    const clock = createManualClock();
    const fake = fakeDial({ ...over('auto'), clock, serve: reacting(() => {}) });
    const dialling = fake.dial();
    await clock.advance(limits.probeFromFirstByteMs - 1);
    expect(fake.links).toHaveLength(1);
    await clock.advance(1);
    await expect(dialling).resolves.toMatchObject({ info: { era: 'legacy' } });
    expect(fake.eras.get('hash')).toMatchObject({ fromSilence: true });
    expect(fake.links.map((link) => link.closed)).toEqual([true, false]);
  });

  it('S2: and after half of the time there is at the latest', async () => {
    const clock = createManualClock();
    const fake = fakeDial({
      ...over('auto'),
      clock,
      deadline: testDeadline(clock, 2_000),
      serve: reacting(() => {}),
    });
    const dialling = fake.dial();
    await clock.advance(999);
    expect(fake.links).toHaveLength(1);
    await clock.advance(1);
    await expect(dialling).resolves.toMatchObject({ info: { era: 'legacy' } });
  });

  it('S2: its late answer while initialize is unanswered, or refused, decides for modern on its own link', async () => {
    for (const refuses of [false, true]) {
      const clock = createManualClock();
      const fake = fakeDial({
        ...over('auto'),
        clock,
        serve: (message, link) => {
          if (refuses && message.method === 'initialize') link.refuse(message.id, { code: -32_601, message: 'no' });
        },
      });
      const dialling = fake.dial();
      await clock.advance(limits.probeFromSpawnMs - 1);
      const [probed] = fake.links;
      answerDiscover(probed?.sent[0] ?? {}, probed as FakeLink);
      await expect(dialling).resolves.toMatchObject({ info: { era: 'modern' } });
      expect(fake.links.map((link) => link.closed)).toEqual([false, true]);
    }
  });
});

describe('what is remembered', () => {
  it('S2: a rung that does not hold any more is forgotten, and the ladder climbed', async () => {
    const eras = new Map([['hash', { era: 'legacy', link: 'sse', fromSilence: false, atMs: Date.now() } as const]]);
    const fake = fakeDial({
      ...over('auto'),
      eras,
      serve: (message, link) => {
        if (link.kind === 'sse') throw http(404);
        answerDiscover(message, link);
      },
    });
    await expect(fake.dial()).resolves.toMatchObject({ info: { era: 'modern' } });
    expect(fake.links.map((link) => link.closed)).toEqual([true, false]);
    expect(eras.get('hash')).toMatchObject({ era: 'modern', link: 'streamable' });
  });

  it('S2: sign-in that is missing leaves the memory alone', async () => {
    const eras = new Map([
      ['hash', { era: 'legacy', link: 'streamable', fromSilence: false, atMs: Date.now() } as const],
    ]);
    const fake = fakeDial({ ...over('auto'), eras, serve: failing(http(401, 'auth_required')) });
    await expect(fake.dial()).rejects.toMatchObject({ code: 'auth_required' });
    expect(eras.size).toBe(1);
  });
});
