import { expect, it } from 'vitest';
import { renderTable } from './table.ts';

it('L4: columns align, the last one is cut to the width, the others never', () => {
  expect(
    renderTable(
      [
        ['a', 'long description of a'],
        ['longer-name', 'b'],
      ],
      33,
    ),
  ).toEqual(['a            long description of…', 'longer-name  b']);
});

it('L4: wide characters take two columns', () => {
  expect(
    renderTable(
      [
        ['名前', 'x'],
        ['abcd', 'y'],
      ],
      80,
    ),
  ).toEqual(['名前  x', 'abcd  y']);
});

it('L4: no rows give no lines', () => {
  expect(renderTable([], 80)).toEqual([]);
});
