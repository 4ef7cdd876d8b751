import { describe, expect, it } from 'vitest';
import { entryToEvict, type EntryFacts, idleEndMs, isSuperseded } from './decisions.ts';

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
  const held = {
    key: 'old',
    definitionId: 'a',
    definitionHash: 'form',
    scope: 'library',
    caller: {},
    lifecycle: 'lazy',
  } as const;

  it('P1: another key of the same definition in the same scope', () => {
    expect(isSuperseded(held, { ...held, key: 'new' })).toBe(true);
    expect(isSuperseded(held, held)).toBe(false);
    expect(isSuperseded(held, { ...held, key: 'new', definitionId: 'b' })).toBe(false);
  });

  it('P1, L7: another caller’s values are left alone, unless the definition changed or nothing would ever close them', () => {
    const other = { ...held, key: 'new', caller: {} };
    expect(isSuperseded(held, other)).toBe(false);
    expect(isSuperseded(held, { ...other, definitionHash: 'other form' })).toBe(true);
    expect(isSuperseded({ ...held, lifecycle: 'keep-alive' }, other)).toBe(true);
  });

  it('P1: another scope is left alone, unless sharing changed', () => {
    expect(isSuperseded(held, { ...held, key: 'new', scope: 'session:1' })).toBe(false);
    expect(isSuperseded(held, { ...held, key: 'new', scope: 'shared' })).toBe(true);
    expect(isSuperseded({ ...held, scope: 'shared' }, { ...held, key: 'new' })).toBe(true);
  });
});
