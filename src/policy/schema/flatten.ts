/** One plain object schema for a schema that is spread over references and combinations; for samples and typing, not for checks. */
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { listOf, objectOf, ownMember } from './keywords.ts';
import { resolveReference } from './references.ts';

/** References and combinations followed before giving up on a schema that refers to itself. */
const deepest = 16;

/** `schema` with its references and `allOf` merged in, and of alternatives the first that allows more than null. */
export function flattenSchema(root: JsonValue, schema: JsonValue, depth = 0): JsonObject {
  if (!isObject(schema) || depth > deepest) return {};
  const { $ref: reference, allOf: _all, anyOf: _any, oneOf: _one, ...rest } = schema;
  const target = typeof reference === 'string' ? resolveReference(root, reference) : undefined;
  const parts = [
    target,
    ...(listOf(schema, 'allOf') ?? []),
    firstUseful(listOf(schema, 'anyOf') ?? []),
    firstUseful(listOf(schema, 'oneOf') ?? []),
  ];
  return parts
    .filter((part): part is JsonValue => part !== undefined)
    .map((part) => flattenSchema(root, part, depth + 1))
    .reduce(merge, rest);
}

function firstUseful(branches: readonly JsonValue[]): JsonValue | undefined {
  return branches.find((branch) => ownMember(branch, 'type') !== 'null') ?? branches[0];
}

/** What `a` says itself goes before what `b` adds. */
function merge(a: JsonObject, b: JsonObject): JsonObject {
  const properties = { ...objectOf(b, 'properties'), ...objectOf(a, 'properties') };
  const required = [...new Set([...(listOf(a, 'required') ?? []), ...(listOf(b, 'required') ?? [])])];
  return {
    ...b,
    ...a,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}
