import { expect, it } from 'vitest';
import { redactBytes } from './redact-bytes.ts';

const redact = (text: string): string => text.replaceAll('hunter2', '[redacted]');

it('K4: text that comes as bytes loses its secrets, a byte order mark stays', () => {
  const bytes = Buffer.from('\u{feff}é hunter2');
  expect(Buffer.from(redactBytes(bytes, redact)).toString()).toBe('\u{feff}é [redacted]');
});

it('K4: what is no text, and text without a secret, stays byte for byte', () => {
  const picture = Buffer.from([0x89, 0x50, 0xff, ...Buffer.from('hunter2')]);
  expect(redactBytes(picture, redact)).toBe(picture);
  const plain = Buffer.from('é');
  expect(redactBytes(plain, redact)).toBe(plain);
});
