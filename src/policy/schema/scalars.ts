/** Keywords of numbers and texts. */
import { isNumber } from '../../base/index.ts';
import type { Check, Place } from './place.ts';
import { addDoubt, addProblem, type Finding, pathOf } from './finding.ts';
import { countOf, numberOf } from './keywords.ts';
import { valueInWords } from './words.ts';

function fail(place: Place, finding: Finding, clause: string): void {
  addProblem(finding, { path: pathOf(place.path), clause, fix: { kind: 'replace', schema: place.schema } });
}

export function checkNumber(place: Place, finding: Finding): void {
  const { value } = place;
  if (!isNumber(value)) return;
  const { schema } = place;
  const refuse = (clause: string): void => fail(place, finding, `${clause}, got ${valueInWords(value)}`);
  const least = numberOf(schema, 'minimum');
  const most = numberOf(schema, 'maximum');
  // Draft-04 has booleans here that make the plain bound exclusive.
  const above = schema['exclusiveMinimum'] === true ? least : numberOf(schema, 'exclusiveMinimum');
  const below = schema['exclusiveMaximum'] === true ? most : numberOf(schema, 'exclusiveMaximum');
  if (above !== undefined && value <= above) refuse(`must be more than ${valueInWords(above)}`);
  else if (least !== undefined && value < least) refuse(`must be at least ${valueInWords(least)}`);
  if (below !== undefined && value >= below) refuse(`must be less than ${valueInWords(below)}`);
  else if (most !== undefined && value > most) refuse(`must be at most ${valueInWords(most)}`);
  const unit = numberOf(schema, 'multipleOf');
  if (unit !== undefined && isMultiple(value, unit) === false) refuse(`must be a multiple of ${valueInWords(unit)}`);
}

/** Undefined when rounding may decide: 0.3 is a multiple of 0.1 for people, not for every validator. */
function isMultiple(value: number | bigint, unit: number | bigint): boolean | undefined {
  if (!(unit > 0)) return undefined;
  if (isExact(value) && isExact(unit)) return BigInt(value) % BigInt(unit) === 0n;
  const ratio = Number(value) / Number(unit);
  const distance = Math.abs(ratio - Math.round(ratio));
  if (!(Math.abs(ratio) < 1e9)) return undefined;
  return distance > 1e-6 ? false : undefined;
}

function isExact(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

export function checkString(check: Check, place: Place, finding: Finding): void {
  const { schema } = place;
  const value = place.value as string;
  const least = countOf(schema, 'minLength');
  const most = countOf(schema, 'maxLength');
  if (least !== undefined && !codePointsReach(value, least)) {
    fail(place, finding, `must have at least ${least} characters, got ${valueInWords(value)}`);
  }
  if (most !== undefined && codePointsReach(value, most + 1)) {
    fail(place, finding, `must have at most ${most} characters, got ${valueInWords(value)}`);
  }
  const pattern = schema['pattern'];
  if (typeof pattern === 'string') {
    const matches = check.patterns.test(pattern, value);
    if (matches === false) fail(place, finding, `must match the pattern ${pattern}, got ${valueInWords(value)}`);
    else if (matches === undefined) addDoubt(finding, 'a "pattern" of the schema cannot be tried safely');
  }
}

/** Whether `text` has at least `count` code points; counts only where the length in code units leaves it open. */
function codePointsReach(text: string, count: number): boolean {
  if (text.length < count) return false;
  if (text.length >= 2 * count) return true;
  let points = 0;
  for (const _ of text) points += 1;
  return points >= count;
}
