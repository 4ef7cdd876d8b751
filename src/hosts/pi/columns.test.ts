import { visibleWidth } from '@earendil-works/pi-tui';
import { describe, expect, it } from 'vitest';
import { assert, property, nat, string } from '../../../test/support/properties.ts';
import { cleanText } from '../../policy/index.ts';
import { columnsOf, fitColumns, foldColumns } from './columns.ts';

const texts = [
  'plain',
  '漢字かな',
  'ｆｕｌｌ',
  '한국어',
  '👩‍👩‍👧',
  '🇩🇪',
  'é',
  'e\u0301',
  '→✓…',
  '⚠️',
  '#️⃣',
  'ไทย',
  'မြန်မာ',
  '☃',
  '𝒜',
  '',
];

describe('columns of a terminal', () => {
  it.each(texts)('N1: %j takes no more of them in Pi than is counted here', (text) => {
    expect(columnsOf(text)).toBeGreaterThanOrEqual(visibleWidth(text));
  });

  it('N1: no mark takes more of them in Pi than is counted here, alone or over a letter', () => {
    const marks = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
      /^\p{M}$/u.test(sign),
    );
    expect(marks.length).toBeGreaterThan(2_000);
    const wider = marks.filter((mark) =>
      [mark, `a${mark}`, `${mark}${mark}`].some((text) => visibleWidth(text) > columnsOf(text)),
    );
    expect(wider).toEqual([]);
  });

  it('N1: a text that is cut, and every piece of one that is folded, fits as Pi counts', () => {
    assert(
      property(string({ unit: 'grapheme' }), nat(40), (any, columns) => {
        const text = cleanText(any).replaceAll(/[\n\t]/g, ' ');
        expect(visibleWidth(fitColumns(text, columns))).toBeLessThanOrEqual(columns);
        for (const piece of foldColumns(text, columns)) expect(visibleWidth(piece)).toBeLessThanOrEqual(columns);
      }),
      { numRuns: 2_000 },
    );
  });

  it('N1: folding loses nothing but blanks at a fold', () => {
    for (const text of texts) expect(foldColumns(text, 3).join('')).toBe(text);
    assert(
      property(string({ unit: 'grapheme-ascii' }), nat(20), (text, columns) => {
        const bare = (any: string): string => any.replaceAll(' ', '');
        expect(bare(foldColumns(text, columns + 1).join(''))).toBe(bare(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('N1: a word is left whole where that does not leave half a line empty', () => {
    expect(foldColumns('Try again: /x sync docs', 12)).toEqual(['Try again: ', '/x sync docs']);
    expect(foldColumns('a verylongwordthatfitsnowhere', 10)).toEqual(['a verylong', 'wordthatfi', 'tsnowhere']);
    expect(foldColumns('  "path": "/a/b"', 8)).toEqual(['  "path"', ': "/a/b"']);
    expect(foldColumns('one two', 3)).toEqual(['one', 'two']);
  });
});
