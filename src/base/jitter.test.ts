import { expect, it } from 'vitest';
import { jittered } from './jitter.ts';

it('a time is made longer or shorter by up to the share, as chance has it', () => {
  expect(jittered(1_000, 0.25, () => 0)).toBe(750);
  expect(jittered(1_000, 0.25, () => 0.5)).toBe(1_000);
  expect(jittered(1_000, 0.25, () => 0.999)).toBeCloseTo(1_249.5);
});
