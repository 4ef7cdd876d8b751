import { visibleWidth } from '@earendil-works/pi-tui';
import { describe, expect, it } from 'vitest';
import {
  anything,
  array,
  assert,
  constantFrom,
  nat,
  oneof,
  property,
  record,
} from '../../../test/support/properties.ts';
import type { PiComponent, PiTheme, PiShownResult } from './pi.ts';
import { renderCall, renderResult } from './render.ts';

const plain: PiTheme = { fg: (_color, text) => text, bold: (text) => text };
const painted: PiTheme = { fg: (color, text) => `\u001B[3${color.length % 8}m${text}\u001B[39m`, bold: (text) => text };

const result = (text: string, details: PiShownResult['details'] = {}): PiShownResult => ({
  content: [{ type: 'text', text }],
  details,
});
const args = { server: 'files', toolName: 'read', arguments: { path: 'a.txt' } };
const called = (name: string, given: unknown, painting: { theme?: PiTheme; expanded?: boolean } = {}): PiComponent => {
  const { theme = plain, ...context } = painting;
  return renderCall(name, given, { theme, context });
};
const shown = (given: PiShownResult, expanded: boolean, theme = plain): PiComponent =>
  renderResult(given, { expanded, isPartial: false }, { theme, context: { args } });

describe('a call', () => {
  it('N1: is a row of server, tool and arguments', () => {
    expect(called('CallMcpTool', args).render(80)).toEqual(['mcp files read {"path":"a.txt"}']);
    expect(called('FetchMcpResource', { server: 'files', uri: 'x://y' }).render(80)).toEqual(['mcp read files x://y']);
    expect(called('CallMcpTool', undefined).render(80)).toEqual(['mcp …']);
  });

  it('N1: unfolded it has all of its arguments, on the row where they fit', () => {
    expect(called('CallMcpTool', args, { expanded: true }).render(80)).toEqual(['mcp files read {"path":"a.txt"}']);
    expect(called('CallMcpTool', args).render(20)).toEqual(['mcp files read {"pa…']);
    expect(called('CallMcpTool', args, { expanded: true }).render(20)).toEqual([
      'mcp files read',
      '{',
      '  "path": "a.txt"',
      '}',
    ]);
  });

  it('N1: fits whatever the model gives, and folded it is one line', () => {
    assert(
      property(anything(), nat(60), (given, width) => {
        for (const expanded of [false, true]) {
          const lines = called('CallMcpTool', given, { theme: painted, expanded }).render(width);
          expect(lines.slice(0, expanded ? 1 : undefined)).toHaveLength(1);
          for (const line of lines) {
            expect(line).not.toMatch(/[\n\t]/);
            expect(visibleWidth(line)).toBeLessThanOrEqual(width);
          }
        }
      }),
    );
  });
});

describe('a result', () => {
  it('N1: folded it is a row: as much of it as fits, how many lines there are if that is not all, how long it took', () => {
    const short = result('one\ntwo\nthree', { durationMs: 1_234 });
    expect(shown(short, false).render(80)).toEqual(['one two three 1.2 s']);
    expect(shown(short, false).render(24)).toEqual(['one two three 1.2 s']);
    const page = result(JSON.stringify({ first: 1, second: [2, 3] }, undefined, 2), { durationMs: 12 });
    expect(shown(page, false).render(40)).toEqual(['{ "first": 1, "second": [ 2, 3 ] } 12 ms']);
    expect(shown(page, false).render(39)).toEqual(['{ "first": 1, "second"… (7 lines) 12 ms']);
    expect(shown(result('word '.repeat(20), { durationMs: 12 }), false).render(20)).toEqual(['word word wor… 12 ms']);
    expect(shown(result('line\n'.repeat(5_000)), false).render(1_000)).toEqual([
      expect.stringMatching(/^line line .*… \(5001 lines\)$/),
    ]);
  });

  it('N1: unfolded it says duration, outcome, execution and where the whole is, before the text', () => {
    const details = { kind: 'ok', execution: 'done', durationMs: 12, summary: { path: '/spill/a' } };
    expect(shown(result('one\ntwo', details), true).render(80)).toEqual([
      '12 ms · ok · execution: done',
      'whole output: /spill/a',
      'one',
      'two',
    ]);
  });

  it('N1: while it runs it is its newest step', () => {
    const partial = renderResult(
      result('progress 3 of 9'),
      { expanded: false, isPartial: true },
      { theme: plain, context: {} },
    );
    expect(partial.render(80)).toEqual(['progress 3 of 9']);
  });

  it('N1: control characters and wide ones break no line', () => {
    const odd = result(`\u001B[2J漢字${'漢'.repeat(50)}\t\u202E👩‍👩‍👧 ${'é'.repeat(90)}`, { kind: '漢'.repeat(30) });
    for (const width of [0, 1, 2, 7, 40]) {
      for (const line of [...shown(odd, true).render(width), ...shown(odd, false).render(width)]) {
        expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        for (const sign of ['\u001B', '\u202E', '\t', '\n']) expect(line).not.toContain(sign);
      }
    }
  });

  it('N1: of a long text a screenful of screens is drawn', () => {
    const lines = shown(result(Array.from({ length: 5_000 }, (_, at) => `line ${at}`).join('\n')), true).render(80);
    expect(lines.length).toBeLessThan(600);
    expect(lines.at(-1)).toBe('… 4500 more lines');
    const long = shown(result(`${'x'.repeat(50_000)}\nend`), true).render(80);
    expect(long.length).toBeLessThan(600);
    expect(long.at(-1)).toBe('… more of this line, 1 more line');
    expect(
      shown(result(`${'a\n'.repeat(499)}b`), true)
        .render(80)
        .at(-1),
    ).toBe('b');
  });

  it('N1: blocks of any kind are no obstacle: what fails while it is drawn ends Pi', () => {
    const odd = { type: constantFrom('text', 'image'), text: anything(), mimeType: anything() };
    assert(
      property(oneof(anything(), array(oneof(record(odd), anything()))), (content) => {
        for (const expanded of [true, false]) shown({ content: content as never }, expanded).render(40);
      }),
    );
    expect(
      shown({ content: [{ type: 'image' }, { type: 'odd' }] as never }, true)
        .render(40)
        .slice(-2),
    ).toEqual(['[image]', '[something else]']);
  });

  it('N1: details of any kind are no obstacle', () => {
    assert(
      property(anything(), (details) => {
        expect(
          shown(result('text', details as never), true)
            .render(40)
            .at(-1),
        ).toBe('text');
      }),
    );
  });
});
