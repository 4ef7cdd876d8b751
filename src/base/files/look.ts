/** What stands at a path, without opening it. */
import type { Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileError, isMissing, orUndefined } from './file-error.ts';

const fs = process.getBuiltinModule('node:fs');

export interface FileStamp {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly sizeBytes: number;
  /** Time of the last change of contents, milliseconds since the epoch (fraction kept). */
  readonly modifiedMs: number;
  /** Number of the file on its disk; an atomic write gives a new one. */
  readonly inode: number;
}

/** What stands at `path` without following a link, or undefined. */
export function statSync(path: string): FileStamp | undefined {
  const stat = orUndefined(path, 'look at', () => fs.lstatSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) return undefined;
  return { kind: kindOf(stat), sizeBytes: stat.size, modifiedMs: stat.mtimeMs, inode: stat.ino };
}

/** Whether anything stands at `path`; `otherwise` where that cannot be found out. */
export function isThereSync(path: string, otherwise: boolean): boolean {
  try {
    return statSync(path) !== undefined;
  } catch {
    return otherwise;
  }
}

/** What the link at `path` points to, as written in it; undefined when there is no link. */
export function readLinkSync(path: string): string | undefined {
  try {
    return fs.readlinkSync(path);
  } catch {
    return undefined;
  }
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: FileStamp['kind'];
}

/** Names in a folder with what stands there (links not followed), sorted by code unit; [] when there is no such folder. */
export function listEntriesSync(path: string): readonly FolderEntry[] {
  const entries = orUndefined(path, 'list', () => fs.readdirSync(path, { withFileTypes: true })) ?? [];
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileStamp['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

/** Names in a folder, sorted by code unit; [] when there is no such folder. */
export function listFolderSync(path: string): readonly string[] {
  return (orUndefined(path, 'list', () => fs.readdirSync(path)) ?? []).sort();
}

/** The path with all links resolved; of the deepest existing ancestor where the end does not exist. */
export function canonicalPathSync(path: string): string {
  const absolute = resolve(path);
  try {
    return fs.realpathSync.native(absolute);
  } catch (error) {
    const parent = dirname(absolute);
    if (!isMissing(error) || parent === absolute) throw fileError(path, 'resolve', error);
    // A link to nothing: who writes to it writes where it points. A circle of links is another error.
    if (statSync(absolute)?.kind === 'link') return canonicalPathSync(resolve(parent, fs.readlinkSync(absolute)));
    return join(canonicalPathSync(parent), absolute.slice(parent.length));
  }
}
