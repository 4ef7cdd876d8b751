/**
 * Paths that must be the user's alone: looked at, without following links, before anything there is trusted. On Windows owner
 * and mode say nothing; there the permissions of the user's profile protect what lies in it.
 */
import { errorCode, fileError } from './file-error.ts';
import { makeFoldersSync } from './folders.ts';
import { shellQuote } from '../text.ts';

const fs = process.getBuiltinModule('node:fs');

type Stats = typeof fs.Stats.prototype;

export type PrivateKind = 'file' | 'folder' | 'socket';

/** What stands at a path that should be private. */
export type PrivateSight =
  | { readonly kind: 'missing' }
  | { readonly kind: 'private' }
  /** `problem` goes on after the path: "is a link"; `mend` is the command that puts it right, where there is one. */
  | { readonly kind: 'not-private'; readonly problem: string; readonly mend: string | undefined };

/** Whether `path` is a `wanted` of this user that nobody else can use. Throws `file_error` when it cannot be looked at. */
export function lookAtPrivate(path: string, wanted: PrivateKind): PrivateSight {
  const stat = look(path);
  if (stat === undefined) return { kind: 'missing' };
  const problem = problemOf(stat, wanted);
  if (problem !== undefined) return { kind: 'not-private', problem, mend: undefined };
  if (process.getuid === undefined || (stat.mode & 0o077) === 0) return { kind: 'private' };
  return {
    kind: 'not-private',
    problem: `can be used by others (mode ${(stat.mode & 0o777).toString(8)})`,
    mend: `chmod ${wanted === 'folder' ? '700' : '600'} ${shellQuote(path)}`,
  };
}

function look(path: string): Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw fileError(path, 'look at', error);
  }
}

/** What is wrong whatever the mode. */
function problemOf(stat: Stats, wanted: PrivateKind): string | undefined {
  if (stat.isSymbolicLink()) return 'is a link';
  const isWanted = { file: stat.isFile(), folder: stat.isDirectory(), socket: stat.isSocket() }[wanted];
  if (!isWanted) return `is no ${wanted}`;
  const user = process.getuid?.();
  return user === undefined || stat.uid === user ? undefined : `belongs to another user (${stat.uid})`;
}

/** Makes a folder of mode 0700 with its parents; one of the user's own that others could use is closed to them. Throws `file_error`. */
export function makePrivateFolderSync(path: string): void {
  try {
    makeFoldersSync(path, 0o700);
    const stat = fs.lstatSync(path);
    if (stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) !== 0) fs.chmodSync(path, 0o700);
  } catch (error) {
    throw fileError(path, 'make the folder', error);
  }
}

/** Makes a new folder of mode 0700 whose path begins with `prefix` and that nobody could have put there before. Throws `file_error`. */
export function makeUniqueFolderSync(prefix: string): string {
  try {
    return fs.mkdtempSync(prefix);
  } catch (error) {
    throw fileError(prefix, 'make a folder beginning with', error);
  }
}

/** Removes an empty folder; one that is not, or is no folder, stays. */
export function removeEmptyFolderSync(path: string): void {
  try {
    fs.rmdirSync(path);
  } catch {
    // Somebody uses it.
  }
}

/** Sets the mode of what this process has just made. Throws `file_error`. */
export function makePrivateSync(path: string): void {
  try {
    fs.chmodSync(path, 0o600);
  } catch (error) {
    throw fileError(path, 'change the mode of', error);
  }
}

/** Marks a file as looked after now. A file that is gone stays gone. */
export function touchSync(path: string): void {
  try {
    const now = new Date();
    fs.utimesSync(path, now, now);
  } catch {
    // Its owner finds that out when it looks.
  }
}
