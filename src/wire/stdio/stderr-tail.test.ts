import { expect, it } from 'vitest';
import { createStderrTail } from './stderr-tail.ts';

it('T5: the end of what was pushed is kept, and that it is not all, whatever the size of the pieces', () => {
  const text = Array.from({ length: 400 }, (_, line) => `line ${line}`).join('\n');
  for (const size of [1, 7, 64, 100, 1000, 10_000]) {
    const tail = createStderrTail(64);
    for (let at = 0; at < text.length; at += size) tail.push(Buffer.from(text.slice(at, at + size)));
    expect(tail.text()).toBe(`…${text.slice(-64)}`);
  }
});

it('T5: less than the bound is kept whole', () => {
  const tail = createStderrTail(64);
  expect(tail.text()).toBe('');
  tail.push(Buffer.from('fatal: é'));
  expect(tail.text()).toBe('fatal: é');
});

it('T5: it begins at a whole character', () => {
  const tail = createStderrTail(10);
  tail.push(Buffer.from('🚀🚀🚀🚀'));
  expect(tail.text()).toBe('…🚀🚀');
});
