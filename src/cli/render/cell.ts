/** Texts of servers on one line. */
import { cleanLine } from '../../policy/index.ts';

/** Longest name, uri or description in a table; tables cut further to fit. */
const cellCharacters = 300;

/** `value` as a clean text on one line; '' for what is no text. */
export function cell(value: unknown, characters: number = cellCharacters): string {
  return typeof value === 'string' ? cleanLine(value, characters) : '';
}

/** The name of a tool, resource or prompt as the server sent it; '' when it has none. */
export function nameOf(item: { readonly [member: string]: unknown }): string {
  const name = item['name'];
  return typeof name === 'string' ? name : '';
}
