/** Arguments as models give them, before Pi looks at them: mended where that is no guess, else handed on for one clear refusal. */
import type { JsonObject, JsonValue } from '../../base/index.ts';
import type { ToolDefinition } from '../../toolsets/index.ts';

/** The member under which arguments reach the tool that Pi's own check would not let through. */
const carried = 'given';

/** What Pi's check is given for a definition's tool. */
export function preparedFor({ inputSchema }: ToolDefinition): (args: unknown) => JsonObject {
  const known = Object.keys(inputSchema['properties'] as JsonObject);
  const required = inputSchema['required'] as readonly string[];
  const takesArguments = known.includes('arguments');
  return (args) => {
    const given = objectIn(args);
    if (given === undefined) return carry(args, required);
    const mended = withoutNulls(takesArguments ? withArguments(given, known) : given);
    return fits(mended, { known, required }) ? mended : carry(mended, required);
  };
}

/** What the model gave: as Pi's check has left it, or what was carried past it. */
export function givenArguments(params: JsonObject): unknown {
  return Object.hasOwn(params, carried) ? params[carried] : params;
}

/** An object, the JSON text of one, or the only one in a list. */
function objectIn(value: unknown): JsonObject | undefined {
  if (typeof value === 'string') return objectIn(parsed(value));
  if (Array.isArray(value)) return value.length === 1 && !Array.isArray(value[0]) ? objectIn(value[0]) : undefined;
  return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
}

/** Digits that a number of JavaScript may not keep: such a text is read by who can. */
const manyDigits = /\d{16}/;

function parsed(text: string): unknown {
  if (manyDigits.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // What is quoted twice is left to be refused.
    return typeof value === 'string' ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The tool's own arguments in their place: an object, and not beside `server` and `toolName`. */
function withArguments(given: JsonObject, known: readonly string[]): JsonObject {
  const { arguments: own, ...rest } = given;
  if (own !== undefined && own !== null && own !== '') return { ...rest, arguments: objectIn(own) ?? own };
  const [inPlace, astray] = [true, false].map((isKnown) =>
    Object.entries(rest).filter(([name]) => known.includes(name) === isKnown),
  );
  if (astray === undefined || astray.length === 0) return rest;
  return { ...Object.fromEntries(inPlace ?? []), arguments: Object.fromEntries(astray) };
}

/** Absent and null mean the same here, and not in every release of Pi. */
function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

interface Expected {
  readonly known: readonly string[];
  readonly required: readonly string[];
}

/** Whether Pi's check lets it through as it is. */
function fits(args: JsonObject, { known, required }: Expected): boolean {
  return (
    required.every((name) => Object.hasOwn(args, name)) &&
    Object.entries(args).every(([name, value]) => known.includes(name) && hasType(name, value))
  );
}

function hasType(name: string, value: JsonValue): boolean {
  if (name !== 'arguments') return typeof value === 'string';
  return typeof value === 'object' && !Array.isArray(value);
}

/** What Pi's check lets through whatever the model gave: the tool itself reads it, and refuses it in one sentence. */
function carry(args: unknown, required: readonly string[]): JsonObject {
  const members = typeof args === 'object' && args !== null ? (args as JsonObject) : {};
  // Whoever watches calls in Pi sees here what is meant.
  const named = required.map((name) => [name, typeof members[name] === 'string' ? members[name] : ''] as const);
  return { ...Object.fromEntries(named), [carried]: (args ?? null) as JsonValue };
}
