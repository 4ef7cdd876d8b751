/** The arguments of `call`, from `key=value` pairs or from JSON, and the same words corrected after a refusal. */
import {
  isObject,
  jsonEquals,
  type JsonObject,
  type JsonValue,
  limits,
  parseJson,
  readBytes,
  shellQuote,
  shorten,
  TrestleError,
  whyUnwritable,
} from '../base/index.ts';
import { typeArgument } from '../policy/index.ts';
import { type FlagGuess, usage, type Word } from './flags.ts';
import { pairText } from './pair-text.ts';
import { correctedCommand, type Correction, type TypedCommand } from './typed-command.ts';

/** One `key=value` or `key:=json`, not typed yet. */
export interface Pair {
  readonly key: string;
  readonly text: string;
  readonly json: boolean;
  readonly at: number;
}

/** Reads words as pairs. Throws `usage` for a word that is none, with what `guess` makes of them. */
export function readPairs(words: readonly Word[], guess?: () => string | undefined): readonly Pair[] {
  return words.map(({ text, at }) => {
    const equals = text.indexOf('=');
    if (!isPair(text)) {
      const meant = guess?.();
      throw usage(
        `"${text}" is not an argument: write key=value, or key:=json for a number, list or object.`,
        meant === undefined
          ? 'Text with spaces is quoted as a whole: "message=hello there". All arguments at once: --args \'{"key": "value"}\'.'
          : `Did you mean: ${meant}`,
      );
    }
    const json = text[equals - 1] === ':';
    return { key: text.slice(0, json ? equals - 1 : equals), text: text.slice(equals + 1), json, at };
  });
}

function isPair(text: string): boolean {
  return text.indexOf('=') > 0 && !text.startsWith(':=') && !text.startsWith('{');
}

/**
 * The command that is likely to be meant where words are no pairs: one of JSON, or a file, is all arguments; `key:value` has a key of
 * the schema; and bare values are those that the schema requires, in its order.
 */
export function guessPairs(typed: TypedCommand, words: readonly Word[], schema: JsonValue): string | undefined {
  const [first] = words;
  if (first !== undefined && words.length === 1 && /^[{@]/.test(first.text))
    return correctedCommand(typed, [{ at: first.at, words: ['--args', first.text] }]);
  const others = words.filter(({ text }) => !isPair(text));
  const described = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  if (others.every(({ text }) => Object.hasOwn(described, text.split(':', 1)[0] ?? '') && text.includes(':')))
    return corrected(typed, others, ({ text }) => text.replace(':', '='));
  const required = isObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  if (words.length > required.length || others.length < words.length) return undefined;
  return corrected(typed, words, ({ text }, index) => `${String(required[index])}=${text}`);
}

function corrected(typed: TypedCommand, words: readonly Word[], as: (word: Word, index: number) => string): string {
  return correctedCommand(
    typed,
    words.map((word, index) => ({ at: word.at, words: [as(word, index)] })),
  );
}

/**
 * The arguments that pairs mean. The schema decides how `key=value` is typed; where it wants a list, one value is a list of
 * one, and a repeated key adds to it. Throws `usage`.
 */
export function argumentsOf(pairs: readonly Pair[], schema: JsonValue): JsonObject {
  const byKey = new Map<string, readonly Pair[]>();
  for (const pair of pairs) byKey.set(pair.key, [...(byKey.get(pair.key) ?? []), pair]);
  return Object.fromEntries([...byKey].map(([key, group]) => [key, valueOf(schema, key, group)]));
}

function valueOf(schema: JsonValue, key: string, group: readonly Pair[]): JsonValue {
  const isList = Array.isArray(typeArgument(schema, key, '[]'));
  const values = group.map((pair): JsonValue => {
    if (pair.json) return strictJson(pair);
    const value = typeArgument(schema, key, pair.text);
    return isList && !Array.isArray(value) ? [typeArgument(itemsAsProperty(schema, key), key, pair.text)] : value;
  });
  const [first] = values;
  if (first !== undefined && values.length === 1) return first;
  if (!isList) {
    throw usage(
      `${key} is given ${group.length} times, and it is no list.`,
      `Give it once; a list is written ${key}:='["a", "b"]'.`,
    );
  }
  return values.flatMap((value) => value);
}

/** The schema with the items of a list property in place of the property; references still resolve. */
function itemsAsProperty(schema: JsonValue, key: string): JsonValue {
  if (!isObject(schema)) return true;
  const properties = schema['properties'];
  const property = isObject(properties) ? properties[key] : undefined;
  return { ...schema, properties: { [key]: isObject(property) ? (property['items'] ?? true) : true } };
}

/** The JSON behind a word: itself, `@FILE`, or `-` for standard input. Throws `file_error`. */
export async function argumentsText(
  given: string,
  sources: { readonly path: (name: string) => string; readonly input: () => Promise<Uint8Array> },
): Promise<string> {
  if (given === '-') return new TextDecoder().decode(await sources.input());
  if (!given.startsWith('@')) return given;
  const path = sources.path(given.slice(1));
  const bytes = await readBytes(path);
  if (bytes === undefined) {
    throw new TrestleError({
      code: 'file_error',
      message: `There is no file ${path}.`,
      hint: 'Check the path after the @.',
    });
  }
  return new TextDecoder().decode(bytes);
}

/** A word that stands for JSON, and what to say of it when it does not. */
interface JsonWord {
  /** As it was typed: JSON, `@FILE` or `-`. */
  readonly given: string;
  /** Begins the sentence about what is wrong. */
  readonly named: string;
  /** One that works, quoted for a shell. */
  readonly example: string;
}

/** The value that `text`, the JSON behind a word, holds. Throws `usage`. */
export function parseJsonWord(text: string, { given, named, example }: JsonWord): JsonValue {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (failure) {
    throw usage(`${named} is not JSON: ${(failure as Error).message}.`, mendJson(given, example));
  }
  return sendable(value, named);
}

/** Quotes are to blame only where a shell had the JSON in its hands. */
function mendJson(given: string, example: string): string {
  if (given === '-') return 'It came from standard input: look at what is sent there.';
  return given.startsWith('@') ? `Look at the file ${given.slice(1)}.` : `Quote it for the shell: ${example}`;
}

/** What JSON cannot say would be lost on its way through the daemon, before anybody looks at it. Throws `usage`. */
function sendable(value: JsonValue, named: string): JsonValue {
  if (whyUnwritable(value) === undefined) return value;
  throw usage(`${named} has too large a number, or is nested too deeply.`);
}

/** The object that `text`, the JSON behind `--args`, holds; `given` is what was typed. Throws `usage`. */
export function parseArguments(text: string, given: string): JsonObject {
  const value = parseJsonWord(text, { given, named: '--args', example: '--args \'{"key": "value"}\'.' });
  if (!isObject(value)) throw usage('--args must be a JSON object.', 'For example: --args \'{"key": "value"}\'.');
  return value;
}

/** What turns the typed pairs into `corrected`: words replaced or left out, and words added. */
export function correctPairs(
  pairs: readonly Pair[],
  given: JsonObject,
  facts: { readonly corrected: JsonObject; readonly schema: JsonValue },
): { readonly corrections: readonly Correction[]; readonly added: readonly string[] } {
  const { corrected, schema } = facts;
  const seen = new Set<string>();
  const corrections: Correction[] = [];
  for (const { key, at } of pairs) {
    if (Object.hasOwn(corrected, key) && jsonEquals(corrected[key], given[key])) continue;
    const value = corrected[key];
    corrections.push({ at, words: value === undefined || seen.has(key) ? [] : [pairText(schema, key, value)] });
    seen.add(key);
  }
  const typed = new Set(pairs.map(({ key }) => key));
  const added = Object.entries(corrected)
    .filter(([key]) => !typed.has(key))
    .map(([key, value]) => pairText(schema, key, value));
  return { corrections, added };
}

function strictJson(pair: Pair): JsonValue {
  let value: JsonValue;
  try {
    value = parseJson(pair.text);
  } catch (failure) {
    const isMeantAsJson = /^\s*[[{"]/.test(pair.text);
    throw usage(
      `${pair.key}:=${shorten(pair.text, limits.quotedCharacters)} is not JSON: ${(failure as Error).message}.`,
      isMeantAsJson
        ? `Quote it for the shell: '${pair.key}:=["a", "b"]'.`
        : `Text is given without the colon: ${shellQuote(`${pair.key}=${pair.text}`)}`,
    );
  }
  return sendable(value, pair.key);
}

/** An argument written like a flag, `--key value` or `--key=value`, is put right. */
export const guessArgument: FlagGuess = (typed, words, at) => {
  const [, key, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(typed.argv[at] ?? '') ?? [];
  if (key === undefined || words.length === 0) return undefined;
  if (inline !== undefined) return correctedCommand(typed, [{ at, words: [`${key}=${inline}`] }]);
  const value = typed.argv[at + 1];
  if (value === undefined || value.startsWith('--')) return undefined;
  return correctedCommand(typed, [
    { at, words: [`${key}=${value}`] },
    { at: at + 1, words: [] },
  ]);
};
