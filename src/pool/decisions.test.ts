import { describe, expect, it } from 'vitest';
import { entryToEvict, type EntryFacts, idleEndMs, isSuperseded, type LifeFacts, lifeVerdict } from './decisions.ts';

const ready: EntryFacts = {
  state: 'ready',
  lifecycle: 'lazy',
  callsInFlight: 0,
  waiting: 0,
  lastUsedMs: 1_000,
  idleMs: 600_000,
};

describe('which entry makes room', () => {
  it('P2: the least recently used idle entry goes', () => {
    const old = { ...ready, lastUsedMs: 10 };
    const older = { ...ready, lastUsedMs: 5 };
    expect(entryToEvict([ready, old, older])).toBe(older);
  });

  it('P2: never one that is kept alive, in use, waited for, or not ready', () => {
    expect(
      entryToEvict([
        { ...ready, lifecycle: 'keep-alive' },
        { ...ready, callsInFlight: 1 },
        { ...ready, waiting: 1 },
        { ...ready, state: 'dialling' },
        { ...ready, state: 'checking' },
        { ...ready, state: 'closing' },
      ]),
    ).toBeUndefined();
  });
});

describe('when an entry is closed for idleness', () => {
  it('P3: its idle time after its last use', () => {
    expect(idleEndMs(ready)).toBe(601_000);
    expect(idleEndMs({ ...ready, lifecycle: 'eager' })).toBe(601_000);
  });

  it('P3: never with 0, when kept alive, or while in use', () => {
    expect(idleEndMs({ ...ready, idleMs: 0 })).toBeUndefined();
    expect(idleEndMs({ ...ready, lifecycle: 'keep-alive' })).toBeUndefined();
    expect(idleEndMs({ ...ready, callsInFlight: 1 })).toBeUndefined();
    expect(idleEndMs({ ...ready, waiting: 1 })).toBeUndefined();
  });
});

describe('which entries an acquire supersedes', () => {
  const held = { key: 'old', definitionId: 'a', scope: 'library' } as const;

  it('P1: another key of the same definition in the same scope', () => {
    expect(isSuperseded(held, { ...held, key: 'new' })).toBe(true);
    expect(isSuperseded(held, held)).toBe(false);
    expect(isSuperseded(held, { ...held, key: 'new', definitionId: 'b' })).toBe(false);
  });

  it('P1: another scope is left alone, unless sharing changed', () => {
    expect(isSuperseded(held, { ...held, key: 'new', scope: 'session:1' })).toBe(false);
    expect(isSuperseded(held, { ...held, key: 'new', scope: 'shared' })).toBe(true);
    expect(isSuperseded({ ...held, scope: 'shared' }, { ...held, key: 'new' })).toBe(true);
  });
});

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
