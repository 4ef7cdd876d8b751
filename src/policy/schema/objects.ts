/** Keywords of objects. */
import { isObject, type JsonObject, type JsonValue, nearest } from '../../base/index.ts';
import type { Check, Place } from './place.ts';
import { addAll, addDoubt, addProblem, answerOf, emptyFinding, type Finding, pathOf } from './finding.ts';
import { countOf, objectOf, objectOrDoubt, ownMember } from './keywords.ts';
import { quote } from './words.ts';

export function checkObject(check: Check, place: Place, finding: Finding): void {
  checkRequired(place, finding);
  checkMembers(check, place, finding);
  checkSize(place, finding);
  checkNames(check, place, finding);
  checkDependencies(check, place, finding);
}

function checkRequired(place: Place, finding: Finding): void {
  const { schema } = place;
  if (!Object.hasOwn(schema, 'required')) return;
  const required = schema['required'];
  // Draft-03 had booleans here; they are found in the wild and mean nothing in later drafts.
  if (!Array.isArray(required)) {
    if (typeof required !== 'boolean') addDoubt(finding, '"required" is no list');
    return;
  }
  for (const name of required) if (typeof name === 'string') requireMember(place, name, finding);
}

function requireMember(place: Place, name: string, finding: Finding): void {
  const value = place.value as JsonObject;
  if (Object.hasOwn(value, name)) return;
  const properties = objectOf(place.schema, 'properties');
  const schema = ownMember(properties, name) ?? true;
  // Generators list members that have a default as required though servers fill them in.
  if (isObject(schema) && Object.hasOwn(schema, 'default')) {
    addDoubt(finding, `${quote(name)} is required but has a default`);
    return;
  }
  const unknown = Object.keys(value).filter((given) => ownMember(properties, given) === undefined);
  const [from] = nearest(name, unknown, 1);
  addProblem(finding, {
    path: [...pathOf(place.path), name],
    clause: `is required${from === undefined ? '' : ` (did you mean it by ${quote(from)}?)`}`,
    fix: { kind: 'add', schema, from },
  });
}

function checkMembers(check: Check, place: Place, finding: Finding): void {
  const { schema, path } = place;
  const properties = objectOrDoubt(schema, 'properties', finding);
  const patterns = objectOrDoubt(schema, 'patternProperties', finding);
  const additional = ownMember(schema, 'additionalProperties');
  const object = place.value as JsonObject;
  for (const name of Object.keys(object)) {
    const spot = { value: object[name] as JsonValue, path: { parent: path, step: name } };
    const property = ownMember(properties, name);
    if (property !== undefined) addAll(finding, check.visit(property, spot));
    const byPattern = patterns === undefined ? 'no' : checkPatterns(check, { ...place, patterns, name }, finding);
    if (property === undefined && byPattern === 'no' && additional !== undefined && additional !== true) {
      if (additional === false) refuseMember(place, name, finding);
      else addAll(finding, check.visit(additional, spot));
    }
    if (check.stepsLeft <= 0) return;
  }
}

function checkPatterns(
  check: Check,
  place: Place & { readonly patterns: JsonObject; readonly name: string },
  finding: Finding,
): 'yes' | 'no' | 'unknown' {
  let found: 'yes' | 'no' | 'unknown' = 'no';
  const { name } = place;
  for (const [pattern, schema] of Object.entries(place.patterns)) {
    const matches = check.patterns.test(pattern, name);
    if (matches === undefined) {
      addDoubt(finding, 'a name pattern of the schema cannot be tried safely');
      if (found === 'no') found = 'unknown';
    } else if (matches) {
      found = 'yes';
      const value = (place.value as JsonObject)[name] as JsonValue;
      addAll(finding, check.visit(schema, { value, path: { parent: place.path, step: name } }));
    }
  }
  return found;
}

/** Known names that are listed for an unknown one. */
const listedNames = 12;

function refuseMember(place: Place, name: string, finding: Finding): void {
  const properties = objectOf(place.schema, 'properties') ?? {};
  const known = Object.keys(properties);
  const missing = known.filter((candidate) => !Object.hasOwn(place.value as JsonObject, candidate));
  const [near] = nearest(name, missing, 1);
  const list = known.slice(0, listedNames).map(quote).join(', ') + (known.length > listedNames ? ', …' : '');
  const hint = near !== undefined ? ` (did you mean ${quote(near)}?)` : known.length > 0 ? ` (known are ${list})` : '';
  addProblem(finding, {
    path: [...pathOf(place.path), name],
    clause: `is not known to this tool${hint}`,
    fix: { kind: 'remove' },
  });
}

function checkSize(place: Place, finding: Finding): void {
  const { schema } = place;
  const least = countOf(schema, 'minProperties');
  const most = countOf(schema, 'maxProperties');
  if (least === undefined && most === undefined) return;
  const count = Object.keys(place.value as JsonObject).length;
  const fail = (clause: string): void =>
    addProblem(finding, { path: pathOf(place.path), clause, fix: { kind: 'replace', schema } });
  if (least !== undefined && count < least) fail(`must have at least ${least} members, got ${count}`);
  if (most !== undefined && count > most) fail(`must have at most ${most} members, got ${count}`);
}

function checkNames(check: Check, place: Place, finding: Finding): void {
  if (!Object.hasOwn(place.schema, 'propertyNames') || check.dialect.draft === 4) return;
  for (const name of Object.keys(place.value as JsonObject)) {
    const path = { parent: place.path, step: name };
    const found = check.visit(place.schema['propertyNames'] as JsonValue, { value: name, path });
    if (answerOf(found) === 'fails') {
      const reason = found.problems[0]?.clause ?? 'is not allowed';
      addProblem(finding, { path: pathOf(path), clause: `has a name that ${reason}`, fix: { kind: 'remove' } });
    } else addAll(finding, found);
  }
}

function checkDependencies(check: Check, place: Place, finding: Finding): void {
  const { schema } = place;
  const newer = check.dialect.draft >= 2019;
  const required = newer ? objectOrDoubt(schema, 'dependentRequired', finding) : undefined;
  const schemas = newer ? objectOrDoubt(schema, 'dependentSchemas', finding) : undefined;
  const older = objectOrDoubt(schema, 'dependencies', finding);
  if (required === undefined && schemas === undefined && older === undefined) return;
  for (const [name, needs] of [required, schemas, older].flatMap((table) => Object.entries(table ?? {}))) {
    if (!Object.hasOwn(place.value as JsonObject, name)) continue;
    const found = emptyFinding();
    if (Array.isArray(needs)) {
      for (const needed of needs) if (typeof needed === 'string') requireMember(place, needed, found);
    } else addAll(found, check.visit(needs, place));
    // The newer drafts have no `dependencies`; validators differ in whether they still heed it.
    if (newer && ownMember(older, name) === needs && found.problems.length > 0)
      addDoubt(finding, '"dependencies" is of an older draft');
    else addAll(finding, found);
  }
}
