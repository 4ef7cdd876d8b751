/** The difference between two lists of named items: pure, knows no file. */
import { jsonEquals, type JsonObject } from '../base/index.ts';
import { type ChangedPart, changedParts } from './descriptor-parts.ts';
import { descriptorDigest } from './digests.ts';

/** A changed item with the members that differ. */
export interface ChangedItem {
  readonly name: string;
  readonly fields: readonly string[];
  /** Of a changed descriptor what is different in it, part by part; empty where it did not drift. */
  readonly parts: readonly ChangedPart[];
  /** Set when the digest that pins a descriptor changed too (key order, `default`, `examples`, `_meta` do not count). */
  readonly drift: boolean;
}

export interface ListChanges {
  readonly added: readonly string[];
  readonly changed: readonly ChangedItem[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

export interface ListDiff {
  readonly changes: ListChanges;
  /** Items that have to be written, by name: added and changed ones. */
  readonly written: ReadonlyMap<string, JsonObject>;
}

/** What leads from `before` to `after`. The order of members, and of the items, is no difference. */
export function diffLists(before: ReadonlyMap<string, JsonObject>, after: ReadonlyMap<string, JsonObject>): ListDiff {
  const added: string[] = [];
  const changed: ChangedItem[] = [];
  const written = new Map<string, JsonObject>();
  let unchanged = 0;
  for (const [name, item] of after) {
    const old = before.get(name);
    if (old !== undefined && jsonEquals(old, item)) {
      unchanged += 1;
      continue;
    }
    written.set(name, item);
    if (old === undefined) added.push(name);
    else changed.push(changedItem(name, old, item));
  }
  const removed = [...before.keys()].filter((name) => !after.has(name));
  return { changes: { added, changed, removed, unchanged }, written };
}

function changedItem(name: string, old: JsonObject, item: JsonObject): ChangedItem {
  const drift = descriptorDigest(old) !== descriptorDigest(item);
  return { name, fields: changedMembers(old, item), parts: drift ? changedParts(old, item) : [], drift };
}

/** Names of the members that differ, in the order of `after`, removed ones last. */
export function changedMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].filter((name) => !jsonEquals(ownMember(before, name), ownMember(after, name)));
}

/** `undefined` differs from null for {@link jsonEquals}'s callers here: a member that came or went has changed. */
function ownMember(object: JsonObject, name: string): JsonObject {
  return Object.hasOwn(object, name) ? { present: object[name] ?? null } : {};
}

/** No difference, for a list that was not read. */
export function unchangedList(count: number): ListChanges {
  return { added: [], changed: [], removed: [], unchanged: count };
}

export interface NamedItems {
  readonly items: ReadonlyMap<string, JsonObject>;
  /** Names that came more than once; the first item is kept. */
  readonly repeated: readonly string[];
}

/** Items under their names, in their order. */
export function byName(items: Iterable<JsonObject>, nameOf: (item: JsonObject) => string): NamedItems {
  const named = new Map<string, JsonObject>();
  const repeated = new Set<string>();
  for (const item of items) {
    const name = nameOf(item);
    if (named.has(name)) repeated.add(name);
    else named.set(name, item);
  }
  return { items: named, repeated: [...repeated] };
}
