/** How values and types of JSON are named in sentences for people and models. */
import { shorten, stringifyJson } from '../../base/index.ts';
import { cleanLine } from '../hygiene.ts';

/** The kinds of JSON values a schema's `type` tells apart, `integer` aside. */
export type ValueKind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'other';

/** The kind of `value`; an integer held as bigint is a number. */
export function kindOf(value: unknown): ValueKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'object':
      return type;
    case 'bigint':
      return 'number';
    default:
      return 'other';
  }
}

const typeWords: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
]);

/** A schema's type in words: "a whole number". */
export function typeInWords(type: string): string {
  return typeWords.get(type) ?? type;
}

/** `a`, `a or b`, `a, b or c`. */
export function anyOfWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

/** Characters of a value that are shown in a problem: enough to recognise it. */
const shownCharacters = 60;

/** `text` in quotes, on one line, cleaned and cut. */
export function quote(text: string): string {
  // Cut before it is escaped and cleaned, so that a huge argument costs nothing.
  return JSON.stringify(cleanLine(text.slice(0, 4 * shownCharacters), shownCharacters));
}

/** What was got, in a few words: `text "abc"`, `5`, `a list`. */
export function valueInWords(value: unknown): string {
  switch (kindOf(value)) {
    case 'string':
      return `text ${quote(value as string)}`;
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    default:
      return shorten(String(value), shownCharacters);
  }
}

/** A value of an enumeration: as JSON, cut. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return shorten(String(value), shownCharacters);
  return cleanLine(stringifyJson(value).slice(0, 4 * shownCharacters), shownCharacters);
}

const plainName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** A path as people write it: `options.depth`, `items[2]`, `["a.b"]`. */
export function pathInWords(path: readonly (string | number)[]): string {
  let words = '';
  for (const step of path) {
    if (typeof step === 'number') words += `[${step}]`;
    else if (plainName.test(step)) words += words === '' ? step : `.${step}`;
    else words += path.length === 1 ? cleanLine(step, shownCharacters) : `[${quote(step)}]`;
  }
  return words;
}
