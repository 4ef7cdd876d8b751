/**
 * JSON as values and text. Every room parses and writes JSON here, so that a change of how numbers travel is one change.
 */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
/** A JSON object. `__proto__` is an ordinary member: values come from {@link parseJson}, never from assignment. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Parses JSON text (a leading byte order mark is tolerated). Throws SyntaxError. */
export function parseJson(text: string): JsonValue {
  return JSON.parse(text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text) as JsonValue;
}

/** Compact JSON text. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value);
}

/** JSON text for files people read: two-space indent and a trailing newline; members in the order given. */
export function prettyJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Whether `value` is a JSON object (no array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `value` has objects or lists more than `levels` deep in each other. Safe at any depth; parsing is too, writing is not. */
export function nestsDeeper(value: JsonValue, levels: number): boolean {
  let layer: readonly JsonValue[] = [value];
  for (let level = 0; layer.length > 0; level += 1) {
    if (level > levels) return true;
    const next: JsonValue[] = [];
    for (const item of layer) {
      if (typeof item !== 'object' || item === null) continue;
      for (const member of Object.values<JsonValue>(item as JsonObject)) {
        if (typeof member === 'object' && member !== null) next.push(member);
      }
    }
    layer = next;
  }
  return false;
}

/** Compact JSON with object members sorted by code unit: equal values have equal text. Undefined members are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${stringifyJson(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return stringifyJson(value ?? null);
}

/** Whether two JSON values are equal whatever the order of members. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}
