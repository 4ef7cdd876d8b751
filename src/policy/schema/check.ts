/**
 * Checks a value against a JSON Schema by walking both, without compiling anything. It answers one of three: fits, fails, or
 * cannot say; only what every validator would refuse fails. Formats are annotations, as the specification has them by default.
 *
 * Why not a library: `@cfworker/json-schema` throws for unresolvable references, circles and odd schemas, has no limit
 * of time, refuses formats and unknown types that servers accept, and explains itself in prose only.
 */
import { isObject, type JsonValue, limits, systemClock } from '../../base/index.ts';
import { checkAlternatives, checkCombined } from './combine.ts';
import { dialectOf } from './dialect.ts';
import { addAll, addDoubt, addProblem, answerOf, emptyFinding, type Finding, pathOf } from './finding.ts';
import { checkArray } from './lists.ts';
import { measureSchema } from './measure.ts';
import { checkObject } from './objects.ts';
import { createPatterns } from './patterns.ts';
import type { Check, Place, Spot } from './place.ts';
import { resolveReference } from './references.ts';
import { checkNumber, checkString } from './scalars.ts';
import { checkType, checkValues } from './values.ts';

/** Checks `value` against `schema`. Never throws for what a schema or value is; takes bounded time. */
export function checkSchema(schema: JsonValue, value: JsonValue): Finding {
  const finding = emptyFinding();
  const dialect = dialectOf(schema);
  const { beyond, nestedIds } = measureSchema(schema);
  if (dialect === undefined) addDoubt(finding, 'its "$schema" names a dialect that is not known here');
  if (beyond !== undefined) addDoubt(finding, `it ${beyond}`);
  if (dialect === undefined || beyond !== undefined) return finding;
  const check: Check = {
    root: schema,
    dialect,
    plainReferences: !nestedIds,
    patterns: createPatterns(),
    visit: (subschema, spot) => checkSpot(check, subschema, spot),
    endMs: undefined,
    stepsLeft: limits.checkSteps,
    depth: 0,
  };
  return checkSpot(check, schema, { value, path: undefined });
}

function checkSpot(check: Check, schema: JsonValue, spot: Spot): Finding {
  const finding = emptyFinding();
  check.stepsLeft -= 1;
  // Looking at the clock costs more than a step, and most checks are over before the first look.
  if (check.stepsLeft % 1_024 === 0 && isTimeOver(check)) check.stepsLeft = 0;
  if (check.stepsLeft <= 0) addDoubt(finding, 'the check would take too long');
  else if (check.depth >= limits.checkDepth) addDoubt(finding, 'the schema refers to itself too deeply');
  else if (schema === false) refuse(finding, spot);
  else if (isObject(schema)) {
    check.depth += 1;
    checkPlace(check, { value: spot.value, path: spot.path, schema }, finding);
    check.depth -= 1;
  } else if (schema !== true) addDoubt(finding, 'a part of the schema is no schema');
  return finding;
}

/** Whether the check has taken too long since this was asked first. */
function isTimeOver(check: Check): boolean {
  const nowMs = systemClock.monotonicMs();
  check.endMs ??= nowMs + limits.checkMs;
  return nowMs > check.endMs;
}

/** Something is refused by a schema `false`. */
function refuse(finding: Finding, spot: Spot): void {
  addProblem(finding, { path: pathOf(spot.path), clause: 'is not allowed here', fix: { kind: 'remove' } });
}

const undecided = ['$dynamicRef', '$recursiveRef', 'unevaluatedProperties', 'unevaluatedItems'] as const;

function checkPlace(check: Check, place: Place, finding: Finding): void {
  const refers = Object.hasOwn(place.schema, '$ref');
  if (refers) checkReference(check, place, finding);
  if (refers && check.dialect.declared && check.dialect.draft <= 7) checkBeside(check, place, finding);
  else checkKeywords(check, place, finding);
}

/**
 * What stands beside a reference has no effect up to draft-07, says the standard; common validators heed it. Only what fits by both
 * readings fits, and only what the reference refuses is refused by both.
 */
function checkBeside(check: Check, place: Place, finding: Finding): void {
  const beside = emptyFinding();
  checkKeywords(check, place, beside);
  if (answerOf(beside) === 'fits') return;
  addDoubt(finding, 'validators differ in whether what stands beside a "$ref" counts');
}

function checkKeywords(check: Check, place: Place, finding: Finding): void {
  const { schema, value } = place;
  for (const keyword of undecided) {
    if (Object.hasOwn(schema, keyword) && schema[keyword] !== true)
      addDoubt(finding, `"${keyword}" is not interpreted`);
  }
  // A list of the values that fit says more than their type.
  const before = finding.problems.length;
  checkValues(check, place, finding);
  if (finding.problems.length === before) checkType(place, finding);
  if (typeof value === 'string') checkString(check, place, finding);
  else if (Array.isArray(value)) checkArray(check, place, finding);
  else if (isObject(value)) checkObject(check, place, finding);
  else checkNumber(place, finding);
  checkAlternatives(check, place, finding);
  checkCombined(check, place, finding);
}

function checkReference(check: Check, place: Place, finding: Finding): void {
  const reference = place.schema['$ref'];
  const target =
    typeof reference === 'string' && check.plainReferences ? resolveReference(check.root, reference) : undefined;
  if (target === undefined) addDoubt(finding, `a "$ref" of the schema leads outside of it`);
  else addAll(finding, check.visit(target, place));
}
