/**
 * The id of a reply that cannot be parsed: too long to be kept, or broken. A shallow scan of its first and last bytes, which
 * looks at the members of the outermost object only: an `id` inside a result names something else.
 */
import { parseJson } from '../base/index.ts';
import type { JsonRpcId } from './link.ts';

/** A part of a message: bytes as Latin-1, in which every byte is one code unit and JSON's own characters keep their place. */
type Part = string;

/**
 * The request id which the message answers, or undefined when there is none to be found, or the message is no reply (it has a
 * `method`). `head` and `tail` may overlap and may be the whole message.
 */
export function findReplyId(head: Uint8Array, tail: Uint8Array): JsonRpcId | undefined {
  const front = scanForward(latin1(head));
  if (front === undefined || front.isRequest) return undefined;
  if (front.id !== undefined) return front.id;
  const back = scanBackward(latin1(tail));
  return back.isRequest ? undefined : back.id;
}

interface Scan {
  readonly id: JsonRpcId | undefined;
  readonly isRequest: boolean;
}

const latin1 = (bytes: Uint8Array): Part =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

const memberStart = /\s*("(?:[^"\\]|\\.)*")\s*:\s*/sy;
const scalar = /("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)\s*(?=[,}])/sy;
const separator = /\s*,/sy;

/** Members from the start of the object as far as they are whole; undefined when no object begins here. */
function scanForward(part: Part): Scan | undefined {
  const opening = /^(?:\u00EF\u00BB\u00BF)?\s*\{/.exec(part);
  if (opening === null) return undefined;
  let id: JsonRpcId | undefined;
  let at = opening[0].length;
  for (;;) {
    const name = matchAt(memberStart, part, at);
    if (name === undefined) break;
    at = name.end;
    if (isName(name.text, 'method')) return { id: undefined, isRequest: true };
    const value = matchAt(scalar, part, at);
    if (isName(name.text, 'id') && value !== undefined) id = readId(value.text);
    const end = value?.end ?? skipForward(part, at);
    const next = end === undefined ? undefined : matchAt(separator, part, end);
    if (next === undefined) break;
    at = next.end;
  }
  return { id, isRequest: false };
}

/** The end of the object or array that begins at `start`, or undefined when it lies beyond the part. */
function skipForward(part: Part, start: number): number | undefined {
  if (part[start] !== '{' && part[start] !== '[') return undefined;
  let depth = 0;
  let inString = false;
  for (let at = start; at < part.length; at += 1) {
    const character = part[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

const closing = /\}\s*$/;
/** Members from the end of the object as far as they are whole. Outside a string a quote going back always ends one. */
function scanBackward(part: Part): Scan {
  const nothing: Scan = { id: undefined, isRequest: false };
  const close = closing.exec(part);
  if (close === null) return nothing;
  let id: JsonRpcId | undefined;
  let end = close.index;
  for (;;) {
    const member = readMemberBackward(part, end);
    if (member === undefined) return { id, isRequest: false };
    if (isName(member.name, 'method')) return { id: undefined, isRequest: true };
    if (isName(member.name, 'id') && member.value !== undefined) id = readId(member.value);
    end = member.start;
  }
}

interface MemberBackward {
  readonly name: string;
  /** Undefined for objects and arrays. */
  readonly value: string | undefined;
  /** Where the comma or brace before the member stands. */
  readonly start: number;
}

/** The member whose value ends at `end`, white space apart. */
function readMemberBackward(part: Part, end: number): MemberBackward | undefined {
  const valueEnd = skipSpaceBackward(part, end);
  const valueStart = skipValueBackward(part, valueEnd);
  if (valueStart === undefined) return undefined;
  const colon = skipSpaceBackward(part, valueStart) - 1;
  if (part[colon] !== ':') return undefined;
  const nameEnd = skipSpaceBackward(part, colon);
  const nameStart = part[nameEnd - 1] === '"' ? stringStart(part, nameEnd - 1) : undefined;
  if (nameStart === undefined) return undefined;
  const start = skipSpaceBackward(part, nameStart) - 1;
  if (part[start] !== ',' && part[start] !== '{') return undefined;
  const nested = part[valueEnd - 1] === '}' || part[valueEnd - 1] === ']';
  return {
    name: part.slice(nameStart, nameEnd),
    value: nested ? undefined : part.slice(valueStart, valueEnd),
    start,
  };
}

function skipSpaceBackward(part: Part, end: number): number {
  let at = end;
  while (at > 0 && ' \t\r\n'.includes(part[at - 1] ?? 'x')) at -= 1;
  return at;
}

/** Where the value that ends at `end` starts, or undefined when that lies before the part. */
function skipValueBackward(part: Part, end: number): number | undefined {
  const last = part[end - 1];
  if (last === '"') return stringStart(part, end - 1);
  if (last !== '}' && last !== ']') {
    let at = end;
    while (at > 0 && /[\w.+-]/.test(part[at - 1] ?? '')) at -= 1;
    // A number that reaches the start of the part may have begun before it.
    return at === end || at === 0 ? undefined : at;
  }
  let depth = 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    const character = part[at];
    if (character === '"') {
      const start = stringStart(part, at);
      if (start === undefined) return undefined;
      at = start;
    } else if (character === '}' || character === ']') depth += 1;
    else if (character === '{' || character === '[') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

/** The opening quote of the string whose closing quote stands at `end`: the nearest one before it that is not escaped. */
function stringStart(part: Part, end: number): number | undefined {
  for (let at = end - 1; at >= 0; at -= 1) {
    if (part[at] !== '"') continue;
    let backslashes = 0;
    while (part[at - 1 - backslashes] === '\\') backslashes += 1;
    // Backslashes that reach the start of the part may go on before it.
    if (backslashes > 0 && at === backslashes) return undefined;
    if (backslashes % 2 === 0) return at;
  }
  return undefined;
}

function matchAt(pattern: RegExp, part: Part, at: number): { readonly text: string; readonly end: number } | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(part);
  return match === null ? undefined : { text: match[1] ?? '', end: pattern.lastIndex };
}

/** Compared after parsing: a name may be written with escapes. */
const isName = (text: string, name: string): boolean => readJson(text) === name;

function readId(text: string): JsonRpcId | undefined {
  const value = readJson(text);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function readJson(text: string): unknown {
  try {
    return parseJson(Buffer.from(text, 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}
