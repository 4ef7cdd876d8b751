/**
 * Reads JSON with comments and trailing commas. It stands on every command's start-up path, where `jsonc-parser` costs 5 ms
 * (a fifth of a start) and tells nothing of names that stand twice; that package is used for edits.
 */
import { type JsonObject, type JsonValue, parseJson } from '../base/index.ts';

/** A place in a text, counted from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A member name that stands twice in one object; the last one holds in `value`. */
export interface DuplicateMember {
  /** Names from the outermost object down to the member; items of lists count as their index. */
  readonly path: readonly string[];
  readonly position: TextPosition;
}

export interface JsoncDocument {
  /** Undefined for a text with nothing in it. */
  readonly value: JsonValue | undefined;
  readonly duplicates: readonly DuplicateMember[];
}

/** Why and where a text is no JSON. */
export class JsoncProblem extends Error {
  override readonly name = 'JsoncProblem';
  readonly position: TextPosition;

  constructor(message: string, position: TextPosition) {
    super(message);
    this.position = position;
  }
}

/** Deeper files are no configuration; the stack must not decide where it ends. */
const deepest = 100;

/** Blank space and comments; a comment that is never closed is none. */
const blank = /(?:[\s\uFEFF]|\/\/[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y;

/** A sign, a text, or a number or word. */
const token =
  // eslint-disable-next-line no-control-regex -- JSON strings may not hold them
  /([{}[\]:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

interface Token {
  readonly kind: 'sign' | 'text' | 'plain' | 'end';
  readonly source: string;
  readonly start: number;
}

interface Reader {
  readonly text: string;
  /** Where the next token is looked for. */
  at: number;
  next: Token;
  depth: number;
  readonly duplicates: { readonly path: readonly string[]; readonly start: number }[];
}

/** Parses `text`. Throws {@link JsoncProblem}. */
export function readJsonc(text: string): JsoncDocument {
  return readPlain(text) ?? readEverything(text);
}

/** The quick way for plain JSON, which most files are, in which no name stands twice. */
function readPlain(text: string): JsoncDocument | undefined {
  try {
    const value = parseJson(text);
    // In valid JSON the texts before a colon are the names; each that got lost stood twice.
    const names = text.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g)?.filter((found) => found.endsWith(':')).length ?? 0;
    return names === countMembers(value, 0) ? { value, duplicates: [] } : undefined;
  } catch {
    return undefined;
  }
}

function countMembers(value: JsonValue, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  // Equal to nothing, so that the careful way refuses it.
  if (depth >= deepest) return Number.NaN;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const member of Object.values<JsonValue>(value as Readonly<Record<string, JsonValue>>)) {
    count += countMembers(member, depth + 1);
  }
  return count;
}

function readEverything(text: string): JsoncDocument {
  const end: Token = { kind: 'end', source: '', start: 0 };
  const reader: Reader = { text, at: 0, next: end, depth: 0, duplicates: [] };
  advance(reader);
  if (atEnd(reader)) return { value: undefined, duplicates: [] };
  const value = readValue(reader, []);
  if (!atEnd(reader)) throw unexpected(reader, 'the end of the file');
  const positions = positionsOf(
    text,
    reader.duplicates.map(({ start }) => start),
  );
  const duplicates = reader.duplicates.flatMap(({ path }, index) => {
    const position = positions[index];
    return position === undefined ? [] : [{ path, position }];
  });
  return { value, duplicates };
}

const atEnd = (reader: Reader): boolean => reader.next.kind === 'end';

/** Takes the current token and looks at the next one. */
function advance(reader: Reader): Token {
  const taken = reader.next;
  blank.lastIndex = reader.at;
  const start = reader.at + (blank.exec(reader.text)?.[0].length ?? 0);
  token.lastIndex = start;
  const [source = '', sign, text] = token.exec(reader.text) ?? [];
  if (source === '' && start < reader.text.length) throw brokenToken(reader.text, start);
  const kind = source === '' ? 'end' : sign !== undefined ? 'sign' : text !== undefined ? 'text' : 'plain';
  reader.next = { kind, source, start };
  reader.at = start + source.length;
  return taken;
}

function readValue(reader: Reader, path: readonly string[]): JsonValue {
  const { kind, source } = reader.next;
  if (kind === 'text' || kind === 'plain') return parseJson(advance(reader).source);
  if (source !== '{' && source !== '[') throw unexpected(reader, 'a value');
  if (reader.depth >= deepest)
    throw new JsoncProblem('is nested too deeply', positionOf(reader.text, reader.next.start));
  reader.depth += 1;
  const value = source === '{' ? readObject(reader, path) : readList(reader, path);
  reader.depth -= 1;
  return value;
}

function readObject(reader: Reader, path: readonly string[]): JsonObject {
  // A map, since `__proto__` is a name like any other.
  const members = new Map<string, JsonValue>();
  advance(reader);
  while (reader.next.source !== '}') {
    if (reader.next.kind !== 'text') throw unexpected(reader, 'a name in double quotes or "}"');
    const { source, start } = advance(reader);
    const name = JSON.parse(source) as string;
    if (members.has(name)) {
      reader.duplicates.push({ path: [...path, name], start });
    }
    if (reader.next.source !== ':') throw unexpected(reader, '":"');
    advance(reader);
    members.set(name, readValue(reader, [...path, name]));
    if (!separated(reader, '}')) break;
  }
  advance(reader);
  return Object.fromEntries(members);
}

function readList(reader: Reader, path: readonly string[]): readonly JsonValue[] {
  const items: JsonValue[] = [];
  advance(reader);
  while (reader.next.source !== ']') {
    items.push(readValue(reader, [...path, String(items.length)]));
    if (!separated(reader, ']')) break;
  }
  advance(reader);
  return items;
}

/** Whether a comma follows, after which the end may still come; else the end must be here. */
function separated(reader: Reader, end: '}' | ']'): boolean {
  if (reader.next.source === ',') {
    advance(reader);
    return true;
  }
  if (reader.next.source !== end) throw unexpected(reader, `"," or "${end}"`);
  return false;
}

function unexpected(reader: Reader, wanted: string): JsoncProblem {
  const { kind, source, start } = reader.next;
  const found = kind === 'end' ? 'the file ends' : `there is ${source.slice(0, 40)}`;
  return new JsoncProblem(`${found} where ${wanted} is expected`, positionOf(reader.text, start));
}

function brokenToken(text: string, start: number): JsoncProblem {
  const rest = text.slice(start, start + 40);
  const [line = ''] = rest.split(/[\r\n]/, 1);
  const position = positionOf(text, start);
  if (rest.startsWith('/*')) return new JsoncProblem('a comment is not closed', position);
  if (rest.startsWith('"')) return new JsoncProblem(`the text ${line} is not closed or has a wrong escape`, position);
  return new JsoncProblem(`${line} is no JSON`, position);
}

/** Line and column of an offset; a carriage return belongs to the end of its line. */
export function positionOf(text: string, offset: number): TextPosition {
  return positionsOf(text, [offset])[0] ?? { line: 1, column: 1 };
}

/** Positions of ascending offsets, in one walk: a hostile file has one every few characters. */
function positionsOf(text: string, offsets: readonly number[]): readonly TextPosition[] {
  const lineEnd = /\r\n|\n|\r/g;
  let line = 1;
  let lineStart = text.startsWith('\uFEFF') ? 1 : 0;
  let end = lineEnd.exec(text);
  return offsets.map((offset) => {
    while (end !== null && end.index + end[0].length <= offset) {
      line += 1;
      lineStart = end.index + end[0].length;
      end = lineEnd.exec(text);
    }
    return { line, column: Math.max(0, offset - lineStart) + 1 };
  });
}
