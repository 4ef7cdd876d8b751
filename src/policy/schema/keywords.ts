/** Reading a schema's keywords: schemas are foreign data, and any member may be missing or of any type. */
import { isNumber, isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { addDoubt, type Finding } from './finding.ts';

/** A member of an object by its own name; `__proto__` and `constructor` are names like any other. */
export function ownMember(object: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A keyword's number, an integer beyond a double with all its digits; undefined when absent or no number. */
export function numberOf(schema: JsonObject, keyword: string): number | bigint | undefined {
  const value = ownMember(schema, keyword);
  return isNumber(value) ? value : undefined;
}

/** A keyword's number where it counts something, of which nobody has more than a double can count. */
export function countOf(schema: JsonObject, keyword: string): number | undefined {
  const value = numberOf(schema, keyword);
  return value === undefined ? undefined : Number(value);
}

/** A keyword's list; undefined when absent or no list. */
export function listOf(schema: JsonValue | undefined, keyword: string): readonly JsonValue[] | undefined {
  const value = ownMember(schema, keyword);
  return Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
}

/** A keyword's object; undefined when absent or no object. */
export function objectOf(schema: JsonValue | undefined, keyword: string): JsonObject | undefined {
  const value = ownMember(schema, keyword);
  return isObject(value) ? value : undefined;
}

/** {@link objectOf}, with a doubt when the keyword has another type. */
export function objectOrDoubt(schema: JsonObject, keyword: string, finding: Finding): JsonObject | undefined {
  const value = objectOf(schema, keyword);
  if (value === undefined && Object.hasOwn(schema, keyword)) addDoubt(finding, `"${keyword}" is no object`);
  return value;
}

/** {@link listOf} for lists of schemas, which may not be empty, with a doubt when the keyword has another type. */
export function schemasOrDoubt(
  schema: JsonObject,
  keyword: string,
  finding: Finding,
): readonly JsonValue[] | undefined {
  const value = listOf(schema, keyword);
  if (value !== undefined && value.length > 0) return value;
  if (Object.hasOwn(schema, keyword)) addDoubt(finding, `"${keyword}" is no list of schemas`);
  return undefined;
}

/** All subschemas of the keywords that combine schemas. */
export function branchesOf(
  schema: JsonValue,
  keywords: readonly ('anyOf' | 'oneOf' | 'allOf')[],
): readonly JsonValue[] {
  return keywords.flatMap((keyword) => listOf(schema, keyword) ?? []);
}
