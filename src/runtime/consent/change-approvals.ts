/** Writing `state/approvals.json`, which happens when a person has answered. */
import { dirname } from 'node:path';
import {
  type JsonValue,
  makePrivateFolderSync,
  moveAside,
  prettyJson,
  withLock,
  writeFileAtomic,
} from '../../base/index.ts';

/** What stands in the file. */
export interface StoredEntries {
  /** Every entry as it stands there; those that are no approval here are kept for whoever wrote them. */
  readonly entries: readonly JsonValue[];
  readonly problem: string | undefined;
}

export interface ApprovalsEdit {
  /** What stands in the file now. */
  readonly read: () => StoredEntries;
  readonly edit: (entries: readonly JsonValue[]) => readonly JsonValue[];
}

/** Under the lock between processes; a file that is no list of approvals is set aside. Rejects with `file_error`, `locked`. */
export async function changeEntries(file: string, { read, edit }: ApprovalsEdit): Promise<void> {
  makePrivateFolderSync(dirname(file));
  await withLock(`${file}.lock`, async (lock) => {
    const { entries, problem } = read();
    lock.check();
    if (problem !== undefined) await moveAside(file);
    await writeFileAtomic(file, prettyJson({ approvals: edit(entries) }), { mode: 0o600 });
  });
}
