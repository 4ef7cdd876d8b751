/** The check of a result against the tool's output schema: after delivery, beside the result, never instead of it. */
import type { Ajv, Options, ValidateFunction } from 'ajv';
import { canonicalJson, holdsBigInteger, isObject, type JsonValue, limits, replaceIntegers } from '../base/index.ts';
import { OutOfTime, runBounded } from './bounded.ts';
import { cleanLine } from './hygiene.ts';
import { checkSchema } from './schema/check.ts';
import { dialectOf } from './schema/dialect.ts';
import { answerOf } from './schema/finding.ts';
import { measureSchema } from './schema/measure.ts';
import { pathInWords } from './schema/words.ts';

/**
 * Checks a delivered `structuredContent` against the tool's output schema, with size limits and a time limit. Returns a note
 * for people and models when it does not fit or the schema cannot be used, undefined when all is well. Never throws.
 */
export async function checkOutput(schema: JsonValue, value: JsonValue | undefined): Promise<string | undefined> {
  try {
    if (value === undefined) return 'The tool has an output schema but sent no structured content.';
    return await check(schema, value);
  } catch (thrown) {
    return `The structured content was not checked: ${reasonOf(thrown)}.`;
  }
}

/** Why it could not be checked, as one clause. */
class Unchecked extends Error {
  override readonly name = 'Unchecked';
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof Unchecked) return thrown.message;
  if (thrown instanceof OutOfTime) return `the check took longer than ${limits.outputCheckMs} ms`;
  if (thrown instanceof RangeError) return 'the schema or the value is nested too deeply';
  // Everything else comes from the validator, which could not use the schema.
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return `the output schema cannot be used (${cleanLine(words, limits.quotedCharacters)})`;
}

async function check(schema: JsonValue, value: JsonValue): Promise<string | undefined> {
  if (!isObject(schema) && typeof schema !== 'boolean') throw new Unchecked('the output schema is no JSON Schema');
  const dialect = dialectOf(schema);
  if (dialect === undefined || dialect.draft === 4)
    throw new Unchecked('its "$schema" names a dialect that is not known here');
  const { beyond, bigIntegers } = measureSchema(schema);
  if (beyond !== undefined) throw new Unchecked(`the output schema ${beyond}`);
  const key = keyOf(schema);
  const known = recall(key);
  const isExact = !bigIntegers && !holdsBigInteger(value);
  // The bound costs a thread each time; a schema that is compiled and cannot make a check long needs none.
  if (known?.isQuick === true && isExact) return noteOf(known.validate, value);
  // What our own check is sure of is so for every validator, and spares the loading and compiling of one.
  const finding = checkSchema(schema, value);
  const answer = answerOf(finding);
  if (answer === 'fits') return undefined;
  if (!isExact) {
    // The validator knows doubles only: it is asked where it has nothing to compare, so that rounding decides nothing.
    const [problem] = finding.problems;
    if (problem !== undefined) return mismatchNote(pathInWords(problem.path), problem.clause);
    if (comparesNumbers.test(key)) throw new Unchecked('it has integers too large for the validator to compare');
  }
  const validator = await loadValidator(dialect.draft);
  try {
    return runBounded(
      () => noteOf(recall(key)?.validate ?? compile(validator, schema, key), isExact ? value : asDoubles(value)),
      limits.outputCheckMs,
    );
  } catch (thrown) {
    // Cut off in the middle, a validator is left in a state in which it fails for every schema.
    if (thrown instanceof OutOfTime) validators.delete(dialect.draft);
    throw thrown;
  }
}

/** Keywords that can make a check take longer than reading the value does: backtracking, branches, repeated comparison. */
const mayTakeLong = /"(pattern|patternProperties|uniqueItems|anyOf|oneOf|\$ref|\$dynamicRef|\$recursiveRef)":/;

/** Keywords that compare numbers. */
const comparesNumbers = /"(minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|const|enum|uniqueItems)":/;

/** `value` with integers that a double cannot keep rounded to the next one; itself where it has none. */
function asDoubles(value: JsonValue): JsonValue {
  return replaceIntegers(value, (integer) => {
    const double = Number(integer);
    return Number.isFinite(double) ? double : Math.sign(double) * Number.MAX_VALUE;
  }) as JsonValue;
}

function noteOf(validate: ValidateFunction, value: JsonValue): string | undefined {
  if (validate(value)) return undefined;
  const error = validate.errors?.[0];
  const steps = (error?.instancePath ?? '').split('/').slice(1);
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const field = pathInWords(names.map((name) => (/^\d+$/.test(name) ? Number(name) : name)));
  const problem = cleanLine(error?.message ?? 'does not fit', limits.quotedCharacters);
  return mismatchNote(field, problem);
}

function mismatchNote(field: string, problem: string): string {
  return `The structured content does not fit the tool's output schema: ${field === '' ? 'it' : field} ${problem}.`;
}

type Loadable = 6 | 7 | 2019 | 2020;

const validators = new Map<Loadable, Promise<Ajv>>();

/** One validator a draft, loaded at its first use: it is large, and most runs never check an output. */
function loadValidator(draft: Loadable): Promise<Ajv> {
  let loading = validators.get(draft);
  if (loading === undefined) {
    loading = makeValidator(draft);
    validators.set(draft, loading);
  }
  return loading;
}

const options: Options = {
  // Servers' schemas hold keywords and formats of their own; formats are annotations, as the specification has them.
  strict: false,
  validateFormats: false,
  // Two servers may use the same `$id`.
  addUsedSchema: false,
  logger: false,
};

async function makeValidator(draft: Loadable): Promise<Ajv> {
  const validator = await newValidator(draft);
  // Compiles the dialect's own schema: when cold, that alone may take longer than a check is allowed to.
  await validator.validateSchema({});
  return validator;
}

async function newValidator(draft: Loadable): Promise<Ajv> {
  if (draft === 2020) return new (await import('ajv/dist/2020.js')).Ajv2020(options);
  if (draft === 2019) return new (await import('ajv/dist/2019.js')).Ajv2019(options);
  const validator = new (await import('ajv')).Ajv(options);
  if (draft === 6) {
    const { default: draft6 } = await import('ajv/dist/refs/json-schema-draft-06.json', { with: { type: 'json' } });
    validator.addMetaSchema(draft6);
  }
  return validator;
}

/** A schema's canonical text, which is written once for a schema that is the same object again. */
const keys = new WeakMap<object, string>();

function keyOf(schema: JsonValue): string {
  if (!isObject(schema)) return canonicalJson(schema);
  let key = keys.get(schema);
  if (key === undefined) {
    key = canonicalJson(schema);
    keys.set(schema, key);
  }
  return key;
}

interface Compiled {
  readonly validate: ValidateFunction;
  readonly isQuick: boolean;
}

/** Compiled schemas by their text, the least recently used first. */
const cache = new Map<string, Compiled>();

function recall(key: string): Compiled | undefined {
  const known = cache.get(key);
  if (known === undefined) return undefined;
  cache.delete(key);
  cache.set(key, known);
  return known;
}

function compile(validator: Ajv, schema: JsonValue, key: string): ValidateFunction {
  const compiled = asDoubles(schema) as boolean | Record<string, unknown>;
  const validate = validator.compile(compiled);
  // The validator's own cache has no bound.
  if (isObject(compiled)) validator.removeSchema(compiled);
  cache.set(key, { validate, isQuick: !mayTakeLong.test(key) });
  const [oldest] = cache.keys();
  if (cache.size > limits.compiledSchemas && oldest !== undefined) cache.delete(oldest);
  return validate;
}
