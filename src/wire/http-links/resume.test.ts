import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { limits, TrestleError } from '../../base/index.ts';
import { eventIdOf, resumeStream, startPlace, type Place, type ResumeTry } from './resume.ts';

const cut = new TrestleError({ code: 'connection_closed', message: 'The first cut.' });
const tooLarge = new TrestleError({ code: 'message_too_large', message: 'Too large.' });

/** Resumes a stream whose tries come to `outcomes`, the last one for ever; returns when they began and how it ended. */
async function triesOf(
  outcomes: readonly ResumeTry[],
  { place = { ...startPlace(), lastId: 'e1' }, forMs = 24 * 3_600_000 }: { place?: Place; forMs?: number } = {},
) {
  const clock = createManualClock();
  const over = new AbortController();
  const begunMs: number[] = [];
  const resumed = resumeStream({
    clock,
    signal: over.signal,
    place,
    cut,
    async attempt() {
      begunMs.push(clock.monotonicMs());
      return outcomes[begunMs.length - 1] ?? outcomes.at(-1) ?? 'none';
    },
  });
  await clock.advance(forMs);
  const pausing = clock.pending;
  over.abort();
  return { begunMs, reason: await resumed, pausing, pending: clock.pending };
}

describe('resuming a stream', () => {
  it('H4: a stream that is cut again and again is resumed at one pace, up to a limit', async () => {
    const { begunMs, reason } = await triesOf(['cut']);
    expect(begunMs.slice(0, 3)).toEqual([1, 2, 3].map((times) => times * limits.resume.pauseMs));
    expect(begunMs).toHaveLength(limits.resume.most);
    expect(reason).toBe(cut);
  });

  it('H4: tries that fail in a row come more and more slowly, and are few', async () => {
    const { begunMs, reason } = await triesOf(['not-now']);
    expect(begunMs).toEqual([1_000, 3_000, 7_000, 15_000, 31_000]);
    expect(begunMs).toHaveLength(limits.resume.failuresInRow);
    expect(reason).toBe(cut);
  });

  it('H4: a try that succeeds starts the count of failures anew', async () => {
    const { begunMs } = await triesOf(['not-now', 'not-now', 'cut', 'not-now']);
    expect(begunMs).toHaveLength(3 + limits.resume.failuresInRow);
  });

  it('H4: a stream that is not to be had ends with the first reason, one that is over otherwise with its own', async () => {
    expect(await triesOf(['none'])).toMatchObject({ begunMs: [limits.resume.pauseMs], reason: cut });
    expect(await triesOf(['cut', tooLarge])).toMatchObject({ begunMs: [1_000, 2_000], reason: tooLarge });
  });

  it('H4: an abort ends the pause that runs', async () => {
    const tries = await triesOf(['cut'], { forMs: limits.resume.pauseMs - 1 });
    expect(tries).toEqual({ begunMs: [], reason: cut, pausing: 1, pending: 0 });
  });

  it('H4: an id goes back as it came, in UTF-8; one that no header can hold is none', () => {
    const sent = (lastId: string): string | undefined => eventIdOf({ ...startPlace(), lastId });
    expect(sent('stream-7_42')).toBe('stream-7_42');
    expect(sent('größe')).toBe(Buffer.from('größe').toString('latin1'));
    expect(sent('x'.repeat(limits.eventIdBytes))).toHaveLength(limits.eventIdBytes);
    for (const id of ['', ' e1', 'e1\t', 'e\u0001', 'x'.repeat(limits.eventIdBytes + 1)])
      expect(sent(id)).toBe(undefined);
    expect(eventIdOf(startPlace())).toBe(undefined);
  });
});
