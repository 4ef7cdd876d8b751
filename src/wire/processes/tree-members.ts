/**
 * Which processes are a tree's. It is found by several signs, since a process may leave its group, lose its parent or clear its
 * environment, and is still found by one of the others.
 */
import type { ProcessRecord } from './process-table.ts';

export interface TreeSigns {
  /** Whether a process shows by itself that it belongs to the tree. */
  readonly isRoot: (record: ProcessRecord) => boolean;
  /** Everything that was ever found, by process id and start; added to at every look. */
  readonly known: Map<number, number>;
}

/** The tree's processes among `records`: its roots, what was known before, and all that descends from either. */
export function treeMembers(records: readonly ProcessRecord[], { isRoot, known }: TreeSigns): readonly ProcessRecord[] {
  const found = new Map<number, ProcessRecord>();
  const add = (record: ProcessRecord): boolean => {
    if (record.pid === process.pid || found.has(record.pid)) return false;
    found.set(record.pid, record);
    known.set(record.pid, record.started);
    return true;
  };
  for (const record of records) if (known.get(record.pid) === record.started || isRoot(record)) add(record);
  const children = Map.groupBy(records, (record) => record.parent);
  const parents = [...found.keys()];
  for (let at = 0; at < parents.length; at += 1) {
    for (const record of children.get(parents[at] ?? 0) ?? []) if (add(record)) parents.push(record.pid);
  }
  return [...found.values()];
}
