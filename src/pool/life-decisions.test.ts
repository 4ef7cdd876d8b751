import { describe, expect, it } from 'vitest';
import { type LifeFacts, lifeVerdict, type WatchFacts, watchStep } from './life-decisions.ts';

describe('whether a server lives after a call was given up', () => {
  const silent: LifeFacts = {
    signed: false,
    callStartedMs: 1_000,
    trafficMs: undefined,
    othersInFlight: 0,
    askedMs: 61_000,
    nowMs: 63_000,
    trafficWithinMs: 10_000,
  };

  it('S10: a sign is life; silence without other calls is death', () => {
    expect(lifeVerdict({ ...silent, signed: true })).toBe('alive');
    expect(lifeVerdict(silent)).toBe('dead');
  });

  it('S10: traffic on another call within the limit is life, older traffic is not', () => {
    expect(lifeVerdict({ ...silent, trafficMs: 54_000 })).toBe('alive');
    expect(lifeVerdict({ ...silent, trafficMs: 53_000 })).toBe('dead');
  });

  it('P7: traffic from before the call is no sign: the call may be what froze the server', () => {
    expect(lifeVerdict({ ...silent, callStartedMs: 62_000, trafficMs: 61_500 })).toBe('dead');
  });

  it('S10: while other calls are in flight their traffic is waited for', () => {
    expect(lifeVerdict({ ...silent, othersInFlight: 1 })).toBe('undecided');
    expect(lifeVerdict({ ...silent, othersInFlight: 1, nowMs: 71_000 })).toBe('dead');
  });
});

describe('when a connection is asked for a sign of life', () => {
  const kept: WatchFacts = {
    lifecycle: 'keep-alive',
    link: 'stdio',
    era: 'legacy',
    sinceMs: 1_000,
    oldestCallMs: undefined,
    askedMs: undefined,
    asking: false,
    misses: 0,
    everAnswered: true,
    nowMs: 5_000,
  };
  const lazy: WatchFacts = { ...kept, lifecycle: 'lazy' };

  it('P4: a kept one every 30 s, from the start', () => {
    expect(watchStep(kept)).toEqual({ act: 'wait', untilMs: 31_000 });
    expect(watchStep({ ...kept, nowMs: 31_000 })).toEqual({ act: 'ask' });
    expect(watchStep({ ...kept, askedMs: 31_000, nowMs: 32_000 })).toEqual({ act: 'wait', untilMs: 61_000 });
  });

  it('P4: another one only while a call is older than 30 s, and then every 30 s', () => {
    expect(watchStep(lazy)).toEqual({ act: 'rest' });
    expect(watchStep({ ...lazy, lifecycle: 'eager' })).toEqual({ act: 'rest' });
    const calling = { ...lazy, oldestCallMs: 4_000 };
    expect(watchStep(calling)).toEqual({ act: 'wait', untilMs: 34_000 });
    expect(watchStep({ ...calling, nowMs: 34_000 })).toEqual({ act: 'ask' });
    expect(watchStep({ ...calling, askedMs: 34_000, nowMs: 40_000 })).toEqual({ act: 'wait', untilMs: 64_000 });
  });

  it('P4: modern HTTP is asked nothing, modern stdio is', () => {
    const due = { ...kept, nowMs: 31_000, era: 'modern' } as const;
    expect(watchStep({ ...due, link: 'streamable' })).toEqual({ act: 'rest' });
    expect(watchStep(due)).toEqual({ act: 'ask' });
  });

  it('P4: one question at a time', () => {
    expect(watchStep({ ...kept, askedMs: 31_000, asking: true, nowMs: 90_000 })).toEqual({ act: 'rest' });
  });

  it('P4: three misses are death, two are not', () => {
    expect(watchStep({ ...kept, misses: 2, nowMs: 31_000 })).toEqual({ act: 'ask' });
    expect(watchStep({ ...kept, misses: 3 })).toEqual({ act: 'dead' });
  });

  it('P4: a server that never answered is asked on, and never dead', () => {
    expect(watchStep({ ...kept, misses: 3, everAnswered: false, nowMs: 31_000 })).toEqual({ act: 'ask' });
  });

  it('P4: while a call runs on stdio its own deadline decides; over HTTP three misses do', () => {
    const calling = { ...lazy, oldestCallMs: 4_000, misses: 3, nowMs: 34_000 };
    expect(watchStep(calling)).toEqual({ act: 'ask' });
    expect(watchStep({ ...calling, lifecycle: 'keep-alive' })).toEqual({ act: 'ask' });
    expect(watchStep({ ...calling, link: 'streamable' })).toEqual({ act: 'dead' });
    expect(watchStep({ ...calling, link: 'sse' })).toEqual({ act: 'dead' });
  });
});
