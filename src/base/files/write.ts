/** Writing whatever must survive a crash: a file is always whole, the old one or the new one. */
import type { FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { TrestleError } from '../errors.ts';
import { limits } from '../limits.ts';
import { errorCode, fileError, isMissing } from './file-error.ts';
import { makeFoldersSync } from './folders.ts';
import { statSync } from './look.ts';
import { temporaryBeside } from './temporary-name.ts';

const fs = process.getBuiltinModule('node:fs');

export interface WriteOptions {
  /** Permission bits of the file; default those of the file that is replaced, else 0o644; private files use 0o600. */
  readonly mode?: number;
  /** Whether to wait until the bytes are on the disk (fsync of file and folder); default true. */
  readonly durable?: boolean;
  /** Begins the name of the temporary file: a folder that several own can tell by it whose a left one is. Default {@link temporaryPrefix}. */
  readonly temporaryPrefix?: string;
}

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
