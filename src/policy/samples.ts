/** Sample values that fit a schema as well as one can tell without solving it. */
import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { sampleNumber } from './sample-number.ts';
import { type Dialect, dialectOf } from './schema/dialect.ts';
import { flattenSchema } from './schema/flatten.ts';
import { itemSchemas } from './schema/lists.ts';
import { branchesOf, countOf, listOf, objectOf, ownMember } from './schema/keywords.ts';
import { createPatterns } from './schema/patterns.ts';
import { isOfType, typesOf } from './schema/values.ts';

/** How a sample is made. */
export interface Sampling {
  /** The whole schema, which references are resolved in. */
  readonly root: JsonValue;
  /** Leaves optional members out. */
  readonly onlyRequired: boolean;
  readonly depth: number;
}

/** Levels of nesting that a sample fills. */
const deepest = 6;

/**
 * Sample arguments: default, const, first enum value, else by format and bounds, else "example_value", 42, true, [], {}.
 * `only: 'required'` leaves optional properties out.
 */
export function sampleArguments(schema: JsonValue, only?: 'required'): JsonObject {
  const sampling = { root: schema, onlyRequired: only === 'required', depth: 0 };
  return sampleObject(sampling, flattenSchema(schema, schema));
}

/** A value for one subschema. */
export function sampleValue(sampling: Sampling, schema: JsonValue): JsonValue {
  const flat = flattenSchema(sampling.root, schema);
  const types = typesOf(flat);
  const fitting = (value: JsonValue): boolean => types === undefined || types.some((type) => isOfType(value, type));
  for (const keyword of ['default', 'const'] as const) {
    const value = ownMember(flat, keyword);
    // A null default beside a type without null means "none".
    if (value !== undefined && (fitting(value) || allowsNull(sampling.root, schema))) return value;
  }
  const [first] = listOf(flat, 'enum') ?? [];
  if (first !== undefined) return first;
  switch (types?.find((type) => type !== 'null') ?? types?.[0] ?? impliedType(flat)) {
    case 'number':
    case 'integer':
      return sampleNumber(flat, types?.includes('number') !== true);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return sampleList(sampling, flat);
    case 'object':
      return sampleObject({ ...sampling, depth: sampling.depth + 1 }, flat);
    default:
      return sampleText(flat);
  }
}

function allowsNull(root: JsonValue, schema: JsonValue): boolean {
  return branchesOf(schema, ['anyOf', 'oneOf']).some(
    (branch) => typesOf(flattenSchema(root, branch))?.includes('null') === true,
  );
}

function impliedType(schema: JsonObject): string {
  if (isObject(schema['properties'])) return 'object';
  return Object.hasOwn(schema, 'items') || Object.hasOwn(schema, 'prefixItems') ? 'array' : 'string';
}

function sampleObject(sampling: Sampling, schema: JsonObject): JsonObject {
  const properties = objectOf(schema, 'properties') ?? {};
  const required = listOf(schema, 'required') ?? [];
  const names = sampling.onlyRequired || sampling.depth > 0 ? [] : Object.keys(properties);
  const all = new Set([...names, ...required.filter((name) => typeof name === 'string')]);
  if (sampling.depth > deepest) return {};
  const kept = [...all].filter((name) => ownMember(properties, name) !== false);
  return Object.fromEntries(kept.map((name) => [name, sampleValue(sampling, ownMember(properties, name) ?? true)]));
}

function sampleList(sampling: Sampling, schema: JsonObject): JsonValue {
  const dialect: Dialect = dialectOf(sampling.root) ?? { draft: 2020, declared: false };
  const { first, rest } = itemSchemas({ dialect }, schema);
  const least = Math.min(countOf(schema, 'minItems') ?? 0, 20);
  if (sampling.depth > deepest) return [];
  const inner = { ...sampling, depth: sampling.depth + 1 };
  return Array.from({ length: least }, (_, index) => sampleValue(inner, first[index] ?? rest ?? true));
}

const textsByFormat: ReadonlyMap<string, string> = new Map([
  ['date', '2025-01-01'],
  ['date-time', '2025-01-01T00:00:00Z'],
  ['time', '12:00:00Z'],
  ['duration', 'PT1H'],
  ['email', 'user@example.com'],
  ['idn-email', 'user@example.com'],
  ['hostname', 'example.com'],
  ['idn-hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uri', 'https://example.com'],
  ['url', 'https://example.com'],
  ['iri', 'https://example.com'],
  ['uri-reference', '/example'],
  ['uri-template', 'https://example.com/{name}'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
  ['json-pointer', '/example'],
  ['relative-json-pointer', '1/example'],
  ['regex', '.*'],
  ['byte', 'ZXhhbXBsZQ=='],
]);

/** Texts of common shapes, tried in turn where a pattern is asked for. */
const shapes = [
  'example',
  'Example',
  'EXAMPLE',
  'example-1',
  'a',
  'A',
  '1',
  '42',
  '1234',
  '2025-01-01',
  '2025-01',
  '12:00',
  '1.0.0',
  '1h',
  '#a1b2c3',
  'a1b2c3d',
  '/example',
  'https://example.com',
  'user@example.com',
  'owner/name',
  'EX-1',
  'en',
  'en-US',
  '123456789',
  'C0123456789',
  '1234567890.123456',
] as const;

function sampleText(schema: JsonObject): string {
  const format = schema['format'];
  const known = typeof format === 'string' ? textsByFormat.get(format) : undefined;
  const pattern = schema['pattern'];
  const start = known ?? 'example_value';
  if (typeof pattern === 'string') {
    const fitting = createPatterns().find(pattern, [start, ...textsByFormat.values(), ...shapes]);
    if (fitting !== undefined) return fitting;
  }
  if (known !== undefined) return known;
  const least = Math.min(countOf(schema, 'minLength') ?? 0, 1_000);
  const most = countOf(schema, 'maxLength') ?? Infinity;
  return start.padEnd(least, 'x').slice(0, Math.max(most, 0));
}
