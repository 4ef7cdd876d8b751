/**
 * The only door to the file system. Paths given by servers or models go through {@link containedPath}; whatever must
 * survive a crash is written by {@link writeFileAtomic}.
 *
 * The synchronous functions serve the start-up path of the command line, where an event loop turn costs more than a read.
 * Every function throws TrestleError `file_error` (message names path and reason) unless it says otherwise.
 */

/** Contents as UTF-8 text, or undefined when there is no such file. */
export function readTextSync(path: string): string | undefined {
  throw new Error(`not built: ${path}`);
}

/** Contents as bytes, or undefined when there is no such file. */
export async function readBytes(path: string): Promise<Uint8Array | undefined> {
  throw new Error(`not built: ${path}`);
}

export interface WriteOptions {
  /** Permission bits of the file, default 0o644; private files use 0o600. */
  readonly mode?: number;
  /** Whether to wait until the bytes are on the disk (fsync of file and folder); default true. */
  readonly durable?: boolean;
}

/** Writes beside the target and renames over it, so that readers see the old or the new contents, never a mixture. Makes missing folders. */
export async function writeFileAtomic(
  path: string,
  contents: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  throw new Error(`not built: ${path} ${contents.length} ${String(options.mode)}`);
}

/** Writes a file that must not exist yet (no link is followed); TrestleError `exists` when it does. Makes missing folders. */
export async function writeNewFile(
  path: string,
  contents: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  throw new Error(`not built: ${path} ${contents.length} ${String(options.mode)}`);
}

export interface FileStamp {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly sizeBytes: number;
  /** Time of the last change of contents, milliseconds since the epoch (fraction kept). */
  readonly modifiedMs: number;
}

/** What stands at `path` without following a link, or undefined. */
export function statSync(path: string): FileStamp | undefined {
  throw new Error(`not built: ${path}`);
}

/** Names in a folder, sorted by code unit; [] when there is no such folder. */
export function listFolderSync(path: string): readonly string[] {
  throw new Error(`not built: ${path}`);
}

/** Makes a folder with its parents; `mode` for those it makes (default 0o755). */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  throw new Error(`not built: ${path} ${String(mode)}`);
}

/** Removes a file, or a folder with all in it, following no link; false when there was nothing. */
export async function removePath(path: string): Promise<boolean> {
  throw new Error(`not built: ${path}`);
}

/** The path with all links resolved; of the deepest existing ancestor where the end does not exist. */
export function canonicalPathSync(path: string): string {
  throw new Error(`not built: ${path}`);
}

/**
 * `relative` resolved inside `root`. Throws `invalid_path` when it is absolute, has a `..`, NUL, drive letter or Windows
 * device name, or passes through a link that leaves `root`.
 */
export function containedPath(root: string, relative: string): string {
  throw new Error(`not built: ${root} ${relative}`);
}
