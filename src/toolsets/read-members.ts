/** The arguments of a tool object itself, read by hand: a model may give anything. */
import { isObject, type JsonValue, TrestleError } from '../base/index.ts';
import type { ToolDefinition } from './tool-object.ts';

/** Arguments by name, checked against the definition. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * The members by name, after a check against the definition's own names, texts and whole numbers; what is of another type is its
 * reader's to check. A null counts as absent. Throws `invalid_arguments`.
 */
export function readMembers(definition: ToolDefinition, given: unknown): Members {
  const properties = propertiesOf(definition);
  const required = requiredOf(definition);
  if (!isObject(given)) throw unfit(definition, 'the arguments must be an object');
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(properties, name)) throw unfit(definition, `it has no argument ${JSON.stringify(name)}`);
  }
  for (const [name, schema] of Object.entries(properties)) {
    const value = given[name];
    const missing = value === undefined || value === null;
    if (missing && !required.has(name)) continue;
    const problem = missing ? 'is required' : problemOf(schema, value);
    if (problem !== undefined) throw unfit(definition, `${name} ${problem}`);
  }
  return given;
}

/** The refusal of arguments; `problem` is a clause. */
export function unfit(definition: ToolDefinition, problem: string, hint = expectedMembers(definition)): TrestleError {
  return new TrestleError({
    code: 'invalid_arguments',
    message: `The arguments do not fit ${definition.name}: ${problem}.`,
    hint,
  });
}

/** `It takes {server, toolName, arguments?}.` */
export function expectedMembers(definition: ToolDefinition): string {
  const required = requiredOf(definition);
  const names = Object.keys(propertiesOf(definition)).map((name) => (required.has(name) ? name : `${name}?`));
  return `It takes {${names.join(', ')}}.`;
}

function propertiesOf({ inputSchema }: ToolDefinition): Readonly<Record<string, JsonValue>> {
  return isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
}

function requiredOf({ inputSchema }: ToolDefinition): ReadonlySet<string> {
  return new Set((inputSchema['required'] ?? []) as readonly string[]);
}

/** What is wrong with a value, a clause after its name. */
function problemOf(schema: JsonValue, value: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  if (schema['type'] === 'string') return textProblem(schema, value);
  if (schema['type'] === 'integer') return integerProblem(schema, value);
  return undefined;
}

function textProblem(schema: Readonly<Record<string, JsonValue>>, value: unknown): string | undefined {
  const { enum: choices, maxLength } = schema;
  if (Array.isArray(choices)) {
    return choices.includes(value) ? undefined : `must be ${choices.map((item) => JSON.stringify(item)).join(' or ')}`;
  }
  if (typeof value !== 'string' || value === '') return 'must be a text that is not empty';
  return typeof maxLength === 'number' && value.length > maxLength
    ? `must be a text of at most ${maxLength} characters`
    : undefined;
}

function integerProblem(schema: Readonly<Record<string, JsonValue>>, value: unknown): string | undefined {
  const least = Number(schema['minimum']);
  const most = Number(schema['maximum']);
  const fits = Number.isInteger(value) && least <= Number(value) && Number(value) <= most;
  return fits ? undefined : `must be a whole number from ${least} to ${most}`;
}
