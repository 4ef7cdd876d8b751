/** `type`, `enum` and `const`. */
import { isNumber, isObject, type JsonValue, nearest } from '../../base/index.ts';
import type { Check, Place } from './place.ts';
import { addDoubt, addProblem, type Finding, pathOf } from './finding.ts';
import { listOf, ownMember } from './keywords.ts';
import { anyOfWords, kindOf, literal, quote, typeInWords, valueInWords } from './words.ts';

const knownTypes: ReadonlySet<string> = new Set(['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']);

/** The types a schema allows by `type`, or undefined when it says nothing that can be relied on. */
export function typesOf(schema: JsonValue): readonly string[] | undefined {
  const type = ownMember(schema, 'type');
  const types = listOf(schema, 'type') ?? (type === undefined ? [] : [type]);
  const known = types.filter((name): name is string => typeof name === 'string' && knownTypes.has(name));
  return known.length === types.length && known.length > 0 ? known : undefined;
}

/** Whether `value` is of the schema type `type`. */
export function isOfType(value: unknown, type: string): boolean {
  const kind = kindOf(value);
  if (type !== 'integer') return kind === type;
  return typeof value === 'bigint' || (kind === 'number' && Number.isInteger(value));
}

export function checkType(place: Place, finding: Finding): void {
  const { schema, value } = place;
  if (!Object.hasOwn(schema, 'type')) return;
  // One type that fits, as nearly always, is told without a list of them.
  if (typeof schema['type'] === 'string' && isOfType(value, schema['type'])) return;
  const types = typesOf(schema);
  if (types === undefined) {
    addDoubt(finding, '"type" names a type that JSON Schema does not know');
    return;
  }
  if (types.some((type) => isOfType(value, type))) return;
  // OpenAPI's way to allow null, which several validators understand.
  if (value === null && schema['nullable'] === true) return;
  const expected = types.map(typeInWords);
  addProblem(finding, {
    path: pathOf(place.path),
    clause: `must be ${anyOfWords(expected)}, got ${valueInWords(value)}`,
    fix: { kind: 'replace', schema },
    about: { keyword: 'type', expected },
  });
}

export function checkValues(check: Check, place: Place, finding: Finding): void {
  const { schema } = place;
  if (Object.hasOwn(schema, 'enum')) {
    const allowed = listOf(schema, 'enum');
    if (allowed !== undefined) checkOneOf(check, { ...place, allowed }, finding);
    else addDoubt(finding, '"enum" is no list');
  }
  if (Object.hasOwn(schema, 'const') && check.dialect.draft > 4) {
    checkOneOf(check, { ...place, allowed: [schema['const'] as JsonValue] }, finding);
  }
}

function checkOneOf(check: Check, place: Place & { readonly allowed: readonly JsonValue[] }, finding: Finding): void {
  const { value, allowed, schema } = place;
  if (allowed.some((candidate) => sameJson(check, candidate, value))) return;
  if (check.stepsLeft <= 0) {
    addDoubt(finding, 'the check would take too long');
    return;
  }
  const expected = allowed.map(literal);
  addProblem(finding, {
    path: pathOf(place.path),
    clause: oneOfClause(expected, value, allowed),
    fix: { kind: 'replace', schema },
    about: { keyword: 'value', expected },
  });
}

/** Values of an enumeration that are listed; beyond, their number is said. */
const listedValues = 12;

/** `must be one of "a", "b", got text "c"`. Part of a list of clauses, so what may be meant stands in brackets. */
export function oneOfClause(expected: readonly string[], value: JsonValue, allowed: readonly JsonValue[] = []): string {
  const more = expected.length - listedValues;
  const list = expected.slice(0, listedValues).join(', ') + (more > 0 ? ` (and ${more} more)` : '');
  const [near] = nearestText(value, allowed);
  const hint = near === undefined || expected.length === 1 ? '' : ` (did you mean ${quote(near)}?)`;
  return `must be ${expected.length === 1 ? '' : 'one of '}${list}, got ${valueInWords(value)}${hint}`;
}

/** The allowed text that `value` seems to be a slip of, if any. A long text is no slip, and comparing it would take long. */
export function nearestText(value: JsonValue, allowed: readonly JsonValue[]): readonly string[] {
  if (typeof value !== 'string' || value.length >= 200) return [];
  return nearest(
    value,
    allowed.filter((candidate) => typeof candidate === 'string'),
    1,
  );
}

/** Whether two values are equal whatever the order of members; each comparison is a step. */
function sameJson(check: Check, a: unknown, b: unknown): boolean {
  check.stepsLeft -= 1;
  if (a === b) return true;
  if (check.stepsLeft <= 0) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(check, item, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    return names.every((name) => Object.hasOwn(b, name) && sameJson(check, a[name], b[name]));
  }
  return isNumber(a) && isNumber(b) && a <= b && a >= b;
}
