/**
 * Arguments that a tool's input schema marks with `x-mcp-header`: mirrored into `Mcp-Param-*` headers, so that what stands between
 * can route by them (2026-07-28, basic/transports/streamable-http, "Custom Headers from Tool Parameters").
 */
import { isObject, type JsonObject, type JsonValue, limits, shorten, stringifyJson } from '../../base/index.ts';
import { headerValue } from '../../wire/index.ts';

/** One marked argument. */
export interface Mirror {
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
  /** Behind `Mcp-Param-`. */
  readonly name: string;
}

export type Mirrors =
  | { readonly ok: true; readonly mirrors: readonly Mirror[] }
  /** A tool with such marks may not be used; `problem` is a clause. */
  | { readonly ok: false; readonly problem: string };

/** The marks of an input schema. */
export function readMirrors(inputSchema: JsonValue | undefined): Mirrors {
  const mirrors: Mirror[] = [];
  const problem = isObject(inputSchema) ? collect(inputSchema, [], mirrors) : undefined;
  return problem === undefined ? { ok: true, mirrors } : { ok: false, problem };
}

/** The headers of one call. An argument that is absent, null or no scalar has none. */
export function mirrorHeaders(mirrors: readonly Mirror[], args: JsonObject): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { path, name } of mirrors) {
    const text = textOf(valueAt(args, path));
    if (text !== undefined) headers[`mcp-param-${name.toLowerCase()}`] = headerValue(text);
  }
  return headers;
}

const mark = 'x-mcp-header';

/** Keywords that hold one schema or a list of them, and those that hold schemas by name. `properties` apart. */
const subschemaKeywords =
  'items prefixItems additionalItems contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames oneOf anyOf allOf not if then else contentSchema'.split(
    ' ',
  );
const namedSubschemaKeywords = 'patternProperties dependentSchemas dependencies $defs definitions'.split(' ');

/** Walks the chains of `properties`, where marks may stand, and all other places, where none may; returns what is wrong. */
function collect(schema: JsonObject, path: readonly string[], mirrors: Mirror[]): string | undefined {
  if (Object.hasOwn(schema, mark)) {
    const problem = markProblem(schema, path, mirrors);
    if (problem !== undefined) return problem;
    mirrors.push({ path, name: schema[mark] as string });
  }
  for (const [name, property] of schemasIn(schema['properties'])) {
    const problem = collect(property, [...path, name], mirrors);
    if (problem !== undefined) return problem;
  }
  const isElsewhere = subschemasElsewhere(schema).some(isMarked);
  return isElsewhere
    ? `${mark} stands where no chain of properties leads (under items, anyOf, $defs or the like)`
    : undefined;
}

function markProblem(schema: JsonObject, path: readonly string[], others: readonly Mirror[]): string | undefined {
  const name = schema[mark];
  if (path.length === 0) return `${mark} stands on the arguments as a whole`;
  const place = shorten(path.join('.'), limits.quotedCharacters);
  if (typeof name !== 'string' || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    return `${mark} of ${place} is no name of a header`;
  if (!isMirrored(schema['type'])) return `${mark} of ${place} stands on no text, integer or boolean`;
  const isTaken = others.some((other) => other.name.toLowerCase() === name.toLowerCase());
  return isTaken ? `${mark} of ${place} is another's already` : undefined;
}

const mirroredTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** `null` beside the type changes nothing: it is never mirrored. */
function isMirrored(type: JsonValue | undefined): boolean {
  const types = Array.isArray(type) ? (type as readonly JsonValue[]).filter((one) => one !== 'null') : [type];
  return types.length === 1 && mirroredTypes.has(types[0]);
}

/** Whether a mark stands anywhere in `schema`. */
function isMarked(schema: JsonObject): boolean {
  if (Object.hasOwn(schema, mark)) return true;
  const inside = [...schemasIn(schema['properties']).map(([, property]) => property), ...subschemasElsewhere(schema)];
  return inside.some(isMarked);
}

function subschemasElsewhere(schema: JsonObject): readonly JsonObject[] {
  const single = subschemaKeywords.flatMap((keyword) => schema[keyword] ?? []).filter(isObject);
  const named = namedSubschemaKeywords.flatMap((keyword) => schemasIn(schema[keyword]).map(([, named]) => named));
  return [...single, ...named];
}

function schemasIn(value: JsonValue | undefined): readonly (readonly [string, JsonObject])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}

function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Texts as they are; numbers and booleans as they stand in the body, which the server compares. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  return typeof value === 'string' ? value : stringifyJson(value);
}
