/** The four lists of a server: how they are asked for, and what makes an item usable. */
import { isObject, type JsonObject, type JsonValue, limits, nestsDeeper, shorten } from '../../base/index.ts';

export interface ListKind {
  readonly method: string;
  /** Member of the result that holds the items. */
  readonly member: string;
  /** Capability without which nothing is asked. */
  readonly capability: string;
  readonly noun: string;
  /** Member that identifies an item. */
  readonly identity: string;
  /** The item with what is broken in it left out, each told to `report`. */
  readonly repair: (item: JsonObject, report: (clause: string) => void) => JsonObject;
}

export const listKinds = {
  tools: {
    method: 'tools/list',
    member: 'tools',
    capability: 'tools',
    noun: 'tool',
    identity: 'name',
    repair: repairTool,
  },
  resources: {
    method: 'resources/list',
    member: 'resources',
    capability: 'resources',
    noun: 'resource',
    identity: 'uri',
    repair: dropOddTexts,
  },
  resourceTemplates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    capability: 'resources',
    noun: 'resource template',
    identity: 'uriTemplate',
    repair: dropOddTexts,
  },
  prompts: {
    method: 'prompts/list',
    member: 'prompts',
    capability: 'prompts',
    noun: 'prompt',
    identity: 'name',
    repair: dropOddTexts,
  },
} as const satisfies Record<string, ListKind>;

type Report = (clause: string) => void;

/**
 * A tool whose input schema an argument check can read. Unusual schemas (boolean members, no `type`, `anyOf` at the top) stay as
 * they are; only what is no JSON Schema is left out.
 */
function repairTool(tool: JsonObject, report: Report): JsonObject {
  const repaired = { ...dropOddTexts(tool, report) };
  if (isObject(tool['inputSchema'])) repaired['inputSchema'] = repairSchema(tool['inputSchema'], 'inputSchema', report);
  else {
    report(
      `${'inputSchema' in tool ? `inputSchema is ${kindOf(tool['inputSchema'])}` : 'no inputSchema'}; any arguments are taken`,
    );
    repaired['inputSchema'] = { type: 'object' };
  }
  const output = tool['outputSchema'];
  if (isObject(output)) {
    repaired['outputSchema'] = repairSchema(output, 'outputSchema', report);
    if (!schemaSaysSomething(output)) report('outputSchema has no type and says nothing; kept');
  } else if (output !== undefined) {
    report(`outputSchema is ${kindOf(output)}; taken for absent`);
    delete repaired['outputSchema'];
  }
  if (tool['annotations'] !== undefined && !isObject(tool['annotations'])) {
    report(`annotations is ${kindOf(tool['annotations'])}; taken for absent`);
    delete repaired['annotations'];
  }
  return repaired;
}

function repairSchema(schema: JsonObject, field: string, report: Report): JsonObject {
  const { properties, required } = schema;
  const propertiesBroken = properties !== undefined && !isObject(properties);
  const requiredBroken = required !== undefined && !isTexts(required);
  if (!propertiesBroken && !requiredBroken) return schema;
  const repaired = { ...schema };
  if (propertiesBroken) {
    report(`${field}.properties is ${kindOf(properties)}; taken for absent`);
    delete repaired['properties'];
  }
  if (requiredBroken) {
    report(`${field}.required is ${kindOf(required)}; taken for absent`);
    delete repaired['required'];
  }
  return repaired;
}

/** `title` and `description` are shown to people and models; what is no text is left out. */
function dropOddTexts(item: JsonObject, report: Report): JsonObject {
  const odd = ['title', 'description'].filter((name) => item[name] !== undefined && typeof item[name] !== 'string');
  if (odd.length === 0) return item;
  const repaired = { ...item };
  for (const name of odd) {
    report(`${name} is ${kindOf(item[name])}; taken for absent`);
    delete repaired[name];
  }
  return repaired;
}

const sayingMembers = ['type', 'properties', 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const'] as const;

function schemaSaysSomething(schema: JsonObject): boolean {
  return sayingMembers.some((member) => schema[member] !== undefined);
}

function isTexts(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** `null`, `a list`, `an object`, `a text`, `a number` … for sentences about what a server sent. */
export function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'boolean' ? 'a boolean' : 'a number';
}

/** Levels that a file of several items has around each. */
const listLevels = 2;

/** The items of a list that can be used, first of equal names first, and a line about each that cannot or had to be repaired. */
export function sortOut(
  kind: ListKind,
  items: readonly JsonValue[],
  ruledOut: (item: JsonObject) => string | undefined = () => undefined,
): { items: JsonObject[]; problems: string[] } {
  const usable = new Map<string, JsonObject>();
  const problems: string[] = [];
  let further = 0;
  const report = (line: string): void => {
    if (problems.length < limits.listProblems) problems.push(line);
    else further += 1;
  };
  items.forEach((item, index) => {
    const place = `${kind.noun} ${index + 1}`;
    if (!isObject(item)) {
      report(`${place} is ${kindOf(item)}; it is left out`);
      return;
    }
    const identity = item[kind.identity];
    if (typeof identity !== 'string' || identity === '') {
      const why = identity === '' ? 'is empty' : `is ${kindOf(identity)}`;
      report(`${place}: ${kind.identity} ${why}; it is left out`);
      return;
    }
    const name = `${kind.noun} "${shorten(identity, limits.quotedCharacters)}"`;
    if (nestsDeeper(item, limits.storedLevels - listLevels)) report(`${name} is nested too deeply; left out`);
    else if (usable.has(identity)) report(`${name} is listed twice; the first stays`);
    else {
      const why = ruledOut(item);
      if (why === undefined)
        usable.set(
          identity,
          kind.repair(item, (clause) => report(`${name}: ${clause}`)),
        );
      else report(`${name}: ${why}; it is left out`);
    }
  });
  if (further > 0) problems.push(`${further} more`);
  return { items: [...usable.values()], problems };
}
