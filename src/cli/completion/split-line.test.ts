import { expect, it } from 'vitest';
import { splitLine } from './split-line.ts';

it.each([
  { line: 'trestle ', words: ['trestle'], current: '', quoted: false },
  { line: 'trestle  ca', words: ['trestle'], current: 'ca', quoted: false },
  { line: '', words: [], current: '', quoted: false },
  { line: 'a "b c" d', words: ['a', 'b c'], current: 'd', quoted: false },
  { line: `a 'it''s' x`, words: ['a', 'its'], current: 'x', quoted: false },
  { line: String.raw`a b\ c`, words: ['a'], current: 'b c', quoted: false },
  { line: String.raw`a "b\"c`, words: ['a'], current: 'b"c', quoted: true },
  { line: String.raw`a '\'`, words: ['a'], current: '\\', quoted: false },
  { line: 'a ""', words: ['a'], current: '', quoted: false },
  { line: 'a "" ', words: ['a', ''], current: '', quoted: false },
  { line: "a key='two w", words: ['a'], current: 'key=two w', quoted: true },
])('L1: $line is taken apart as a shell does', ({ line, ...split }) => {
  expect(splitLine(line)).toMatchObject(split);
});

it.each([
  ['sync ', 5],
  ['sync ev', 5],
  ['sync', 0],
  ['', 0],
  [`approve "a b" 'c`, 14],
])('N1: of %j it is known where the last word begins', (line, begin) => {
  expect(splitLine(line).begin).toBe(begin);
});
