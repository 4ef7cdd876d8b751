/** What a sync has to do in tools/: pure. */
import { fileKey, jsonEquals, type JsonObject } from '../base/index.ts';
import { contentDigest } from './digests.ts';
import { byName, diffLists, type ListChanges, unchangedList } from './diff.ts';
import type { RegistryFinding } from './finding.ts';
import { type ServerPlace, toolPath } from './layout.ts';
import { descriptorText, type PlannedWrite } from './record-text.ts';
import type { ToolDescriptor } from './records.ts';
import { preferOwnKey, type StoredServer, type StoredTool } from './stored.ts';
import { rememberedDigests, type SyncRecord } from './sync-record.ts';

export interface ToolsPlan {
  readonly changes: ListChanges;
  readonly overwritten: readonly string[];
  /** Unreadable files that stand where a tool must be written. */
  readonly setAside: readonly string[];
  /** Files to remove before writing: they differ from a written one only in case, and some systems hold both for one. */
  readonly clears: readonly string[];
  readonly writes: readonly PlannedWrite[];
  readonly removals: readonly string[];
  /** All tools as they stand afterwards. */
  readonly result: readonly JsonObject[];
  readonly digests: SyncRecord['tools'];
  readonly findings: readonly RegistryFinding[];
}

/** What is known of the past of the files. */
export interface ToolsPast {
  /** Whether meta.json's digest fits the folder: then nothing was edited or interrupted. */
  readonly intact: boolean;
  readonly interrupted: boolean;
  readonly record: SyncRecord | undefined;
}

export interface ToolsChange {
  readonly live: readonly ToolDescriptor[] | undefined;
  readonly past: ToolsPast;
}

/** Every tool ends in the file of its own key, whatever file it stood in before. */
export function planTools(place: ServerPlace, stored: StoredServer, change: ToolsChange): ToolsPlan {
  const { live, past } = change;
  if (live === undefined) return asTheyStand(stored, past);
  const { items, repeated } = byName(live as readonly JsonObject[], nameOf);
  const before = preferOwnKey(stored.tools);
  const diff = diffLists(new Map([...before].map(([name, { descriptor }]) => [name, asObject(descriptor)])), items);
  const names = new Map([...items.keys()].map((name) => [fileKey(name), name]));
  const leftover = stored.tools.filter(({ key }) => !names.has(key));
  const clashing = clashesInCase(names);
  const lost = stored.tools.filter((tool) => wasEdited(tool, past) && !isKept(tool, items));
  return {
    changes: diff.changes,
    overwritten: [...new Set(lost.map(({ descriptor }) => descriptor.name))],
    setAside: stored.unreadableTools.filter((key) => names.has(key)).map((key) => toolPath(place, key)),
    clears: leftover.filter(clashing).map(({ key }) => toolPath(place, key)),
    writes: [...names]
      .filter(([key, name]) => diff.written.has(name) || before.get(name)?.key !== key)
      .map(([key, name]) => ({ path: toolPath(place, key), text: descriptorText(items.get(name) ?? {}) })),
    removals: leftover.filter((tool) => !clashing(tool)).map(({ key }) => toolPath(place, key)),
    result: [...items.values()],
    digests: digestsAfter(stored.tools, past, new Map([...names].map(([key, name]) => [key, items.get(name) ?? {}]))),
    findings: repeated.map((name) => repeatedName(place, name)),
  };
}

/** The list was not read: everything stays. */
function asTheyStand(stored: StoredServer, past: ToolsPast): ToolsPlan {
  const nothing: readonly never[] = [];
  const kept = preferOwnKey(stored.tools);
  return {
    changes: unchangedList(kept.size),
    overwritten: nothing,
    setAside: nothing,
    clears: nothing,
    writes: nothing,
    removals: nothing,
    result: stored.tools.map(({ descriptor }) => asObject(descriptor)),
    digests: digestsAfter(stored.tools, past, new Map()),
    findings: nothing,
  };
}

function clashesInCase(names: ReadonlyMap<string, string>): (tool: StoredTool) => boolean {
  const folded = new Set([...names.keys()].map((key) => key.toLowerCase()));
  return ({ key }) => folded.has(key.toLowerCase());
}

function wasEdited({ key, descriptor }: StoredTool, past: ToolsPast): boolean {
  if (past.intact) return false;
  if (past.record === undefined) return !past.interrupted;
  return past.record.tools.get(key)?.includes(contentDigest(asObject(descriptor))) !== true;
}

function isKept({ descriptor }: StoredTool, items: ReadonlyMap<string, JsonObject>): boolean {
  const item = items.get(descriptor.name);
  return item !== undefined && jsonEquals(item, descriptor);
}

/** For each file that stands before or after: the digests that do not count as an edit, what will stand there first. */
function digestsAfter(
  before: readonly StoredTool[],
  past: ToolsPast,
  after: ReadonlyMap<string, JsonObject>,
): SyncRecord['tools'] {
  const digests = new Map<string, readonly string[]>();
  for (const { key, descriptor } of before) {
    const known = past.record?.tools.get(key) ?? [];
    digests.set(key, past.intact ? [contentDigest(asObject(descriptor))] : known);
  }
  for (const [key, item] of after) {
    const all = new Set([contentDigest(item), ...(digests.get(key) ?? [])]);
    digests.set(key, [...all].slice(0, rememberedDigests));
  }
  return digests;
}

function repeatedName(place: ServerPlace, name: string): RegistryFinding {
  return {
    server: place.server,
    file: toolPath(place, fileKey(name)),
    field: '/name',
    problem: `is listed more than once by the server (${JSON.stringify(name)}); the first one is kept`,
    severity: 'warning',
  };
}

const nameOf = (item: JsonObject): string => (typeof item['name'] === 'string' ? item['name'] : '');

/** A descriptor has no undefined members: it comes from JSON. */
const asObject = (descriptor: ToolDescriptor): JsonObject => descriptor as JsonObject;
