/** A tool's arguments: an object in the end, checked against the tool's schema before anything is sent. */
import {
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
  TrestleError,
  whyUnwritable,
} from '../../base/index.ts';
import { checkArguments } from '../../policy/index.ts';
import type { ToolDescriptor } from '../../registry/index.ts';

/**
 * The arguments as an object: given as one, or as the JSON text of one (decoded once); none is {}. Throws `invalid_arguments`, also
 * for a number that would not arrive.
 */
export function readArguments(given: unknown, server: string): JsonObject {
  if (given === undefined || given === null) return {};
  const decoded = typeof given === 'string' ? decode(given) : undefined;
  const args = isObject(given) ? given : decoded;
  if (isObject(args)) {
    const why = whyUnwritable(args);
    if (why === undefined) return args;
    throw new TrestleError({ code: 'invalid_arguments', server, ...unwritable[why] });
  }
  throw new TrestleError({
    code: 'invalid_arguments',
    message: `The arguments must be a JSON object, got ${kindOf(given, decoded)}.`,
    hint: 'Give them by name, for example {"name": "value"}; {} for none.',
    server,
    details: { example: {} },
  });
}

const unwritable = {
  depth: {
    message: 'The arguments are nested too deeply to be sent.',
    hint: 'Give objects and lists that are less deep in each other, and none that holds itself.',
  },
  number: {
    message:
      'The arguments hold a number that cannot be sent: with a fraction or an exponent, 1.7976931348623157e308 is the largest.',
    hint: 'Write a whole number with all its digits; anything else as text, if the tool takes that.',
  },
} as const;

function decode(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function kindOf(given: unknown, decoded: JsonValue | undefined): string {
  if (Array.isArray(given)) return 'a list';
  if (typeof given === 'bigint') return 'a number';
  if (typeof given !== 'string') return `a ${typeof given}`;
  if (Array.isArray(decoded)) return 'the text of a list';
  return decoded === undefined ? 'text that is no JSON' : 'text that is no JSON object';
}

/**
 * Checks arguments against the tool's input schema; returns notes for what could not be checked, and for what the tool may
 * ignore. Throws `invalid_arguments`.
 */
export function fitArguments(server: string, tool: ToolDescriptor, args: JsonObject): readonly string[] {
  const verdict = checkArguments(tool.inputSchema, args);
  if (verdict.kind === 'ok') return verdict.note === undefined ? [] : [verdict.note];
  if (verdict.kind === 'unchecked') return [verdict.note];
  const { problems, example } = verdict;
  const told = problems.map(({ field, problem }) => `${field === '' ? 'the arguments' : field} ${problem}`);
  throw new TrestleError({
    code: 'invalid_arguments',
    message: `The arguments do not fit ${server}/${tool.name}: ${told.join('; ')}.`,
    hint: `An example that fits: ${stringifyJson(example)}`,
    server,
    details: { problems, example },
  });
}
