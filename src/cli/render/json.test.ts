import { expect, it } from 'vitest';
import { assert, jsonValue, property, string } from '../../../test/support/properties.ts';
import { renderJson } from './json.ts';

it('L2: no control or format character stands raw in JSON', () => {
  const text = renderJson({ a: '\u0000\u001B[31m\u007F\u0085\u009B\u2028\u2029\u202E\u200B\u{E0041}', b: 'tab\t' });
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text).toContain('\\u009b');
  expect(text).toContain('\\udb40\\udc41');
});

it('L2: escaped JSON parses back to the equal value', () => {
  assert(
    property(jsonValue(), string({ unit: 'binary' }), (value, text) => {
      // JSON text has no negative zero.
      const plain: unknown = JSON.parse(JSON.stringify({ value, text }));
      expect(JSON.parse(renderJson(plain))).toEqual(plain);
    }),
  );
});

it('L2: letters, emoji and line breaks between members stay readable', () => {
  expect(renderJson({ a: 'é😀' })).toBe('{\n  "a": "é😀"\n}\n');
});
