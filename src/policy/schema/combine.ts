/** Keywords that combine schemas: anyOf, oneOf, allOf, not, if. */
import type { JsonValue } from '../../base/index.ts';
import type { Check, Place } from './place.ts';
import { addAll, addDoubt, addProblem, type Answer, answerOf, type Finding, pathOf, type Problem } from './finding.ts';
import { schemasOrDoubt } from './keywords.ts';
import { anyOfWords, valueInWords } from './words.ts';
import { oneOfClause } from './values.ts';

export function checkAlternatives(check: Check, place: Place, finding: Finding): void {
  const anyOf = schemasOrDoubt(place.schema, 'anyOf', finding);
  if (anyOf !== undefined) checkAny(check, { ...place, branches: anyOf }, finding);
  const oneOf = schemasOrDoubt(place.schema, 'oneOf', finding);
  if (oneOf !== undefined) checkOne(check, { ...place, branches: oneOf }, finding);
}

interface Branching extends Place {
  readonly branches: readonly JsonValue[];
}

function checkAny(check: Check, place: Branching, finding: Finding): void {
  const failed: Finding[] = [];
  const doubts: Finding[] = [];
  for (const branch of place.branches) {
    const found = check.visit(branch, place);
    const answer = answerOf(found);
    if (answer === 'fits') return;
    (answer === 'fails' ? failed : doubts).push(found);
  }
  if (doubts.length > 0) for (const found of doubts) addAll(finding, found);
  else for (const problem of explainBranches(place, failed)) addProblem(finding, problem);
}

function checkOne(check: Check, place: Branching, finding: Finding): void {
  const findings = place.branches.map((branch) => check.visit(branch, place));
  const count = (answer: Answer): number => findings.filter((found) => answerOf(found) === answer).length;
  const fitting = count('fits');
  if (fitting > 1) {
    const clause = `fits ${fitting} of ${findings.length} alternatives where exactly one must fit`;
    addProblem(finding, { path: pathOf(place.path), clause, fix: { kind: 'replace', schema: place.schema } });
  } else if (count('unknown') > 0) {
    for (const found of findings) if (answerOf(found) === 'unknown') addAll(finding, found);
  } else if (fitting === 0) {
    for (const problem of explainBranches(place, findings)) addProblem(finding, problem);
  }
}

/** The problems to tell when no alternative fits: one sentence where that is possible, else those of the nearest alternative. */
function explainBranches(place: Branching, failed: readonly Finding[]): readonly Problem[] {
  const here = pathOf(place.path);
  const shallow = (problem: Problem | undefined, keyword: string): boolean =>
    problem?.about?.keyword === keyword && problem.path.length === here.length;
  const ofOtherType = (found: Finding): boolean => found.problems.some((problem) => shallow(problem, 'type'));
  const nearer = failed.filter((found) => !ofOtherType(found));
  const fix = { kind: 'replace', schema: place.schema } as const;
  const expected = (found: readonly Finding[]): readonly string[] => [
    ...new Set(found.flatMap((one) => one.problems[0]?.about?.expected ?? [])),
  ];
  if (nearer.length === 0) {
    const words = expected(failed);
    const clause = `must be ${anyOfWords(words)}, got ${valueInWords(place.value)}`;
    return [{ path: here, clause, fix, about: { keyword: 'type', expected: words } }];
  }
  if (nearer.length > 1 && nearer.every((found) => shallow(found.problems[0], 'value'))) {
    const words = expected(nearer);
    return [{ path: here, clause: oneOfClause(words, place.value), fix, about: { keyword: 'value', expected: words } }];
  }
  return nearest(nearer).problems;
}

/** The alternative with the fewest problems; one whose distinguishing constant fits goes before one where it does not. */
function nearest(findings: readonly Finding[]): Finding {
  const distance = (found: Finding): number =>
    found.problems.length + (found.problems.some((problem) => problem.about?.keyword === 'value') ? 100 : 0);
  return findings.reduce((best, found) => (distance(found) < distance(best) ? found : best));
}

export function checkCombined(check: Check, place: Place, finding: Finding): void {
  const { schema } = place;
  for (const part of schemasOrDoubt(schema, 'allOf', finding) ?? []) addAll(finding, check.visit(part, place));
  if (Object.hasOwn(schema, 'not')) {
    const answer = answerOf(check.visit(schema['not'] as JsonValue, place));
    if (answer === 'unknown') addDoubt(finding, '"not" cannot be decided');
    else if (answer === 'fits') {
      const clause = `must not be ${valueInWords(place.value)}: the schema excludes it`;
      addProblem(finding, { path: pathOf(place.path), clause, fix: { kind: 'replace', schema } });
    }
  }
  if (Object.hasOwn(schema, 'if') && check.dialect.draft >= 7) checkCondition(check, place, finding);
}

function checkCondition(check: Check, place: Place, finding: Finding): void {
  const { schema } = place;
  const answer = answerOf(check.visit(schema['if'] as JsonValue, place));
  if (answer === 'unknown') {
    addDoubt(finding, '"if" cannot be decided');
    return;
  }
  const branch = answer === 'fits' ? 'then' : 'else';
  if (Object.hasOwn(schema, branch)) addAll(finding, check.visit(schema[branch] as JsonValue, place));
}
