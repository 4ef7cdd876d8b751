/**
 * index.json: what `list` needs of every server in one file. It is derived: an entry that is older than its server's
 * folder is made anew at the next look, and the file is written back where it can be. Servers with findings have no
 * entry, so that every look reports them.
 */
import { readBytesSync, statSync, writeCacheSync } from '../base/index.ts';
import { orFinding, type Read, type RegistryFinding } from './finding.ts';
import {
  type EntryReading,
  filesStamp,
  folderStamp,
  type IndexedServer,
  type IndexEntry,
  readEntry,
} from './index-entry.ts';
import { indexText, readIndexText } from './index-text.ts';
import { folderOf, indexPath, placeOf, scanRoot } from './layout.ts';

export interface RegistryIndex {
  /** Every server; entries are compared with their folders. */
  all(): Read<readonly IndexEntry[]>;
  /** One server; its entry is compared with each of its files. */
  one(server: string): Read<IndexedServer | undefined>;
  /** Makes the entry of `server`, or all of them, anew whatever the stamps say. */
  rebuild(server?: string): void;
}

export function createIndex(root: string): RegistryIndex {
  /** The entries last seen, and the stamp of the index.json they are from. */
  let known: { readonly stamp: string; readonly entries: ReadonlyMap<string, IndexEntry> } | undefined;

  const load = (): ReadonlyMap<string, IndexEntry> => {
    const stamp = fileStamp(indexPath(root));
    if (known?.stamp !== stamp) known = { stamp, entries: readIndex(root) };
    return known.entries;
  };
  const save = (entries: ReadonlyMap<string, IndexEntry>): void => {
    writeCacheSync(indexPath(root), indexText(entries));
    known = { stamp: fileStamp(indexPath(root)), entries };
  };
  const look = (isCurrent: (server: string, entry: IndexEntry) => boolean): Read<readonly IndexEntry[]> => {
    const before = load();
    const { servers, findings: rootFindings } = scanRoot(root);
    const findings: RegistryFinding[] = [...rootFindings];
    const after = new Map<string, IndexEntry>();
    const value: IndexEntry[] = [];
    let differs = false;
    for (const server of servers) {
      const old = before.get(server);
      // One folder that cannot be read must not hide the others.
      const reading = orFinding<EntryReading>(
        { server, file: folderOf(root, server) },
        () => (old !== undefined && isCurrent(server, old) ? { entry: old, findings: [] } : readEntry(root, server)),
        (finding) => ({ entry: undefined, findings: [finding] }),
      );
      findings.push(...reading.findings);
      if (reading.entry !== undefined) value.push(reading.entry);
      if (reading.entry !== undefined && reading.findings.length === 0) after.set(server, reading.entry);
      differs ||= after.get(server) !== old;
    }
    if (differs || after.size !== before.size) save(after);
    return { value, findings };
  };
  const isInFolderTime = (server: string, entry: IndexEntry): boolean => entry.stamp === folderStamp(root, server);
  const isInFileTime = (server: string, entry: IndexEntry): boolean =>
    isInFolderTime(server, entry) && entry.filesStamp === filesStamp(placeOf(root, server));

  return {
    all: () => look(isInFolderTime),
    one(server) {
      const { folder } = placeOf(root, server);
      const kind = statSync(folder)?.kind;
      if (kind === undefined || kind === 'file') return { value: undefined, findings: [] };
      const old = kind === 'folder' ? load().get(server) : undefined;
      const isCurrent = (): boolean => old !== undefined && isInFileTime(server, old);
      if (orFinding({ server, file: folder }, isCurrent, () => false)) return { value: old, findings: [] };
      const { value, findings } = look((name, entry) => name !== server || isInFileTime(name, entry));
      return {
        value: value.find(({ name }) => name === server),
        findings: findings.filter((finding) => finding.server === server),
      };
    },
    rebuild(server) {
      look((name, entry) => server !== undefined && name !== server && isInFolderTime(name, entry));
    },
  };
}

function fileStamp(path: string): string {
  const stat = statSync(path);
  return stat === undefined ? '' : `${stat.modifiedMs} ${stat.sizeBytes} ${stat.inode}`;
}

/** A link in the place of the index is not followed. */
function readIndex(root: string): ReadonlyMap<string, IndexEntry> {
  const path = indexPath(root);
  if (statSync(path)?.kind !== 'file') return new Map();
  return readIndexText(readBytesSync(path) ?? Buffer.alloc(0), (server) => readEntry(root, server).entry?.tools ?? []);
}
