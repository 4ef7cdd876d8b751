/**
 * index.json: what `list` needs of every server in one file. It is derived: an entry that is older than its server's
 * folder is made anew at the next look, and the file is written back where it can be. Servers with findings have no
 * entry, so that every look reports them.
 */
import { isObject, type JsonObject, type JsonValue, statSync, stringifyJson, writeCacheSync } from '../base/index.ts';
import type { RegistryFinding } from './finding.ts';
import {
  type EntryReading,
  filesStamp,
  folderStamp,
  type IndexedServer,
  type IndexedTool,
  type IndexEntry,
  readEntry,
} from './index-entry.ts';
import { readJsonFile } from './json-file.ts';
import { indexPath, placeOf, scanRoot } from './layout.ts';
import type { Read } from './registry.ts';

export interface RegistryIndex {
  /** Every server; entries are compared with their folders. */
  all(): Read<readonly IndexedServer[]>;
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
  const look = (isCurrent: (server: string, entry: IndexEntry) => boolean): Read<readonly IndexedServer[]> => {
    const before = load();
    const { servers, findings: rootFindings } = scanRoot(root);
    const findings: RegistryFinding[] = [...rootFindings];
    const after = new Map<string, IndexEntry>();
    const value: IndexedServer[] = [];
    let differs = false;
    for (const server of servers) {
      const old = before.get(server);
      const reading: EntryReading =
        old !== undefined && isCurrent(server, old) ? { entry: old, findings: [] } : readEntry(root, server);
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
      const before = load();
      const old = before.get(server);
      if (kind === 'folder' && old !== undefined && isInFileTime(server, old)) return { value: old, findings: [] };
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

/** One line a tool: this is the one file of the registry that is read as a whole at every start. */
function indexText(entries: ReadonlyMap<string, IndexEntry>): string {
  const servers = [...entries.values()].map(({ tools, ...rest }) => {
    const head = stringifyJson(rest).slice(0, -1);
    return `${head},"tools":[\n${tools.map((tool) => stringifyJson(tool)).join(',\n')}\n]}`;
  });
  return `{"servers":[\n${servers.join(',\n')}\n]}\n`;
}

/** An index that cannot be read is like none: it is made anew. */
function readIndex(root: string): ReadonlyMap<string, IndexEntry> {
  const file = readJsonFile(indexPath(root));
  const servers = file.state === 'read' ? file.value['servers'] : undefined;
  const entries = new Map<string, IndexEntry>();
  for (const raw of Array.isArray(servers) ? (servers as readonly JsonValue[]) : []) {
    if (isObject(raw) && isEntry(raw)) entries.set(raw.name, raw);
  }
  return entries;
}

/** Looks at every member: a file that somebody edited must not become a crash elsewhere. */
function isEntry(raw: object): raw is IndexEntry {
  const entry = raw as JsonObject;
  const texts = ['name', 'description', 'syncedAt', 'stamp', 'filesStamp'];
  const counts = ['resources', 'resourceTemplates', 'prompts'];
  const { tools } = entry;
  return (
    texts.every((member) => typeof entry[member] === 'string') &&
    counts.every((member) => typeof entry[member] === 'number') &&
    (entry['transport'] === 'stdio' || entry['transport'] === 'http') &&
    Array.isArray(tools) &&
    (tools as readonly JsonValue[]).every(isIndexedTool)
  );
}

function isIndexedTool(raw: JsonValue): raw is JsonObject & IndexedTool {
  if (!isObject(raw)) return false;
  const { name, key, description, title } = raw;
  return (
    typeof name === 'string' &&
    typeof key === 'string' &&
    typeof description === 'string' &&
    (title === undefined || typeof title === 'string')
  );
}
