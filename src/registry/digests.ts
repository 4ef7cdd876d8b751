/** What pins a descriptor, and what pins a server's folder. */
import { canonicalJson, isObject, type JsonObject, type JsonValue, sha256Hex } from '../base/index.ts';
import type { StoredLists } from './stored.ts';
import type { ToolDescriptor } from './records.ts';

/** Members of a schema that may change without changing what a call means. */
const ignoredKeywords: ReadonlySet<string> = new Set(['default', 'examples', '_meta']);

/** Keywords whose members are schemas under names that the server chose: a parameter may be called `default`. */
const schemaMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords whose value is data, not schema. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'required']);

/** What pins a descriptor: a digest that ignores key order, `default`, `examples` and `_meta`. Lower-case hex SHA-256. */
export function descriptorDigest(descriptor: JsonObject | ToolDescriptor): string {
  return sha256Hex(canonicalJson(pinnedDescriptor(descriptor)));
}

/** What of a descriptor is pinned. */
export function pinnedDescriptor(descriptor: JsonObject | ToolDescriptor): JsonObject {
  const pinned = Object.entries(descriptor)
    .filter(([member, value]) => member !== '_meta' && value !== undefined)
    .map(([member, value]): [string, JsonValue] => [
      member,
      member === 'inputSchema' || member === 'outputSchema' ? pinnedSchema(value ?? null) : (value ?? null),
    ]);
  return Object.fromEntries(pinned);
}

function pinnedSchema(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).map(pinnedSchema);
  if (!isObject(schema)) return schema;
  const members = Object.entries(schema)
    .filter(([keyword]) => !ignoredKeywords.has(keyword))
    .map(([keyword, value]): [string, JsonValue] => [keyword, pinnedMember(keyword, value)]);
  return Object.fromEntries(members);
}

function pinnedMember(keyword: string, value: JsonValue): JsonValue {
  if (dataKeywords.has(keyword)) return value;
  if (!schemaMaps.has(keyword) || !isObject(value)) return pinnedSchema(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]): [string, JsonValue] => [name, pinnedSchema(schema)]),
  );
}

/** Short digest of any JSON value whatever the order of members; tells an edited file from the one that was written. */
export function contentDigest(value: JsonValue): string {
  return sha256Hex(canonicalJson(value)).slice(0, 16);
}

/** The `digest` of meta.json: over meta.json itself (without stamp and digest) and all that the server's folder holds. */
export function folderDigest(meta: JsonObject, tools: readonly JsonObject[], lists: StoredLists): string {
  const { syncedAt: _stamp, digest: _digest, ...rest } = meta;
  const sortedTools = tools.map((tool) => canonicalJson(tool)).sort();
  return sha256Hex(canonicalJson([rest, sortedTools, lists]));
}
