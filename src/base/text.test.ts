import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { formatBytes, formatSpan, plural, shellQuote, shorten, someOf } from './text.ts';

describe('text', () => {
  it('a shortened text is a prefix with an ellipsis, never longer than allowed, and splits no code point', () => {
    expect(shorten('abcdef', 6)).toBe('abcdef');
    expect(shorten('abcdef', 4)).toBe('abc…');
    expect(shorten('ab😀cd', 4)).toBe('ab…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, characters) => {
        const short = shorten(text, characters);
        expect(short.length).toBeLessThanOrEqual(Math.max(characters, 0));
        expect(short.isWellFormed()).toBe(true);
        expect(text.startsWith(short.replace(/…$/, '')) || text === short).toBe(true);
      }),
    );
  });

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [49_152, '48.0 KiB'],
    [1_048_575, '1.0 MiB'],
    [5_033_165, '4.8 MiB'],
  ])('%d bytes are shown as %s', (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown);
  });

  it.each([
    [400, '0 s'],
    [119_400, '119 s'],
    [119_500, '2 min'],
    [7_100_000, '118 min'],
    [7_200_000, '2 h'],
    [172_800_000, '2 d'],
  ])('%d ms are shown as %s', (ms, shown) => {
    expect(formatSpan(ms)).toBe(shown);
  });

  it('of many names some are told, and how many more there are', () => {
    expect(someOf(['a', 'b'])).toBe('a, b');
    expect(someOf(Array.from({ length: 14 }, (_, index) => `n${index}`))).toMatch(/^n0, .*, n11 and 2 more$/);
  });

  it('a count has its noun', () => {
    expect([plural(1, 'tool'), plural(2, 'tool'), plural(0, 'entry', 'entries')]).toEqual([
      '1 tool',
      '2 tools',
      '0 entries',
    ]);
  });

  it('plain words stay unquoted, others are quoted', () => {
    expect(['message=hello', 'a/b.json', '--x'].map(shellQuote)).toEqual(['message=hello', 'a/b.json', '--x']);
    expect(['', 'a b', "it's", '~', '=x', '$HOME'].map(shellQuote)).toEqual([
      "''",
      "'a b'",
      String.raw`'it'\''s'`,
      "'~'",
      "'=x'",
      "'$HOME'",
    ]);
  });

  it.skipIf(process.platform === 'win32')('L8: a shell reads a quoted argument as it was', () => {
    const texts = fc.sample(fc.string({ unit: 'grapheme' }), 200).filter((text) => !text.includes('\0'));
    const script = `printf '%s\\0' ${texts.map(shellQuote).join(' ')}`;
    const printed = execFileSync('sh', ['-c', script]).toString();
    expect(printed.split('\0').slice(0, -1)).toEqual(texts.map((text) => text.toWellFormed()));
  });
});
