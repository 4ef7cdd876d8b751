/** A person's own arguments with only the wrong parts replaced. */
import { isNumber, isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { sampleArguments, sampleValue } from './samples.ts';
import { checkSchema } from './schema/check.ts';
import type { PathStep, Problem } from './schema/finding.ts';
import { listOf } from './schema/keywords.ts';
import { nearestText } from './schema/values.ts';
import { typeText } from './typing.ts';

/** Rounds of correction: a corrected part may show a problem that hid behind it. */
const rounds = 4;

/**
 * `args` corrected until they fit `schema`. When that cannot be reached, plain samples for what is required if those fit,
 * else the corrections made so far.
 */
export function correctArguments(schema: JsonValue, args: JsonObject, problems: readonly Problem[]): JsonObject {
  let corrected: JsonValue = args;
  let open = problems;
  for (let round = 0; round < rounds && open.length > 0; round += 1) {
    for (const problem of open) corrected = applyFix(schema, corrected, problem);
    open = isObject(corrected) ? checkSchema(schema, corrected).problems : [];
  }
  if (open.length === 0 && isObject(corrected)) return corrected;
  const samples = sampleArguments(schema, 'required');
  return !isObject(corrected) || checkSchema(schema, samples).problems.length === 0 ? samples : corrected;
}

function applyFix(root: JsonValue, value: JsonValue, problem: Problem): JsonValue {
  const { fix, path } = problem;
  const sampling = { root, onlyRequired: true, depth: 0 };
  if (fix.kind === 'remove') return change(value, path, () => undefined);
  if (fix.kind === 'replace') {
    return change(value, path, (old) => coerced(root, fix.schema, old) ?? sampleValue(sampling, fix.schema));
  }
  const name = String(path.at(-1));
  return change(value, path.slice(0, -1), (old) => {
    if (!isObject(old) || Object.hasOwn(old, name)) return old;
    if (fix.from === undefined) return withMember(old, name, sampleValue(sampling, fix.schema));
    return Object.fromEntries(Object.entries(old).map(([key, kept]) => [key === fix.from ? name : key, kept]));
  });
}

/** What was meant by text for a number, one item for a list, or a misspelt value; undefined when that does not fit either. */
function coerced(root: JsonValue, schema: JsonValue, old: JsonValue | undefined): JsonValue | undefined {
  const candidates: JsonValue[] = [];
  if (typeof old === 'string')
    candidates.push(typeText(root, schema, old.trim()), ...nearestText(old, listOf(schema, 'enum') ?? []));
  if (isNumber(old) || typeof old === 'boolean') candidates.push(String(old));
  if (old !== undefined && !Array.isArray(old)) candidates.push([old]);
  // References of the subschema are resolved from the root, so the whole is put around it.
  const around = isObject(root) && isObject(schema) ? { ...root, ...onlyRoot, allOf: [schema] } : schema;
  return candidates.find((candidate) => candidate !== old && isSure(around, candidate));
}

/** Silences what the root says of the arguments as a whole, keeping its definitions. */
const onlyRoot: JsonObject = {
  type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  required: [],
  properties: {},
  patternProperties: {},
  additionalProperties: true,
  anyOf: [true],
  oneOf: [true],
};

function isSure(schema: JsonValue, value: JsonValue): boolean {
  const { problems, doubts } = checkSchema(schema, value);
  return problems.length === 0 && doubts.length === 0;
}

type Change = (old: JsonValue | undefined) => JsonValue | undefined;

/** A copy of `value` with what stands at `path` changed; undefined removes it. */
function change(value: JsonValue, path: readonly PathStep[], make: Change): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return make(value) ?? {};
  const below: Change = rest.length === 0 ? make : (old) => (old === undefined ? undefined : change(old, rest, make));
  if (typeof step === 'number') {
    if (!Array.isArray(value)) return value;
    const items: readonly JsonValue[] = value;
    return items.flatMap((item, index) => {
      const changed = index === step ? below(item) : item;
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isObject(value)) return value;
  const changed = below(Object.hasOwn(value, step) ? value[step] : undefined);
  if (changed !== undefined) return withMember(value, step, changed);
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== step));
}

/** Keeps the member's place; `fromEntries` makes `__proto__` a member like any other. */
function withMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const entries = Object.entries(object);
  const at = entries.findIndex(([key]) => key === name);
  if (at < 0) entries.push([name, value]);
  else entries[at] = [name, value];
  return Object.fromEntries(entries);
}
