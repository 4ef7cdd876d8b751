import { describe, expect, it } from 'vitest';
import {
  answerDiscover,
  answerHandshake,
  exited,
  fakeDial,
  type FakeServer,
  stdioEndpoint,
  testDeadline,
} from '../../../test/support/dial-fake.ts';
import type { FakeLink } from '../../../test/support/fake-link.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { createLog, limits, TrestleError } from '../../base/index.ts';
import type { EraVerdict } from './dial-options.ts';

const legacyServer: FakeServer = (message, link) => void answerHandshake(message, link);
const modernServer: FakeServer = (message, link) => void answerDiscover(message, link);
const methods = (link: FakeLink | undefined): readonly unknown[] => (link?.sent ?? []).map((message) => message.method);

/** A server that reacts to the probe with `react`, and to initialize as an old one does. */
const reacting =
  (react: FakeServer): FakeServer =>
  (message, link, nth) =>
    message.method === 'server/discover' ? react(message, link, nth) : void answerHandshake(message, link);

describe('the handshake', () => {
  it('S3: initialize, its result, initialized, and nothing before them but the probe', async () => {
    const fake = fakeDial({ serve: legacyServer });
    const session = await fake.dial();
    expect(methods(fake.links[0])).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    expect(fake.links[0]?.sent[1]?.params).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'trestle', version: '0.0.0' },
    });
    expect(session.info).toMatchObject({ era: 'legacy', serverInfo: { name: 'fake', version: '1' } });
    expect(session.state).toBe('ready');
  });

  it('S1, S3: a modern server is asked with the whole envelope in every request, and not initialized', async () => {
    const fake = fakeDial({ serve: modernServer });
    const session = await fake.dial();
    void session.signOfLife(50);
    const metas = fake.links[0]?.sent.map((message) => message.params?.['_meta']);
    expect(methods(fake.links[0])).toEqual(['server/discover', 'server/discover']);
    for (const meta of metas ?? []) {
      expect(meta).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'trestle', version: '0.0.0' },
        'io.modelcontextprotocol/clientCapabilities': { roots: {} },
      });
    }
    expect(session.info).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
  });

  it('T6: is sent again to a server that turns out to speak another framing; a call never is', async () => {
    const initializes = (link: FakeLink | undefined): number =>
      methods(link).filter((method) => method === 'initialize').length;
    const serve: FakeServer = (message, link) => {
      if (message.method !== 'initialize') return;
      if (initializes(link) === 1) queueMicrotask(() => link.onframing?.());
      else answerHandshake(message, link);
    };
    const fake = fakeDial({ protocol: 'legacy', serve });
    const session = await fake.dial();
    expect(session.state).toBe('ready');
    const calling = session.callTool({ name: 'x', arguments: {} }, { deadline: testDeadline() });
    calling.catch(() => {});
    fake.links[0]?.onframing?.();
    expect(methods(fake.links[0])).toEqual(['initialize', 'initialize', 'notifications/initialized', 'tools/call']);
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('S1: %s is accepted', async (protocolVersion) => {
    const fake = fakeDial({ serve: (message, link) => void answerHandshake(message, link, { protocolVersion }) });
    expect((await fake.dial()).info.protocolVersion).toBe(protocolVersion);
  });

  it('S1: an unknown date is an error naming both sides, and leaves nothing open', async () => {
    const serve: FakeServer = (message, link) => void answerHandshake(message, link, { protocolVersion: '2099-01-01' });
    const fake = fakeDial({ serve });
    await expect(fake.dial()).rejects.toMatchObject({
      code: 'version_mismatch',
      message: expect.stringMatching(/2099-01-01.*2026-07-28, 2025-11-25/) as string,
      execution: 'not-sent',
    });
    expect(fake.links.map((link) => link.closed)).toEqual([true]);
    const listed = fakeDial({ serve, protocolVersions: ['2099-01-01'] });
    expect((await listed.dial()).info).toMatchObject({ era: 'legacy', protocolVersion: '2099-01-01' });
    expect(listed.links[0]?.sent[1]?.params).toMatchObject({ protocolVersion: '2099-01-01' });
  });

  it.each([
    { capabilities: undefined },
    { serverInfo: undefined },
    { serverInfo: { name: 7 } },
    { capabilities: { tools: true } },
  ])('S1: the harmless defect %j of an initialize result is tolerated', async (facts) => {
    const fake = fakeDial({ serve: (message, link) => void answerHandshake(message, link, facts) });
    await expect(fake.dial()).resolves.toMatchObject({ state: 'ready' });
  });

  it('S1: a result without a version is a broken reply', async () => {
    const serve: FakeServer = (message, link) => void answerHandshake(message, link, { protocolVersion: undefined });
    await expect(fakeDial({ serve }).dial()).rejects.toMatchObject({ code: 'broken_reply' });
  });
});

describe('the probe', () => {
  it.each<[string, FakeServer]>([
    [
      'an error of any code',
      (message, link) => link.refuse(message.id, { code: -32_602, message: 'Invalid request parameters', data: '' }),
    ],
    ['an empty result', (message, link) => link.answer(message.id, {})],
    ['garbage', (message, link) => link.answer(message.id, { supportedVersions: 'yes' })],
    [
      'an error without an id',
      (_message, link) => link.deliver({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: '' } }),
    ],
    ['a broken reply', (message, link) => link.deliver({ id: message.id, result: {} })],
    ['an id of the wrong type', (message, link) => link.answer(String(message.id), {})],
    ['versions we do not know', (message, link) => link.answer(message.id, { supportedVersions: ['2099-01-01'] })],
    [
      'a refused version, older ones supported',
      (message, link) => link.refuse(message.id, { code: -32_022, message: '', data: { supported: ['2025-11-25'] } }),
    ],
  ])('S2: %s means initialize on the same process', async (_name, react) => {
    const fake = fakeDial({ serve: reacting(react) });
    await expect(fake.dial()).resolves.toMatchObject({ info: { era: 'legacy' } });
    expect(fake.links).toHaveLength(1);
    expect(fake.eras.get('hash')).toMatchObject({ era: 'legacy', link: 'stdio', fromSilence: false });
  });

  it('S2: a process that exits on it is started once more, after the old one is gone, and gets initialize first', async () => {
    const fake = fakeDial({ serve: reacting((_message, link) => link.end(exited)) });
    await expect(fake.dial()).resolves.toMatchObject({ info: { era: 'legacy' } });
    expect(fake.links.map((link) => link.closed)).toEqual([true, false]);
    expect(methods(fake.links[1])).toEqual(['initialize', 'notifications/initialized']);
  });

  it('S2: a refused version that the server itself names is asked once more', async () => {
    let asked = 0;
    const fake = fakeDial({
      serve: (message, link) => {
        asked += 1;
        if (asked === 1)
          link.refuse(message.id, {
            code: -32_022,
            message: '',
            data: { supported: ['2026-07-28'], requested: '2026-07-28' },
          });
        else answerDiscover(message, link);
      },
    });
    await expect(fake.dial()).resolves.toMatchObject({ info: { era: 'modern' } });
    expect(asked).toBe(2);
  });

  it('S1: a modern server without a common version is an error naming both sides', async () => {
    const fake = fakeDial({
      serve: (message, link) =>
        link.refuse(message.id, { code: -32_022, message: '', data: { supported: ['2099-01-01'] } }),
    });
    await expect(fake.dial()).rejects.toMatchObject({ code: 'version_mismatch', details: { theirs: ['2099-01-01'] } });
    expect(fake.links[0]?.closed).toBe(true);
  });

  it('S2: silence is over 3 s after the first byte, and 10 s after the start', async () => {
    for (const firstByte of [true, false]) {
      const clock = createManualClock();
      const fake = fakeDial({
        clock,
        serve: reacting((_message, link) => {
          if (firstByte) link.deliver({ jsonrpc: '2.0', method: 'notifications/message' });
        }),
      });
      const dialling = fake.dial();
      await clock.advance((firstByte ? limits.probeFromFirstByteMs : limits.probeFromSpawnMs) - 1);
      expect(methods(fake.links[0])).toEqual(['server/discover']);
      await clock.advance(1);
      await expect(dialling).resolves.toMatchObject({ info: { era: 'legacy' } });
      expect(fake.eras.get('hash')).toMatchObject({ fromSilence: true });
    }
  });

  it('S2: silence takes half of the time there is at most, so that a server that waits for initialize is reached', async () => {
    const clock = createManualClock();
    const fake = fakeDial({ clock, deadline: testDeadline(clock, 5_000), serve: reacting(() => {}) });
    const dialling = fake.dial();
    await clock.advance(2_499);
    expect(methods(fake.links[0])).toEqual(['server/discover']);
    await clock.advance(1);
    await expect(dialling).resolves.toMatchObject({ info: { era: 'legacy' } });
  });

  it('S2: a late discover answer while initialize is unanswered decides for modern', async () => {
    const clock = createManualClock();
    const fake = fakeDial({ clock, serve: () => {} });
    const dialling = fake.dial();
    await clock.advance(limits.probeFromSpawnMs);
    const [link] = fake.links;
    const [discover, initialize] = link?.sent ?? [];
    expect(initialize?.method).toBe('initialize');
    answerDiscover(discover ?? {}, link as FakeLink);
    const session = await dialling;
    expect(session.info.era).toBe('modern');
    expect(fake.eras.get('hash')).toMatchObject({ era: 'modern', fromSilence: false });
    const calling = session.callTool({ name: 'x', arguments: {} }, { deadline: testDeadline(clock) });
    link?.answer(initialize?.id, { protocolVersion: '2025-11-25' });
    link?.answer(link.sent.at(-1)?.id, { content: [{ type: 'text', text: 'mine' }] });
    await expect(calling).resolves.toMatchObject({ content: [{ text: 'mine' }] });
  });

  it('S2: an odd late answer is never taken for the answer to initialize', async () => {
    const clock = createManualClock();
    const fake = fakeDial({
      clock,
      serve: (message, link) => {
        if (message.method !== 'initialize') return;
        link.refuse(link.sent[0]?.id, { code: -32_601, message: 'Method not found' });
        answerHandshake(message, link);
      },
    });
    const dialling = fake.dial();
    await clock.advance(limits.probeFromSpawnMs);
    await expect(dialling).resolves.toMatchObject({ info: { era: 'legacy' } });
  });

  it('S2: a slow start that meets the probe late and exits is started once more', async () => {
    const clock = createManualClock();
    const fake = fakeDial({
      clock,
      serve: (message, link, nth) => {
        if (nth > 0) answerHandshake(message, link);
        else if (message.method === 'initialize') link.end(exited);
      },
    });
    const dialling = fake.dial();
    await clock.advance(limits.probeFromSpawnMs);
    await expect(dialling).resolves.toMatchObject({ info: { era: 'legacy' } });
    expect(fake.links).toHaveLength(2);
  });
});

describe('what is remembered', () => {
  const known = (verdict: Partial<EraVerdict>): Map<string, EraVerdict> =>
    new Map([
      ['hash', { era: 'legacy', link: 'stdio', fromSilence: false, atMs: createManualClock().now(), ...verdict }],
    ]);

  it('S2: a legacy verdict saves the probe', async () => {
    const fake = fakeDial({ serve: legacyServer, eras: known({}) });
    await fake.dial();
    expect(methods(fake.links[0])).toEqual(['initialize', 'notifications/initialized']);
  });

  it('S2: one from silence is believed for a day', async () => {
    const clock = createManualClock();
    const fake = fakeDial({ clock, serve: legacyServer, eras: known({ fromSilence: true }) });
    await clock.advance(limits.silentVerdictMs);
    await fake.dial();
    expect(methods(fake.links[0])).not.toContain('server/discover');
    await clock.advance(1);
    await fake.dial();
    expect(methods(fake.links[1])).toContain('server/discover');
  });

  it('S2: one that fails is forgotten, and the server probed again', async () => {
    const fake = fakeDial({
      eras: known({}),
      serve: (message, link) => {
        if (!answerDiscover(message, link)) link.refuse(message.id, { code: -32_601, message: 'Method not found' });
      },
    });
    await expect(fake.dial()).resolves.toMatchObject({ info: { era: 'modern' } });
    expect(fake.links[0]?.closed).toBe(true);
    expect(fake.eras.get('hash')).toMatchObject({ era: 'modern' });
  });

  it('S2: protocol overrides both probe and memory', async () => {
    const legacy = fakeDial({ serve: legacyServer, protocol: 'legacy', eras: known({ era: 'modern' }) });
    await legacy.dial();
    expect(methods(legacy.links[0])).toEqual(['initialize', 'notifications/initialized']);
    const modern = fakeDial({ serve: legacyServer, protocol: 'modern', eras: known({}) });
    await expect(modern.dial()).rejects.toMatchObject({ code: 'version_mismatch' });
    expect(methods(modern.links[0])).toEqual(['server/discover']);
    expect(modern.links[0]?.closed).toBe(true);
  });
});

describe('a dial that fails', () => {
  it('S9, S10: ends by its deadline, closes its link and cancels nothing', async () => {
    const clock = createManualClock();
    const fake = fakeDial({ clock, protocol: 'legacy', serve: () => {}, deadline: testDeadline(clock, 5_000) });
    const dialling = fake.dial();
    dialling.catch(() => {});
    await clock.advance(5_000);
    await expect(dialling).rejects.toMatchObject({ code: 'timed_out', execution: 'not-sent' });
    expect(fake.links[0]?.closed).toBe(true);
    expect(methods(fake.links[0])).toEqual(['initialize']);
  });

  it.each([
    ['a silent server', undefined, {}, /wrote nothing to stdout.*"framing": "content-length"/],
    ['one that is spoken to in lines only', 'newline', { bytesIn: 9 }, /wrote no message.*"framing": "content-length"/],
    ['one that is spoken to in frames', 'content-length', { bytesIn: 9 }, /"framing": "content-length"; take that out/],
    ['one that prints something else', 'auto', { bytesIn: 9 }, /^Raise the limit/],
    ['one that speaks, but does not answer', undefined, { bytesIn: 9, messagesIn: 1 }, /^Raise the limit/],
  ] as const)('T6: the timeout of %s hints at what helps', async (...[, framing, stats, hint]) => {
    const clock = createManualClock();
    const endpoint = { ...stdioEndpoint, ...(framing === undefined ? {} : { framing }) };
    const fake = fakeDial({ clock, endpoint, stats, serve: () => {}, deadline: testDeadline(clock, 20_000) });
    const dialling = fake.dial();
    dialling.catch(() => {});
    for (let step = 0; step < 4; step += 1) await clock.advance(5_000);
    await expect(dialling).rejects.toMatchObject({
      code: 'timed_out',
      hint: expect.stringMatching(hint) as string,
    });
  });

  it('T6: the advice goes with the dial', async () => {
    const clock = createManualClock();
    const deadline = testDeadline(clock, 20_000);
    await fakeDial({ clock, deadline, serve: legacyServer }).dial();
    await clock.advance(20_000);
    expect(deadline.signal.reason).toMatchObject({ hint: expect.stringMatching(/^Raise the limit/) as string });
  });

  it('T5: has the last words of the server, whatever it failed by, but for a cancel', async () => {
    const clock = createManualClock();
    const stderr = 'waiting for the database';
    const dials = [
      { serve: () => {}, deadline: testDeadline(clock, 4_000) },
      { serve: (message, link) => link.refuse(message.id, { code: -32_603, message: 'No.' }) },
    ] as const satisfies readonly { readonly serve: FakeServer; readonly deadline?: unknown }[];
    for (const [nth, code] of ['timed_out', 'protocol_error'].entries()) {
      const dialling = fakeDial({ clock, protocol: 'legacy', stderr, serve: () => {}, ...dials[nth] }).dial();
      dialling.catch(() => {});
      await clock.advance(4_000);
      await expect(dialling).rejects.toMatchObject({ code, details: { stderr } });
    }
    const signal = AbortSignal.abort(new TrestleError({ code: 'cancelled', message: 'No.' }));
    const cancelled = fakeDial({ stderr, serve: () => {}, deadline: testDeadline(clock, 4_000, signal) }).dial();
    await expect(cancelled).rejects.toSatisfy((error: TrestleError) => error.details?.['stderr'] === undefined);
  });

  it('P6: a process that ends during initialize fails it at once with its reason', async () => {
    const fake = fakeDial({ protocol: 'legacy', serve: (_message, link) => link.end(exited) });
    await expect(fake.dial()).rejects.toMatchObject({ code: 'server_exited' });
  });

  it('S15: nothing is opened for a deadline that is over', async () => {
    const fake = fakeDial({ serve: legacyServer, deadline: testDeadline(undefined, 1_000, AbortSignal.abort()) });
    await expect(fake.dial()).rejects.toMatchObject({ code: 'cancelled', execution: 'not-sent' });
    expect(fake.links).toEqual([]);
  });

  it('T4: noise is told once, also when the server is started twice to find its era', async () => {
    const lines: string[] = [];
    const log = createLog({ redact: (text) => text, write: ({ text, server }) => lines.push(`${server}: ${text}`) });
    const serve: FakeServer = (message, link) => {
      link.onnoise?.('ready');
      if (message.method === 'server/discover') link.end(exited);
      else answerHandshake(message, link);
    };
    const fake = fakeDial({ log, serve });
    await fake.dial();
    expect(fake.links).toHaveLength(2);
    expect(lines).toEqual(['fake: prints to stdout what is no MCP message; it is skipped: ready']);
  });

  it('S2: no timer is left when a dial is over', async () => {
    const clock = createManualClock();
    const deadline = testDeadline(clock);
    await fakeDial({ clock, serve: legacyServer, deadline }).dial();
    deadline[Symbol.dispose]();
    await clock.advance(0);
    expect(clock.pending).toBe(0);
  });
});

describe('the first start of a launcher', () => {
  it('S9: may take 180 s when nothing is cached, and says what it does', async () => {
    const clock = createManualClock();
    const deadline = testDeadline(clock, 60_000);
    const fake = fakeDial({ clock, launcher: 'uncached', deadline, serve: () => {} });
    const dialling = fake.dial();
    await clock.advance(limits.launcherFirstStartMs - 1);
    expect(deadline.signal.aborted).toBe(false);
    expect(fake.steps).toEqual([expect.stringContaining('downloading it for its first start')]);
    answerHandshake(fake.links[0]?.sent[1] ?? {}, fake.links[0] as FakeLink);
    await expect(dialling).resolves.toMatchObject({ state: 'ready' });
    const cached = fakeDial({ launcher: 'cached', serve: legacyServer });
    await cached.dial();
    expect(cached.steps).toEqual([]);
  });
});
