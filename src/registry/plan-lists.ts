/** What a sync has to do in resources.json and prompts.json: pure. */
import { canonicalJson, type JsonObject } from '../base/index.ts';
import { byName, diffLists, type ListChanges, type ListDiff, unchangedList } from './diff.ts';
import type { RegistryFinding } from './finding.ts';
import type { JsonFile } from './json-file.ts';
import { listsText, type PlannedWrite } from './record-text.ts';
import type { ListedItem } from './records.ts';
import { itemsOf } from './stored.ts';

export interface ListsPlan {
  /** By the name of the list. */
  readonly changes: Readonly<Record<string, ListChanges>>;
  /** The lists as they stand afterwards. */
  readonly result: Readonly<Record<string, readonly ListedItem[]>>;
  readonly write: PlannedWrite | undefined;
  /** Whether an unreadable file stands where the write goes. */
  readonly setAside: boolean;
  readonly findings: readonly RegistryFinding[];
}

export interface ListsChange {
  readonly server: string;
  readonly path: string;
  readonly file: JsonFile;
  /** The live lists under their names in the file; one that was not read is undefined and stays. */
  readonly live: Readonly<Record<string, readonly ListedItem[] | undefined>>;
}

/** A file whose items only changed their order is not written. */
export function planLists(change: ListsChange): ListsPlan {
  const { file, live, path } = change;
  const lists = Object.entries(live).map(([member, items]) => planList(change, member, items));
  const differs = lists.some(({ differs }) => differs);
  const anyLive = lists.some(({ wasRead }) => wasRead);
  const write = anyLive && (differs || file.state !== 'read');
  const result = Object.fromEntries(lists.map(({ member, result }) => [member, result]));
  const value = { ...(file.state === 'read' ? file.value : {}), ...result };
  return {
    changes: Object.fromEntries(lists.map(({ member, changes }) => [member, changes])),
    result,
    write: write ? { path, text: listsText(value) } : undefined,
    setAside: write && file.state === 'unreadable',
    findings: lists.flatMap(({ findings }) => findings),
  };
}

interface ListPlan {
  readonly member: string;
  readonly wasRead: boolean;
  readonly differs: boolean;
  readonly changes: ListChanges;
  readonly result: readonly ListedItem[];
  readonly findings: readonly RegistryFinding[];
}

function planList(change: ListsChange, member: string, live: readonly ListedItem[] | undefined): ListPlan {
  const stored = itemsOf(change.file, member);
  if (live === undefined) {
    const changes = unchangedList(stored.length);
    return { member, wasRead: false, differs: false, changes, result: stored, findings: [] };
  }
  const before = byName(stored, itemName).items;
  const { items, repeated } = byName(live, itemName);
  const diff = diffLists(before, items);
  const differs = isDifferent(diff) || before.size !== stored.length;
  const findings = repeated.map((name): RegistryFinding => {
    const problem = `is listed more than once by the server (${JSON.stringify(name)}); the first one is kept`;
    return { server: change.server, file: change.path, field: `/${member}`, problem, severity: 'warning' };
  });
  return {
    member,
    wasRead: true,
    differs,
    changes: diff.changes,
    result: differs ? [...items.values()] : stored,
    findings,
  };
}

const isDifferent = ({ changes, written }: ListDiff): boolean => written.size > 0 || changes.removed.length > 0;

/** What tells items of one list apart: a resource's address, a template's pattern, a prompt's name. */
function itemName(item: JsonObject): string {
  for (const member of ['uri', 'uriTemplate', 'name']) {
    const value = item[member];
    if (typeof value === 'string') return value;
  }
  return canonicalJson(item);
}
