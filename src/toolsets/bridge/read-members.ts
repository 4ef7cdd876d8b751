/** The arguments of the three tools themselves, read by hand: a model may give anything. */
import { isObject, TrestleError } from '../../base/index.ts';
import type { ToolDefinition } from './definitions.ts';

/** The members by name, after a check against the definition. Throws `invalid_arguments`. */
export function readMembers(definition: ToolDefinition, given: unknown): Readonly<Record<string, unknown>> {
  const properties = isObject(definition.inputSchema['properties']) ? definition.inputSchema['properties'] : {};
  const required = new Set(definition.inputSchema['required'] as readonly string[]);
  if (!isObject(given)) throw unfit(definition, 'the arguments must be an object');
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(properties, name)) throw unfit(definition, `it has no argument ${JSON.stringify(name)}`);
  }
  for (const [name, schema] of Object.entries(properties)) {
    const value = given[name];
    const missing = value === undefined || value === null;
    if (missing && !required.has(name)) continue;
    if (missing) throw unfit(definition, `${name} is required`);
    const isText = isObject(schema) && schema['type'] === 'string';
    if (isText && (typeof value !== 'string' || value === ''))
      throw unfit(definition, `${name} must be a text that is not empty`);
  }
  return given;
}

function unfit(definition: ToolDefinition, problem: string): TrestleError {
  const names = Object.keys(definition.inputSchema['properties'] ?? {});
  const required = new Set(definition.inputSchema['required'] as readonly string[]);
  const expected = names.map((name) => (required.has(name) ? name : `${name}?`)).join(', ');
  return new TrestleError({
    code: 'invalid_arguments',
    message: `The arguments do not fit ${definition.name}: ${problem}.`,
    hint: `It takes {${expected}}.`,
  });
}
