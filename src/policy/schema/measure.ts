/** Whether a schema is small enough to be interpreted, and what must be known of it as a whole. */
import { formatBytes, limits, type JsonValue } from '../../base/index.ts';

export interface SchemaMeasure {
  /** Why it is beyond the limits, one clause; undefined when it is within. */
  readonly beyond: string | undefined;
  /** Whether an `$id` below the root may move the base of references. */
  readonly nestedIds: boolean;
  /** Whether it holds an integer that a double cannot keep. */
  readonly bigIntegers: boolean;
}

/** Measures that were taken: the schema of a tool that is called again and again is the same object. */
const taken = new WeakMap<object, SchemaMeasure>();

/** Walks a schema once, without recursion, and stops at the first limit. */
export function measureSchema(schema: JsonValue): SchemaMeasure {
  if (typeof schema !== 'object' || schema === null) return measure(schema);
  let known = taken.get(schema);
  if (known === undefined) {
    known = measure(schema);
    taken.set(schema, known);
  }
  return known;
}

function measure(schema: JsonValue): SchemaMeasure {
  let nodes = 0;
  let characters = 0;
  let nestedIds = false;
  let bigIntegers = false;
  const beyond = (why: string): SchemaMeasure => ({ beyond: why, nestedIds, bigIntegers });
  const open: { readonly value: JsonValue; readonly depth: number }[] = [{ value: schema, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') characters += value.length;
    if (typeof value === 'bigint') bigIntegers = true;
    if (characters > limits.schemaBytes) return beyond(`is larger than ${formatBytes(limits.schemaBytes)}`);
    if (typeof value !== 'object' || value === null) continue;
    nodes += 1;
    if (depth > limits.schemaDepth) return beyond(`is nested deeper than ${limits.schemaDepth} levels`);
    if (nodes > limits.schemaNodes) return beyond(`has more than ${limits.schemaNodes} parts`);
    for (const [name, member] of Object.entries<JsonValue>(value as Readonly<Record<string, JsonValue>>)) {
      characters += name.length + 4;
      if (name === '$id' && depth > 0 && typeof member === 'string' && !member.startsWith('#')) nestedIds = true;
      open.push({ value: member, depth: depth + 1 });
    }
  }
  return { beyond: undefined, nestedIds, bigIntegers };
}
