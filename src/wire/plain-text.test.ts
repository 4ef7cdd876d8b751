import { expect, it } from 'vitest';
import { plainLines, plainText } from './plain-text.ts';

it('T4: samples of noise hold no escape sequences, control characters or hidden ones', () => {
  expect(plainText('\u001B[32m✔\u001B[0m ready\u0007\u001B]0;title\u0007\u200B\u202E!\n', 50)).toBe('✔ ready !');
  expect(plainText('a\u001B]8;;http://x\u001B\\b\u009Bc', 50)).toBe('ab c');
});

it('T4: samples are short and break no character', () => {
  expect(plainText('🚀'.repeat(50_000), 10)).toMatch(/^(🚀)+…$/u);
  expect(plainText('x'.repeat(500), 10)).toBe('xxxxxxxxx…');
});

it('several lines keep their line ends', () => {
  expect(plainLines('a\r\nb\u001B[1m\u0000c\td\n\n')).toBe('a\nbc  d');
});
