/**
 * The only door to the file system. Paths given by servers or models go through `containedPath`; whatever must
 * survive a crash is written by {@link writeFileAtomic}.
 *
 * The synchronous functions serve the start-up path of the command line, where an event loop turn costs more than a read.
 * Every function throws TrestleError `file_error` (message names path and reason) unless it says otherwise.
 */
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { TrestleError } from './errors.ts';
import { errorCode, fileError, isMissing } from './file-error.ts';
import { limits } from './limits.ts';

// An `import` of node:fs evaluates its lazy parts (the promises) at start-up; this does not.
const fs = process.getBuiltinModule('node:fs');

/** Contents as UTF-8 text, or undefined when there is no such file. A pipe or device there is refused: its reader may wait for ever. */
export function readTextSync(path: string): string | undefined {
  return orUndefined(path, 'read', () => (refuseEndless(path), fs.readFileSync(path, 'utf8')));
}

/** As {@link readTextSync}, as bytes; for large files of which little is looked at. */
export function readBytesSync(path: string): Buffer | undefined {
  return orUndefined(path, 'read', () => (refuseEndless(path), fs.readFileSync(path)));
}

/**
 * Contents as UTF-8 text of a file that somebody unknown named, or undefined when there is none: at most `limitBytes`, no pipe, device
 * or folder. What is opened is what was looked at, and opening waits for nobody.
 */
export function readNamedTextSync(path: string, limitBytes: number): string | undefined {
  return orUndefined(path, 'read', () => {
    refuseEndless(path);
    const { O_RDONLY, O_NONBLOCK } = fs.constants;
    // Should a pipe stand there by now, opening it must not wait for its writer. Windows has no such flag.
    const descriptor = fs.openSync(path, O_RDONLY | (O_NONBLOCK ?? 0));
    try {
      const stat = fs.fstatSync(descriptor);
      if (!stat.isFile()) throw notAFile(stat.isDirectory() ? 'EISDIR' : 'ENOTFILE');
      // Files of /proc say that they are empty: what counts is what is read.
      const bytes = Buffer.allocUnsafe(Math.min(stat.size === 0 ? limitBytes : stat.size, limitBytes) + 1);
      const length = stat.size > limitBytes ? bytes.length : readFully(descriptor, bytes);
      if (length > limitBytes) throw notAFile('EFBIG');
      return bytes.toString('utf8', 0, length);
    } finally {
      fs.closeSync(descriptor);
    }
  });
}

/** Reads until `bytes` are full or the file ends. */
function readFully(descriptor: number, bytes: Uint8Array): number {
  let length = 0;
  while (length < bytes.length) {
    const count = fs.readSync(descriptor, bytes, length, bytes.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return length;
}

/** Only these have an end that comes by itself; reading a folder fails at once. */
function refuseEndless(path: string): void {
  const stat = fs.statSync(path);
  if (stat.isFile() || stat.isDirectory()) return;
  throw notAFile('ENOTFILE');
}

function notAFile(code: 'ENOTFILE' | 'EISDIR' | 'EFBIG'): Error {
  return Object.assign(new Error('it is no file that can be read'), { code });
}

/** Contents as bytes, or undefined when there is no such file. A pipe is read to its end: for what a person names. */
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
  /** Begins the name of the temporary file: a folder that several own can tell by it whose a left one is. Default {@link temporaryPrefix}. */
  readonly temporaryPrefix?: string;
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
  const temporary = temporaryBeside(path, options.temporaryPrefix);
  await attempt(path, temporary, async () => {
    const mode = options.mode ?? existingMode(path) ?? 0o644;
    await writeExclusively(temporary, contents, { ...options, mode });
    await renameOver(temporary, path);
    if (options.durable !== false) await flushFolder(dirname(path));
  });
}

/** A name beside `path` that nobody else uses, with `prefix`. */
export function temporaryBeside(path: string, prefix: string = temporaryPrefix): string {
  temporaries += 1;
  return join(dirname(path), `${prefix}${process.pid}-${Date.now().toString(36)}-${temporaries}`);
}

/** Runs a step of a write; when it fails, removes the temporary file and throws `file_error` naming `path`. */
async function attempt(path: string, temporary: string | undefined, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (temporary !== undefined) await fs.promises.rm(temporary, { force: true }).catch(() => {});
    throw fileError(path, 'write', error);
  }
}

/**
 * {@link writeFileAtomic} for many files: all bytes first, then all renames, and each folder is flushed once instead of
 * once a file. After a crash some of them may be new and others old; each one is whole.
 */
export async function writeFilesAtomic(files: readonly FileToWrite[]): Promise<void> {
  const folders = new Set(files.map((file) => dirname(file.path)));
  const started = files.map((file) => ({ ...file, temporary: temporaryBeside(file.path) }));
  await Promise.all(
    started.map(({ path, contents, temporary }) =>
      attempt(path, temporary, () => writeExclusively(temporary, contents, { mode: existingMode(path) ?? 0o644 })),
    ),
  );
  await Promise.all(started.map(({ path, temporary }) => attempt(path, temporary, () => renameOver(temporary, path))));
  for (const folder of folders) await attempt(folder, undefined, () => flushFolder(folder));
}

export interface FileToWrite {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

/**
 * Writes a file that can be made anew at any time: atomic for readers, not durable, and without a turn of the event loop.
 * False when it cannot be written.
 */
export function writeCacheSync(path: string, contents: string): boolean {
  const temporary = temporaryBeside(path);
  try {
    fs.writeFileSync(temporary, contents, { flag: 'wx' });
    fs.renameSync(temporary, path);
    return true;
  } catch {
    fs.rmSync(temporary, { force: true });
    return false;
  }
}

/** Renames a file, folder or link (itself, not what it points to); what stands at `to` is replaced where the system allows it. */
export async function renamePath(from: string, to: string): Promise<void> {
  await attempt(from, undefined, () => renameOver(from, to));
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

/** Throws `file_error` when no file can be made in `folder`, or where it is missing in the nearest one above it. Leaves nothing. */
export async function proveWritable(folder: string): Promise<void> {
  let place = resolve(folder);
  while (statSync(place) === undefined && dirname(place) !== place) place = dirname(place);
  const temporary = temporaryBeside(join(place, 'any'));
  try {
    await writeExclusively(temporary, 'x', { mode: 0o600, durable: false });
    await fs.promises.rm(temporary);
  } catch (error) {
    throw fileError(folder, 'write into', error);
  }
}

/** O_EXCL: the name must be free, and a link standing there is never followed. */
async function writeExclusively(path: string, contents: string | Uint8Array, options: WriteOptions): Promise<void> {
  const open = (): Promise<FileHandle> => fs.promises.open(path, 'wx', options.mode);
  const handle = await open().catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    makeFoldersSync(dirname(path), options.mode === 0o600 ? 0o700 : 0o755);
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

/**
 * Makes a folder with its parents. Not by Node.js's own recursion, which never ends where a parent can neither be made nor is there
 * afterwards (below /proc).
 */
export function makeFoldersSync(path: string, mode: number): void {
  const make = (): void => {
    try {
      fs.mkdirSync(path, { mode });
    } catch (error) {
      // Windows says EPERM of the root of a drive.
      if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    }
  };
  try {
    make();
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) throw error;
    makeFoldersSync(parent, mode);
    make();
  }
}

/** Makes a folder with its parents; `mode` for those it makes (default 0o755). */
export async function makeFolder(path: string, mode = 0o755): Promise<void> {
  try {
    makeFoldersSync(path, mode);
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
    // A link to nothing: who writes to it writes where it points. A circle of links is another error.
    if (statSync(absolute)?.kind === 'link') return canonicalPathSync(resolve(parent, fs.readlinkSync(absolute)));
    return join(canonicalPathSync(parent), absolute.slice(parent.length));
  }
}

function orUndefined<T>(path: string, action: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(path, action, error);
  }
}
