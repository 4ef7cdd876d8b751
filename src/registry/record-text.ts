/** Records as text: members in a fixed order, so that files can be diffed and equal records are equal bytes. */
import { type JsonObject, type JsonValue, prettyJson } from '../base/index.ts';

/** A file and what it will hold. */
export interface PlannedWrite {
  readonly path: string;
  readonly text: string;
}

const descriptorOrder = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'];

const metaOrder = [
  'name',
  'description',
  'instructions',
  'transport',
  'auth',
  'lifecycle',
  'capabilities',
  'syncedFrom',
  'syncedAt',
];

/** Members written after all others: they are made from the others. */
const metaTail = ['instructionsDigest', 'digest'];

/** A descriptor's file. What stands inside its members keeps the order the server sent. */
export function descriptorText(descriptor: JsonObject): string {
  return prettyJson(ordered(descriptor, descriptorOrder, []));
}

/** meta.json. */
export function metaText(meta: JsonObject): string {
  return prettyJson(ordered(meta, metaOrder, metaTail));
}

/** resources.json and prompts.json: lists as the server sent them, unknown members of the file after them. */
export function listsText(lists: JsonObject): string {
  return prettyJson(ordered(lists, ['resources', 'resourceTemplates', 'prompts'], []));
}

/** The same members: those of `first` in its order, the rest sorted, those of `last` at the end. */
function ordered(object: JsonObject, first: readonly string[], last: readonly string[]): JsonObject {
  const rest = Object.keys(object)
    .filter((member) => !first.includes(member) && !last.includes(member))
    .sort();
  const members = [...first, ...rest, ...last].filter((member) => Object.hasOwn(object, member));
  // fromEntries defines members, so that `__proto__` is one like any other.
  return Object.fromEntries(members.map((member): [string, JsonValue] => [member, object[member] ?? null]));
}
