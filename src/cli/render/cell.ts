/** Texts of servers on one line. */
import { shorten } from '../../base/index.ts';
import { cleanLine } from '../../policy/index.ts';

/** Longest name, uri or description in a table; tables cut further to fit. */
const cellCharacters = 300;

// Nearly every name and description; looking closer at thousands of them would take longer than all else in a list.
const plain = /^[\x20-\x7E]*$/;

/** `value` as a clean text on one line; '' for what is no text. */
export function cell(value: unknown, characters: number = cellCharacters): string {
  if (typeof value !== 'string') return '';
  return plain.test(value) ? shorten(value.trim(), characters) : cleanLine(value, characters);
}

/** The name of a tool, resource or prompt as the server sent it; '' when it has none. */
export function nameOf(item: { readonly [member: string]: unknown }): string {
  const name = item['name'];
  return typeof name === 'string' ? name : '';
}
