/**
 * Checks what a person filled into a server's form. The schema of a form is flat and knows only primitive members
 * (2025-11-25, client/elicitation, "Requested Schema"), so a small check suffices.
 */
import { isNumber, isObject, type JsonObject, type JsonValue } from '../../base/index.ts';

export type CheckedForm =
  | { readonly ok: true; readonly content: JsonObject }
  /** `problem` names the field. */
  | { readonly ok: false; readonly problem: string };

/** `content` with defaults for the members it lacks, checked against `schema`. */
export function checkForm(schema: JsonValue | undefined, content: JsonObject): CheckedForm {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const required = isObject(schema) && Array.isArray(schema['required']) ? (schema['required'] as JsonValue[]) : [];
  const filled: Record<string, JsonValue> = { ...content };
  for (const [name, field] of Object.entries(properties)) {
    if (!isObject(field)) continue;
    const fallback = field['default'];
    if (!Object.hasOwn(filled, name) && fallback !== undefined) filled[name] = fallback;
    if (!Object.hasOwn(filled, name)) continue;
    const problem = fieldProblem(field, filled[name]);
    if (problem !== undefined) return { ok: false, problem: `${name} ${problem}` };
  }
  const missing = required.filter((name) => typeof name === 'string').find((name) => !Object.hasOwn(filled, name));
  if (missing !== undefined) return { ok: false, problem: `${missing} is required` };
  return { ok: true, content: filled };
}

function fieldProblem(field: JsonObject, value: JsonValue | undefined): string | undefined {
  const choices = choicesOf(field);
  if (choices !== undefined && !choices.includes(value ?? null))
    return `must be one of ${choices.map(String).join(', ')}`;
  switch (field['type']) {
    case 'string':
      return typeof value === 'string' ? textProblem(field, value) : 'must be a text';
    case 'number':
    case 'integer':
      return numberProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'array':
      return selectionProblem(field, value);
    default:
      return undefined;
  }
}

function choicesOf(field: JsonObject): readonly JsonValue[] | undefined {
  const { enum: plain, oneOf, anyOf } = field;
  if (Array.isArray(plain)) return plain as readonly JsonValue[];
  const titled = oneOf ?? anyOf;
  if (!Array.isArray(titled)) return undefined;
  const constants = titled.map((choice: JsonValue) => (isObject(choice) ? choice['const'] : undefined));
  return constants.every((constant) => constant !== undefined) ? constants : undefined;
}

function textProblem(field: JsonObject, value: string): string | undefined {
  const { minLength, maxLength } = field;
  // Lengths of JSON Schema count characters, not code units.
  const length = Array.from(value).length;
  if (typeof minLength === 'number' && length < minLength) return `must have at least ${minLength} characters`;
  if (typeof maxLength === 'number' && length > maxLength) return `must have at most ${maxLength} characters`;
  return undefined;
}

function numberProblem(field: JsonObject, value: JsonValue | undefined): string | undefined {
  if (!isNumber(value)) return 'must be a number';
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  if (field['type'] === 'integer' && !isWhole) return 'must be a whole number';
  const { minimum, maximum } = field;
  if (isNumber(minimum) && value < minimum) return `must be at least ${minimum}`;
  if (isNumber(maximum) && value > maximum) return `must be at most ${maximum}`;
  return undefined;
}

function selectionProblem(field: JsonObject, value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  const { minItems, maxItems, items } = field;
  if (typeof minItems === 'number' && value.length < minItems) return `must have at least ${minItems} items`;
  if (typeof maxItems === 'number' && value.length > maxItems) return `must have at most ${maxItems} items`;
  const choices = isObject(items) ? choicesOf(items) : undefined;
  const wrong = (value as readonly JsonValue[]).some((item) => choices !== undefined && !choices.includes(item));
  return wrong ? `may only hold ${(choices ?? []).map(String).join(', ')}` : undefined;
}
