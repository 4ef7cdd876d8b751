import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { exactGlob, matchesGlob } from './globs.ts';

describe('globs', () => {
  it.each([
    ['*', '', true],
    ['delete_*', 'delete_file', true],
    ['delete_*', 'Delete_file', false],
    ['delete_*', 'undelete_file', false],
    ['*_file', 'read_file', true],
    ['r?ad', 'read', true],
    ['r?ad', 'rad', false],
    ['?', '😀', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['[*]', '*', true],
    ['[*]', 'a', false],
    ['a[?]', 'a?', true],
    ['', '', true],
    ['', 'a', false],
  ])('K3: %j %j: %s', (pattern, text, fits) => {
    expect(matchesGlob(pattern, text)).toBe(fits);
  });

  it('K3: agrees with a regular expression made of the same pattern', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 8 });
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
    fc.assert(
      fc.property(letters, texts, (pattern, text) => {
        const source = pattern
          .replaceAll('.', String.raw`\.`)
          .replaceAll('*', '.*')
          .replaceAll('?', '.');
        expect(matchesGlob(pattern, text)).toBe(new RegExp(`^${source}$`).test(text));
      }),
    );
  });

  it('K3: the pattern of a name fits that name alone, whatever signs it has', () => {
    const names = fc.string({ unit: fc.constantFrom('a', '*', '?', '[', ']'), maxLength: 6 });
    fc.assert(
      fc.property(names, names, (name, other) => {
        expect(matchesGlob(exactGlob(name), name)).toBe(true);
        expect(matchesGlob(exactGlob(name), other)).toBe(name === other);
      }),
    );
  });

  it('K3: a pattern of many stars takes no time', () => {
    const startedMs = performance.now();
    expect(matchesGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(10_000))).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});
