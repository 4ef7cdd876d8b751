import { expect, it } from 'vitest';
import { Ending } from './ending.ts';

it('L8: who asks after the end learns of it, with the first reason', () => {
  const ending = new Ending();
  expect(ending.ended).toBe(false);
  ending.end(new Error('first'));
  ending.end(new Error('second'));
  expect(ending.ended).toBe(true);
  expect(ending.signal.aborted).toBe(true);
  expect(ending.signal.reason).toEqual(new Error('first'));
});

it('L8: who asked before hears of the end, once', () => {
  const ending = new Ending();
  const { signal } = ending;
  expect(signal.aborted).toBe(false);
  let heard = 0;
  signal.addEventListener('abort', () => (heard += 1));
  ending.end();
  ending.end();
  expect(heard).toBe(1);
  expect(ending.signal).toBe(signal);
});
