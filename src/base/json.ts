/**
 * JSON as values and text. Every room parses and writes JSON here, so that a change of how numbers travel is one change.
 */
import { holdsUnsafeNumber, keepIntegers, replaceIntegers } from './big-integers.ts';
import { limits } from './limits.ts';

/**
 * A JSON value. An integer beyond the safe ones (2^53 - 1), written without fraction and exponent, is a bigint; every other number is
 * a number, as `JSON.parse` gives it.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;
/** A JSON object. `__proto__` is an ordinary member: values come from {@link parseJson}, never from assignment. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Parses JSON text (a leading byte order mark is tolerated). Integers keep all their digits. Throws SyntaxError. */
export function parseJson(text: string): JsonValue {
  const json = text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text;
  const value: unknown = JSON.parse(json);
  return (holdsUnsafeNumber(value) ? keepIntegers(json, value) : value) as JsonValue;
}

/** Compact JSON text. */
export function stringifyJson(value: unknown): string {
  return writeJson(value);
}

/** JSON text for files people read: two-space indent and a trailing newline; members in the order given. */
export function prettyJson(value: unknown): string {
  return `${indentedJson(value)}\n`;
}

/** JSON text over many lines, indented by `indent`; members in the order given. */
export function indentedJson(value: unknown, indent: string | number = 2): string {
  return writeJson(value, indent);
}

/**
 * Why `value` cannot be written as it is: it is nested deeper than limits.writtenLevels, or in itself, or has a number that JSON has no
 * text for (1e400 is read as infinite) and that would become null. The depth is counted: how much stack a writer takes differs
 * from one to the next, and with where it is called.
 */
export function whyUnwritable(value: unknown): 'depth' | 'number' | undefined {
  let layer: ReadonlySet<unknown> = new Set([value]);
  for (let level = 0; layer.size > 0; level += 1) {
    if (level > limits.writtenLevels) return 'depth';
    const next = new Set<unknown>();
    for (const item of layer) {
      if (typeof item === 'number' && !Number.isFinite(item)) return 'number';
      if (typeof item !== 'object' || item === null) continue;
      for (const member of Object.values(item)) if (mayBeUnwritable(member)) next.add(member);
    }
    layer = next;
  }
  return undefined;
}

function mayBeUnwritable(value: unknown): boolean {
  return typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'object' && value !== null;
}

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

function writeJson(value: unknown, indent?: string | number): string {
  try {
    // Some hosts teach bigint to write itself, as a text.
    if (!('toJSON' in BigInt.prototype)) return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // For a bigint. Nothing else that is refused gets further below.
    if (!(error instanceof TypeError)) throw error;
  }
  return JSON.stringify(
    replaceIntegers(value, (integer) => rawJSON(String(integer))),
    undefined,
    indent,
  );
}

/** Whether `value` is a JSON object (no array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `value` is a JSON number, whichever way it is held. The operators `<=` and `>=` compare both kinds exactly. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether `value` has objects or lists more than `levels` deep in each other. Safe at any depth; parsing is too, writing is not. */
export function nestsDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // By recursion, which this bounds.
  if (levels < 0) return true;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).some((item) => nestsDeeper(item, levels - 1));
  const object = value as JsonObject;
  for (const name in object) if (nestsDeeper(object[name] as JsonValue, levels - 1)) return true;
  return false;
}

/** What stands in place of objects and lists that are nested too deeply. */
const tooDeep = '[nested too deeply]';

/** `value` itself where nothing in it is nested deeper than `levels`; else a copy in which a text stands for what is. */
export function cutLevels<Value extends JsonValue>(value: Value, levels: number): Value {
  return nestsDeeper(value, levels) ? (cutBelow(value, levels) as Value) : value;
}

function cutBelow(value: JsonValue, levels: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (levels < 0) return tooDeep;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => cutBelow(item, levels - 1));
  // A copy that is made of entries has `__proto__` for a member like any other.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutBelow(member, levels - 1)]));
}

/**
 * Compact JSON with object members sorted by code unit: equal values have equal text, and integers are equal that are written with the
 * same digits. Undefined members are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${stringifyJson(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return typeof value === 'bigint' ? String(value) : stringifyJson(value ?? null);
}

/** Whether two JSON values are equal whatever the order of members. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}
