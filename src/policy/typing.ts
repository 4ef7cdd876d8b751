/** The value meant by a piece of text, where a schema says what is expected. */
import { isNumber, isObject, type JsonValue, parseJson } from '../base/index.ts';
import { flattenSchema } from './schema/flatten.ts';
import { branchesOf, listOf, objectOf, ownMember } from './schema/keywords.ts';
import { resolveReference } from './schema/references.ts';
import { typesOf } from './schema/values.ts';

/** What a subschema allows, gathered over references and combinations. */
interface Allowed {
  readonly types: Set<string>;
  readonly values: JsonValue[];
}

/** The value meant by `text` for the property `name` of `schema` (a command line's `name=text`): typed as the schema says, text where it is silent. */
export function typeArgument(schema: JsonValue, name: string, text: string): JsonValue {
  const flat = flattenSchema(schema, schema);
  const properties = objectOf(flat, 'properties');
  return typeText(schema, ownMember(properties, name) ?? ownMember(flat, 'additionalProperties') ?? true, text);
}

/** The value meant by `text` for one subschema of `root`. */
export function typeText(root: JsonValue, schema: JsonValue, text: string): JsonValue {
  const allowed: Allowed = { types: new Set(), values: [] };
  gather(root, schema, { allowed, depth: 0 });
  const { types, values } = allowed;
  if (types.has('string') || values.includes(text)) return text;
  const value = parsed(text);
  if (value === undefined) return text;
  const written = values.find((candidate) => typeof candidate !== 'object' && candidate === value);
  if (written !== undefined) return written;
  const fits =
    (typeof value === 'boolean' && types.has('boolean')) ||
    (value === null && types.has('null')) ||
    (Array.isArray(value) && types.has('array')) ||
    (isObject(value) && types.has('object')) ||
    (isNumber(value) && (types.has('number') || types.has('integer')));
  return fits ? value : text;
}

/** References and combinations followed; a schema that refers to itself says nothing new further down. */
const deepest = 16;

function gather(root: JsonValue, schema: JsonValue, into: { readonly allowed: Allowed; readonly depth: number }): void {
  if (!isObject(schema) || into.depth > deepest) return;
  const { allowed } = into;
  for (const type of typesOf(schema) ?? []) allowed.types.add(type);
  if (schema['nullable'] === true) allowed.types.add('null');
  allowed.values.push(...(listOf(schema, 'enum') ?? []));
  if (Object.hasOwn(schema, 'const')) allowed.values.push(schema['const'] as JsonValue);
  // Members that only an object or a list can have tell the type where `type` is missing.
  if (isObject(schema['properties'])) allowed.types.add('object');
  if (isObject(schema['items'])) allowed.types.add('array');
  const reference = schema['$ref'];
  const target = typeof reference === 'string' ? resolveReference(root, reference) : undefined;
  const branches = branchesOf(schema, ['anyOf', 'oneOf', 'allOf']);
  const next = { allowed, depth: into.depth + 1 };
  for (const part of target === undefined ? branches : [target, ...branches]) gather(root, part, next);
}

/** The JSON value of `text`, or undefined. */
function parsed(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text);
    // 1e400 would be sent as null.
    return value === Infinity || value === -Infinity ? undefined : value;
  } catch {
    return undefined;
  }
}
