import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, it } from 'vitest';
import { anything, assert, nat, property } from '../../../test/support/properties.ts';
import type { PiTheme } from './pi.ts';
import { renderAnswer } from './render-answer.ts';

const plain: PiTheme = { fg: (_color, text) => text, bold: (text) => text };
const named: PiTheme = { fg: (color, text) => `<${color}>${text}`, bold: (text) => text };

it('N1: an answer stands under its command, and failures, hints and changes are painted as such', () => {
  const text = ['servers.json: added', '+ "demo": {}', '- "other"', 'error[usage]: No.', 'hint: Do it.', 'note: Well.'];
  expect(renderAnswer({ command: 'add', exitCode: 2, text: text.join('\n') }, named).render(60)).toEqual([
    '<muted>/mcp-bridge add',
    'servers.json: added',
    '<toolDiffAdded>+ "demo": {}',
    '<toolDiffRemoved>- "other"',
    '<error>error[usage]: No.',
    '<warning>hint: Do it.',
    '<muted>note: Well.',
  ]);
});

it('N1: an entry of any content is drawn clean, within its width', () => {
  expect(renderAnswer({ command: 'a\u001B[2J', text: 'b\u001B]0;title\u0007c' }, plain).render(20)).toEqual([
    '/mcp-bridge a',
    'bc',
  ]);
  assert(
    property(anything(), nat(60), (data, columns) => {
      const lines = renderAnswer({ command: data, text: JSON.stringify(data) ?? data }, plain).render(columns + 2);
      for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(columns + 2);
      expect(() => renderAnswer(data, plain).render(columns + 2)).not.toThrow();
    }),
  );
});

it('N1: what is longer than the window goes on below where it began, and what fits stands as it is', () => {
  const text = ['    one two three four', '                    ok', 'five six seven eight nine'].join('\n');
  expect(renderAnswer({ command: 'doctor', text }, plain).render(22).slice(1)).toEqual([
    '    one two three four',
    '                    ok',
    'five six seven eight ',
    'nine',
  ]);
  expect(renderAnswer({ command: 'doctor', text }, plain).render(15).slice(1)).toEqual([
    '    one two ',
    '    three four',
    '     ok',
    'five six seven ',
    'eight nine',
  ]);
});
