import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { parseJson } from '../base/index.ts';
import { JsoncProblem, readJsonc } from './jsonc.ts';

function problemOf(text: string): string {
  try {
    readJsonc(text);
    return 'none';
  } catch (thrown) {
    if (!(thrown instanceof JsoncProblem)) throw thrown;
    return `${thrown.position.line}:${thrown.position.column} ${thrown.message}`;
  }
}

describe('reading', () => {
  it.each<[string, string, unknown]>([
    ['comments', '// a\n{ /* b * / ** */ "a": 1 // c\n}\n/* d */', { a: 1 }],
    ['trailing commas', '{"a":[1,2,],}', { a: [1, 2] }],
    ['a byte order mark and CRLF', '\ufeff{\r\n"a": "b"\r\n}\r\n', { a: 'b' }],
    ['what looks like a comment in a text', '{"a":"http://x /* y */"}', { a: 'http://x /* y */' }],
    ['every kind of value', '[null,true,false,-1.5e3,"\\u00e9\\n"]', [null, true, false, -1500, 'é\n']],
    ['nothing', '', undefined],
    ['blank space', ' \r\n\t', undefined],
    ['comments alone', '// nothing yet\n/* still */', undefined],
  ])('F2: %s', (_, text, value) => {
    expect(readJsonc(text)).toEqual({ value, duplicates: [] });
  });

  it('F2, S13: any JSON is read as all JSON is, with comments too, and integers keep their digits', () => {
    const integers = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), integers, fc.constantFrom('', '/*c*/'), (json, integer, comment) => {
        const text = `{"a":${json},"b":[${integer}]}`;
        expect(readJsonc(`${comment}${text}`).value).toEqual(parseJson(text));
      }),
    );
  });

  it('F2: what is read is what the common package reads', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      'true',
      '//x\n',
      '/*y*/',
      ' ',
      '\n',
      '"',
      'x',
      '-',
      '1.',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const errors: unknown[] = [];
        const theirs: unknown = parse(text, errors as never, { allowTrailingComma: true, allowEmptyContent: true });
        const problem = problemOf(text);
        expect([text, problem === 'none']).toEqual([text, errors.length === 0]);
        expect(problem === 'none' ? readJsonc(text).value : undefined).toEqual(problem === 'none' ? theirs : undefined);
      }),
      { numRuns: 3_000 },
    );
  });

  it('F2: __proto__ is a name', () => {
    expect(JSON.stringify(readJsonc('{"__proto__":{"a":1}}').value)).toBe('{"__proto__":{"a":1}}');
  });

  it('F3: names that stand twice are told with their place', () => {
    expect(readJsonc('{"a":{"b":1,\n "b":2},"c":[{"d":1,"d":2}]}').duplicates).toEqual([
      { path: ['a', 'b'], position: { line: 2, column: 2 } },
      { path: ['c', '0', 'd'], position: { line: 2, column: 21 } },
    ]);
  });
});

describe('problems', () => {
  it.each([
    ['{"a": 1', '1:8 the file ends where "," or "}" is expected'],
    ['{\n  "a": {\n    "b"', '3:8 the file ends where ":" is expected'],
    ['{"a"', '1:5 the file ends where ":" is expected'],
    ['[1 2]', '1:4 there is 2 where "," or "]" is expected'],
    ['{a: 1}', '1:2 a: 1} is no JSON'],
    ["{'a': 1}", `1:2 'a': 1} is no JSON`],
    ['{"a": "b\n"}', '1:7 the text "b is not closed or has a wrong escape'],
    ['{"a": "\\x"}', '1:7 the text "\\x"} is not closed or has a wrong escape'],
    ['{} /* x', '1:4 a comment is not closed'],
    ['{} {}', '1:4 there is { where the end of the file is expected'],
    ['{,}', '1:2 there is , where a name in double quotes or "}" is expected'],
    ['\ufeff\r\n\r\n{"a" 1}', '3:6 there is 1 where ":" is expected'],
    ['01', '1:1 01 is no JSON'],
  ])('F2: %j is told with line and column', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it('F2: a file nested without end is a problem, not a crash', () => {
    expect(problemOf('['.repeat(100_000))).toBe('1:101 is nested too deeply');
    expect(problemOf('['.repeat(100_000) + ']'.repeat(100_000))).toBe('1:101 is nested too deeply');
    expect(readJsonc('['.repeat(100) + ']'.repeat(100)).duplicates).toEqual([]);
  });

  it('F2: a large file takes linear time', () => {
    const text = `{${Array.from({ length: 50_000 }, (_, index) => `"key${index}": ["a", 1, /* c */ true]`).join(',\n')}}`;
    const startedMs = performance.now();
    readJsonc(text);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});
