import { expect, it } from 'vitest';
import { renderRows, renderTable } from './table.ts';

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

it('L4: at a terminal that is too narrow, what does not fit stands on a second line; elsewhere a row is a line', () => {
  const rows = [
    ['demo://one', 'text/plain', 'One', 'The first of all documents'],
    ['demo://three', '', '', ''],
  ];
  const paint = (text: string, column: number): string => (column === 0 ? `*${text}*` : text);
  expect(renderRows(rows, { columns: 28, terminal: true }, paint)).toEqual([
    '*demo://one*    text/plain',
    '    One  The first of all d…',
    '*demo://three*',
  ]);
  expect(renderRows(rows, { columns: 24, terminal: true })[0]).toBe('demo://one    text/plain');
  expect(renderRows(rows, { columns: 10, terminal: true }).slice(0, 2)).toEqual(['demo://one', '    text/…']);
  expect(renderRows(rows, { columns: 32, terminal: false })).toEqual(renderTable(rows, 32));
  expect(renderRows(rows, { columns: 80, terminal: true })).toEqual(renderTable(rows, 80));
  expect(renderRows([], { columns: 10, terminal: true })).toEqual([]);
});
