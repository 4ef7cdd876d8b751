import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { type Deadline, startDeadline, within } from './deadline.ts';
import { TrestleError } from './errors.ts';

function start(overrides: Partial<Parameters<typeof startDeadline>[0]> = {}): {
  clock: ReturnType<typeof createManualClock>;
  deadline: Deadline;
} {
  const clock = createManualClock();
  const deadline = startDeadline({
    clock,
    idleMs: 1_000,
    totalMs: 5_000,
    subject: 'call echo',
    server: 'demo',
    ...overrides,
  });
  return { clock, deadline };
}

function reasonOf(deadline: Deadline): TrestleError {
  const reason: unknown = deadline.signal.reason;
  if (!(reason instanceof TrestleError)) throw new Error('the deadline is not over');
  return reason;
}

describe('a deadline', () => {
  it('S9: ends after the idle limit, with a code and a hint', async () => {
    const { clock, deadline } = start();
    await clock.advance(999);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    const reason = reasonOf(deadline);
    expect(reason.code).toBe('timed_out');
    expect(reason.message).toBe('call echo timed out after 1 s.');
    expect(reason.hint).toContain('--timeout');
    expect(reason.server).toBe('demo');
    expect(clock.pending).toBe(0);
  });

  it('S9: says what would help more than a higher limit, and what is known beside it, as it is by then', async () => {
    const { clock, deadline } = start();
    let seen = 0;
    deadline.explain(() => (seen > 0 ? { hint: 'Look there.', details: { seen } } : {}));
    seen = 1;
    await clock.advance(1_000);
    expect(reasonOf(deadline)).toMatchObject({ hint: 'Look there.', details: { limit: 'idle', limitMs: 1_000, seen } });
    const other = start();
    other.deadline.explain(() => ({ hint: 'Look there.' }));
    other.deadline.explain(undefined);
    await other.clock.advance(1_000);
    expect(reasonOf(other.deadline).hint).toContain('--timeout');
  });

  it('S9: of two limits that end together the one that was asked for is told of', async () => {
    const both = { idleMs: 1_000, totalMs: 1_000 };
    const [usual, total] = [start(both), start({ ...both, totalDecides: true })];
    await usual.clock.advance(1_000);
    await total.clock.advance(1_000);
    expect(reasonOf(usual.deadline)).toMatchObject({ details: { limit: 'idle' } });
    expect(reasonOf(total.deadline)).toMatchObject({
      message: 'call echo timed out after 1 s in all.',
      hint: 'Raise the limit of the whole call with --max-total SECONDS.',
    });
  });

  it('S9: is renewed by progress, up to the total limit', async () => {
    const { clock, deadline } = start();
    for (let step = 0; step < 6; step += 1) {
      await clock.advance(800);
      deadline.renew();
    }
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(200);
    expect(reasonOf(deadline).message).toBe('call echo timed out after 5 s in all.');
    expect(reasonOf(deadline).hint).toContain('--max-total');
  });

  it('S9: the total limit is never shorter than the idle limit', async () => {
    const { clock, deadline } = start({ idleMs: 9_000, totalMs: 2_000 });
    await clock.advance(8_999);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('S9: a longer allowance holds until the next sign of progress', async () => {
    const { clock, deadline } = start();
    deadline.allow(3_000);
    await clock.advance(2_900);
    expect(deadline.signal.aborted).toBe(false);
    deadline.renew();
    await clock.advance(1_000);
    expect(reasonOf(deadline).message).toBe('call echo timed out after 1 s.');
  });

  it('S9: after a longer allowance, progress brings the idle limit back', async () => {
    const { clock, deadline } = start();
    deadline.allow(4_000);
    await clock.advance(1_500);
    deadline.renew();
    await clock.advance(1_000);
    expect(reasonOf(deadline).message).toBe('call echo timed out after 1 s.');
  });

  it('S9: held, the idle limit stands still, progress or not; it starts anew when the last hold is over', async () => {
    const { clock, deadline } = start();
    const [first, second] = [deadline.hold(), deadline.hold()];
    await clock.advance(1_500);
    deadline.renew();
    first();
    first();
    await clock.advance(1_500);
    expect(deadline.signal.aborted).toBe(false);
    second();
    await clock.advance(999);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(reasonOf(deadline).message).toBe('call echo timed out after 1 s.');
  });

  it('S9: held, it still ends by its total limit, and leaves no timer', async () => {
    const { clock, deadline } = start();
    const release = deadline.hold();
    await clock.advance(5_000);
    expect(reasonOf(deadline).message).toBe('call echo timed out after 5 s in all.');
    release();
    expect(clock.pending).toBe(0);
  });

  it('a caller that aborts cancels it, and no timer is left', () => {
    const caller = new AbortController();
    const { clock, deadline } = start({ signal: caller.signal });
    caller.abort();
    expect(reasonOf(deadline).code).toBe('cancelled');
    expect(clock.pending).toBe(0);
    expect(deadline.remainingMs()).toBe(0);
    expect(() => deadline.throwIfOver()).toThrow('cancelled');
  });

  it('a caller that has aborted already cancels it at once', () => {
    const { deadline } = start({ signal: AbortSignal.abort() });
    expect(reasonOf(deadline).code).toBe('cancelled');
  });

  it('leaves no timer when it is disposed', () => {
    const { clock, deadline } = start();
    deadline[Symbol.dispose]();
    expect(clock.pending).toBe(0);
  });

  it('within() rejects with its reason while the work goes on, and keeps a late failure quiet', async () => {
    const { clock, deadline } = start();
    let fail: (error: Error) => void = () => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const waiting = within(deadline, work);
    const seen = waiting.catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await seen).toMatchObject({ code: 'timed_out' });
    fail(new Error('too late to matter'));
    await expect(within(deadline, Promise.resolve('unused'))).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('within() passes a result and a failure through', async () => {
    const { deadline } = start();
    await expect(within(deadline, Promise.resolve(7))).resolves.toBe(7);
    await expect(within(deadline, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    deadline[Symbol.dispose]();
  });
});
