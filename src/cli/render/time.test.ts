import { expect, it } from 'vitest';
import { shortTime } from './time.ts';

it('a moment is told to the minute, where the person is; what is none stays as it is', () => {
  expect(shortTime(new Date(2026, 0, 31, 9, 5, 59).toISOString())).toBe('2026-01-31 09:05');
  expect(shortTime('by hand')).toBe('by hand');
});
