/**
 * Integers beyond 2^53 in JSON, whose digits a double cannot keep: held as bigint, written as their digits (S13).
 *
 * `JSON.parse` can hand out the source text of each number, but then takes ten times as long for the whole text and overflows the
 * stack from some thousand levels on. Instead the digits are found in the text and carried past the parser as texts: twice the time
 * of one parse, at any depth, and only where {@link holdsUnsafeNumber} says that it is needed.
 */
import { limits } from './limits.ts';
import { randomHex } from './random.ts';

/** An object or a list as its members, for those who walk over both and change them. */
type Members = Record<string | number, unknown>;

const greatest = Number.MAX_SAFE_INTEGER;

/** Whether `value` holds a number beyond the safe integers; cheap beside the parse, at any depth, and blind to strings. */
export function holdsUnsafeNumber(value: unknown): boolean {
  return walk([value], (member) => typeof member === 'number' && (member > greatest || member < -greatest));
}

/** Whether `value` holds a bigint, at any depth. */
export function holdsBigInteger(value: unknown): boolean {
  return walk([value], (member) => typeof member === 'bigint');
}

/** Begins the text that an integer becomes for the parser. No other text begins so: it never leaves this file, and nobody can guess it. */
let mark: string | undefined;

/** The value of `text`, valid JSON that was parsed to `plain` before, with each unsafe integer as a bigint. */
export function keepIntegers(text: string, plain: unknown): unknown {
  const begin = (mark ??= randomHex(8));
  const marked = markIntegers(text, begin);
  if (marked === undefined) return plain;
  const root: unknown[] = [JSON.parse(marked)];
  walk(root, (member, place, name) => {
    if (typeof member === 'string' && member.startsWith(begin)) place[name] = BigInt(member.slice(begin.length));
    return false;
  });
  return root[0];
}

/** `value` with each bigint replaced; itself where there is none. Values with a way of their own to be written are left alone. */
export function replaceIntegers(value: unknown, replace: (integer: bigint) => unknown): unknown {
  if (typeof value === 'bigint') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return value;
  return Array.isArray(value) ? replaceInList(value, replace) : replaceInObject(value as Members, replace);
}

function replaceInList(list: readonly unknown[], replace: (integer: bigint) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const replaced = replaceIntegers(list[index], replace);
    if (replaced !== list[index]) (copy ??= [...list])[index] = replaced;
  }
  return copy ?? list;
}

function replaceInObject(object: Members, replace: (integer: bigint) => unknown): Members {
  let copy: Members | undefined;
  for (const name of Object.keys(object)) {
    const replaced = replaceIntegers(object[name], replace);
    // A copy that is made of entries has `__proto__` for a member like any other.
    if (replaced !== object[name]) (copy ??= Object.fromEntries(Object.entries(object)))[name] = replaced;
  }
  return copy ?? object;
}

type Visit = (member: unknown, place: Members, name: string | number) => boolean;

/** Shows `visit` each member at any depth, until it returns true. Without recursion: a parser takes more levels than a stack. */
function walk(root: readonly unknown[], visit: Visit): boolean {
  const open: object[] = [root];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const members = place as Members;
    if (Array.isArray(place)) {
      for (let index = 0; index < place.length; index += 1) {
        const member = members[index];
        if (typeof member === 'object' && member !== null) open.push(member);
        else if (visit(member, members, index)) return true;
      }
    } else {
      for (const name in place) {
        const member = members[name];
        if (typeof member === 'object' && member !== null) open.push(member);
        else if (visit(member, members, name)) return true;
      }
    }
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
/** Every unsafe integer has at least so many digits. */
const leastDigits = 16;

/** `text` with each unsafe integer as a text, its digits behind `begin`; undefined where there is none. */
function markIntegers(text: string, begin: string): string | undefined {
  const pieces: string[] = [];
  let copied = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isInString) {
      if (unit === backslash) at += 1;
      else if (unit === quote) isInString = false;
    } else if (unit === quote) isInString = true;
    else if (unit === minus || isDigit(unit)) {
      const start = at;
      let isInteger = true;
      for (let next = text.charCodeAt(at + 1); isOfNumber(next); next = text.charCodeAt(at + 1)) {
        isInteger &&= isDigit(next);
        at += 1;
      }
      const end = at + 1;
      if (!isInteger || end - start < leastDigits) continue;
      const digits = text.slice(start, end);
      if (Number.isSafeInteger(Number(digits))) continue;
      // One that is absurdly long stays a text for good: it would take too long to be a number, and so loses nothing.
      pieces.push(text.slice(copied, start), '"', digits.length > limits.integerDigits ? '' : begin, digits, '"');
      copied = end;
    }
  }
  return copied === 0 ? undefined : `${pieces.join('')}${text.slice(copied)}`;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Whether a number that has begun goes on: `+`, `-`, `.`, digits, `E`, `e`. */
function isOfNumber(unit: number): boolean {
  return isDigit(unit) || unit === 0x2b || unit === minus || unit === 0x2e || unit === 0x45 || unit === 0x65;
}
