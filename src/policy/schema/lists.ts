/** Keywords of lists. */
import { canonicalJson, isObject, type JsonValue } from '../../base/index.ts';
import type { Check, Place } from './place.ts';
import { addAll, addDoubt, addProblem, answerOf, type Finding, pathOf } from './finding.ts';
import { countOf } from './keywords.ts';

export function checkArray(check: Check, place: Place, finding: Finding): void {
  const { schema } = place;
  const items = place.value as readonly JsonValue[];
  const fail = (clause: string): void =>
    addProblem(finding, { path: pathOf(place.path), clause, fix: { kind: 'replace', schema } });
  const least = countOf(schema, 'minItems');
  const most = countOf(schema, 'maxItems');
  if (least !== undefined && items.length < least) fail(`must have at least ${least} items, got ${items.length}`);
  if (most !== undefined && items.length > most) fail(`must have at most ${most} items, got ${items.length}`);
  if (schema['uniqueItems'] === true) {
    check.stepsLeft -= items.length;
    if (new Set(items.map((item) => canonicalJson(item))).size < items.length)
      fail('must not hold the same item twice');
  }
  checkItems(check, place, finding);
  if (Object.hasOwn(schema, 'contains') && check.dialect.draft > 4) checkContains(check, place, finding);
}

/** The schemas of the first items and of those after them, whatever the draft calls them. */
export function itemSchemas(
  check: Pick<Check, 'dialect'>,
  schema: Place['schema'],
): {
  readonly first: readonly JsonValue[];
  readonly rest: JsonValue | undefined;
} {
  const { draft, declared } = check.dialect;
  const own = (name: string): JsonValue | undefined => (Object.hasOwn(schema, name) ? schema[name] : undefined);
  const items = own('items');
  const prefix = draft === 2020 ? own('prefixItems') : undefined;
  if (Array.isArray(prefix)) return { first: prefix, rest: items };
  // The older form of a tuple, also met in schemas that name no draft.
  if (Array.isArray(items) && !(declared && draft === 2020)) return { first: items, rest: own('additionalItems') };
  return { first: [], rest: items };
}

function checkItems(check: Check, place: Place, finding: Finding): void {
  const items = place.value as readonly JsonValue[];
  const { first, rest } = itemSchemas(check, place.schema);
  for (const [index, value] of items.entries()) {
    const schema = index < first.length ? first[index] : rest;
    if (schema === undefined || schema === true) continue;
    addAll(finding, check.visit(schema, { value, path: { parent: place.path, step: index } }));
    if (check.stepsLeft <= 0) return;
  }
}

function checkContains(check: Check, place: Place, finding: Finding): void {
  const { schema, path } = place;
  const items = place.value as readonly JsonValue[];
  const newer = check.dialect.draft >= 2019;
  const least = (newer ? countOf(schema, 'minContains') : undefined) ?? 1;
  const most = (newer ? countOf(schema, 'maxContains') : undefined) ?? Infinity;
  const wanted = schema['contains'] as JsonValue;
  const answers = items.map((value, step) => answerOf(check.visit(wanted, { value, path: { parent: path, step } })));
  const sure = answers.filter((answer) => answer === 'fits').length;
  const possible = answers.filter((answer) => answer !== 'fails').length;
  if (possible < least || sure > most) {
    const clause = `must contain ${possible < least ? `at least ${least}` : `at most ${most}`} of a certain kind of item`;
    addProblem(finding, { path: pathOf(path), clause, fix: { kind: 'replace', schema } });
  } else if (sure < least || possible > most) addDoubt(finding, '"contains" cannot be decided');
  if (!isObject(wanted) && typeof wanted !== 'boolean') addDoubt(finding, '"contains" is no schema');
}
