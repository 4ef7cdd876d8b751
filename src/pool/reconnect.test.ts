import { describe, expect, it } from 'vitest';
import { limits } from '../base/index.ts';
import { nextTry, waitsForTry } from './reconnect.ts';

const even = (): number => 0.5;

/** Pauses in milliseconds until it gives up, when every dial fails. */
function pauses(chance: () => number): readonly number[] {
  const seen: number[] = [];
  for (let tries = 0; ; tries += 1) {
    const retry = nextTry({ tries, lastedMs: undefined }, chance);
    if (retry === undefined) return seen;
    expect(retry.attempt).toBe(tries + 1);
    seen.push(retry.inMs);
  }
}

describe('when a lost server is tried anew', () => {
  it('P5: pauses double from 1 s to 60 s, at most ten tries', () => {
    const seconds = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60];
    expect(pauses(even)).toEqual(seconds.map((each) => each * 1_000));
  });

  it('P5: each pause is up to a quarter shorter or longer', () => {
    expect(pauses(() => 0).map((ms) => ms / 1_000)).toEqual([0.75, 1.5, 3, 6, 12, 24, 45, 45, 45, 45]);
    expect(pauses(() => 1).map((ms) => ms / 1_000)).toEqual([1.25, 2.5, 5, 10, 20, 40, 75, 75, 75, 75]);
  });

  it('P5: never sooner than in 100 ms, whatever chance says', () => {
    expect(nextTry({ tries: 0, lastedMs: undefined }, () => -100)?.inMs).toBe(100);
  });

  it('P5: a connection that held starts the count anew; one that died at once does not', () => {
    const held = limits.reconnect.settledMs;
    expect(nextTry({ tries: 10, lastedMs: held }, even)).toEqual({ attempt: 1, inMs: 1_000 });
    expect(nextTry({ tries: 3, lastedMs: held - 1 }, even)).toEqual({ attempt: 4, inMs: 8_000 });
    expect(nextTry({ tries: 10, lastedMs: held - 1 }, even)).toBeUndefined();
  });
});

it('P5: a call waits for a try within its time, and for no other', () => {
  expect(waitsForTry(999, 1_000)).toBe(true);
  expect(waitsForTry(1_000, 1_000)).toBe(false);
});
