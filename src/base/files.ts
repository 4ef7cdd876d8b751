/**
 * The only door to the file system. Paths given by servers or models go through {@link containedPath}; whatever must
 * survive a crash is written by {@link writeFileAtomic}.
 *
 * The synchronous functions serve the start-up path of the command line, where an event loop turn costs more than a read.
 * Every function throws TrestleError `file_error` (message names path and reason) unless it says otherwise.
 */
import type { FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { TrestleError } from './errors.ts';
import { limits } from './limits.ts';
import { isDeviceName } from './names.ts';

// An `import` of node:fs evaluates its lazy parts (the promises) at start-up; this does not.
const fs = process.getBuiltinModule('node:fs');

/** Contents as UTF-8 text, or undefined when there is no such file. */
export function readTextSync(path: string): string | undefined {
  return orUndefined(path, 'read', () => fs.readFileSync(path, 'utf8'));
}

/** Contents as bytes, or undefined when there is no such file. */
export async function readBytes(path: string): Promise<Uint8Array | undefined> {
  try {
    return await fs.promises.readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(path, 'read', error);
  }
}

export interface WriteOptions {
  /** Permission bits of the file; default those of the file that is replaced, else 0o644; private files use 0o600. */
  readonly mode?: number;
  /** Whether to wait until the bytes are on the disk (fsync of file and folder); default true. */
  readonly durable?: boolean;
}

/** What {@link writeFileAtomic} calls its temporary files; those of a dead writer may be removed by whoever owns the folder. */
export const temporaryPrefix = '.trestle-tmp-';

let temporaries = 0;

/**
 * Writes beside the target and renames over it, so that readers see the old or the new contents, never a mixture. Makes
 * missing folders. A link at `path` is replaced, not followed: a caller who wants it kept resolves it first.
 */
export async function writeFileAtomic(
  path: string,
  contents: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const folder = dirname(path);
  temporaries += 1;
  const temporary = join(folder, `${temporaryPrefix}${process.pid}-${Date.now().toString(36)}-${temporaries}`);
  try {
    const mode = options.mode ?? existingMode(path) ?? 0o644;
    await writeExclusively(temporary, contents, { ...options, mode });
    await renameOver(temporary, path);
    if (options.durable !== false) await flushFolder(folder);
  } catch (error) {
    await fs.promises.rm(temporary, { force: true }).catch(() => {});
    throw fileError(path, 'write', error);
  }
}

/** Writes a file that must not exist yet (no link is followed); TrestleError `exists` when it does. Makes missing folders. */
export async function writeNewFile(
  path: string,
  contents: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  try {
    await writeExclusively(path, contents, { mode: 0o644, ...options });
    if (options.durable !== false) await flushFolder(dirname(path));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw fileError(path, 'write', error);
    throw new TrestleError({
      code: 'exists',
      message: `${path} exists already and is not overwritten.`,
      hint: 'Choose another name, or remove it first.',
      details: { path },
      cause: error,
    });
  }
}

/** O_EXCL: the name must be free, and a link standing there is never followed. */
async function writeExclusively(path: string, contents: string | Uint8Array, options: WriteOptions): Promise<void> {
  const open = (): Promise<FileHandle> => fs.promises.open(path, 'wx', options.mode);
  const handle = await open().catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await fs.promises.mkdir(dirname(path), { recursive: true, mode: options.mode === 0o600 ? 0o700 : 0o755 });
    return open();
  });
  try {
    await handle.writeFile(contents);
    // The process's umask takes bits from what open() was given; a kept mode is meant exactly.
    if (options.mode !== undefined && options.mode !== 0o644) await handle.chmod(options.mode);
    if (options.durable !== false) await handle.datasync();
  } catch (error) {
    await handle.close().catch(() => {});
    await fs.promises.rm(path, { force: true }).catch(() => {});
    throw error;
  }
  await handle.close();
}

function existingMode(path: string): number | undefined {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.mode & 0o777 : undefined;
}

/** Windows refuses a rename while somebody (a virus scanner) has the target open: it is tried for half a second. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await fs.promises.rename(from, to);
      return;
    } catch (error) {
      const held = ['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '');
      if (process.platform !== 'win32' || !held || attempt >= limits.renameAttempts) throw error;
      await new Promise((done) => setTimeout(done, limits.renameRetryMs));
    }
  }
}

/** A rename is durable once its folder is; Windows cannot open folders and needs no such step. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await fs.promises.open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network and FUSE file systems cannot flush folders.
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

export interface FileStamp {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly sizeBytes: number;
  /** Time of the last change of contents, milliseconds since the epoch (fraction kept). */
  readonly modifiedMs: number;
}

/** What stands at `path` without following a link, or undefined. */
export function statSync(path: string): FileStamp | undefined {
  const stat = orUndefined(path, 'look at', () => fs.lstatSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) return undefined;
  const plainKind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other';
  return { kind: stat.isSymbolicLink() ? 'link' : plainKind, sizeBytes: stat.size, modifiedMs: stat.mtimeMs };
}

/** Names in a folder, sorted by code unit; [] when there is no such folder. */
export function listFolderSync(path: string): readonly string[] {
  return (orUndefined(path, 'list', () => fs.readdirSync(path)) ?? []).sort();
}

/** Makes a folder with its parents; `mode` for those it makes (default 0o755). */
export async function makeFolder(path: string, mode = 0o755): Promise<void> {
  try {
    await fs.promises.mkdir(path, { recursive: true, mode });
  } catch (error) {
    throw fileError(path, 'make the folder', error);
  }
}

/** Removes a file, or a folder with all in it, following no link; false when there was nothing. */
export async function removePath(path: string): Promise<boolean> {
  try {
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return false;
    if (stat.isDirectory()) await fs.promises.rm(path, { recursive: true, force: true, maxRetries: 3 });
    else await fs.promises.unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw fileError(path, 'remove', error);
  }
}

/** The path with all links resolved; of the deepest existing ancestor where the end does not exist. */
export function canonicalPathSync(path: string): string {
  const absolute = resolve(path);
  try {
    return fs.realpathSync.native(absolute);
  } catch (error) {
    const parent = dirname(absolute);
    if (!isMissing(error) || parent === absolute) throw fileError(path, 'resolve', error);
    return join(canonicalPathSync(parent), absolute.slice(parent.length));
  }
}

/**
 * `relative` resolved inside `root`. Throws `invalid_path` when it is absolute, has a `..`, NUL, drive letter or Windows
 * device name, or passes through a link that leaves `root`.
 */
export function containedPath(root: string, relative: string): string {
  const problem = relativePathProblem(relative);
  if (problem !== undefined) throw invalidPath(relative, problem);
  const path = resolve(root, relative);
  const canonicalRoot = canonicalPathSync(root);
  const canonical = canonicalPathSync(path);
  const inside = canonicalRoot.endsWith(sep) ? canonicalRoot : canonicalRoot + sep;
  if (canonical !== canonicalRoot && !canonical.startsWith(inside)) {
    throw invalidPath(relative, 'leads out of its folder through a link');
  }
  return path;
}

/** Both separators count on every system: what is written on one may be read on another. */
function relativePathProblem(relative: string): string | undefined {
  if (relative === '') return 'is empty';
  if (relative.includes('\0')) return 'has a NUL character';
  if (isAbsolute(relative) || /^[/\\]/.test(relative)) return 'is absolute';
  if (/^[A-Za-z]:/.test(relative)) return 'starts with a drive letter';
  const segments = relative.split(/[/\\]/);
  if (segments.includes('..')) return 'has a ".."';
  if (segments.some((segment) => isDeviceName(segment))) return 'has the name of a Windows device';
  // On Windows a colon opens another stream of the file.
  if (process.platform === 'win32' && relative.includes(':')) return 'has a colon';
  return undefined;
}

function invalidPath(relative: string, problem: string): TrestleError {
  return new TrestleError({
    code: 'invalid_path',
    message: `The path ${JSON.stringify(relative)} ${problem}.`,
    hint: 'Give a path relative to, and inside, the folder it belongs to.',
    details: { path: relative },
  });
}

function orUndefined<T>(path: string, action: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(path, action, error);
  }
}

/** ENOTDIR: a parent of the path is a file, so there is nothing at the path. */
function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What the system's codes mean, and what to do. */
const reasons: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EACCES: ['permission denied', 'Check who owns it and its permissions.'],
  EPERM: ['operation not permitted', 'Check who owns it and its permissions.'],
  EROFS: ['the file system is read-only', 'Choose a folder that can be written.'],
  ENOENT: ['no such file or folder', 'Check the path.'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Check the path.'],
  EISDIR: ['it is a folder', 'Move the folder away, or choose another path.'],
  EEXIST: ['something else stands there', 'Move it away.'],
  ENOTEMPTY: ['the folder is not empty', 'Another process may be writing to it; try again.'],
  ELOOP: ['its links lead in a circle', 'Repair the links.'],
  ENOSPC: ['no space is left on the device', 'Free some space.'],
  EDQUOT: ['the disk quota is used up', 'Free some space.'],
  EMFILE: ['too many files are open', 'Raise the limit of open files.'],
  EBUSY: ['it is in use', 'Close the program that uses it.'],
  ENAMETOOLONG: ['the name is too long', 'Choose a shorter path.'],
};

function fileError(path: string, action: string, error: unknown): TrestleError {
  if (error instanceof TrestleError) return error;
  const code = errorCode(error) ?? 'unknown';
  const [reason, hint] = reasons[code] ?? [error instanceof Error ? error.message : String(error), undefined];
  return new TrestleError({
    code: 'file_error',
    message: `Cannot ${action} ${path}: ${reason} (${code}).`,
    hint,
    details: { path, reason: code },
    cause: error,
  });
}
