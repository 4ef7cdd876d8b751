/** Making and removing. */
import { dirname } from 'node:path';
import { fileError, isMissing } from './file-error.ts';

const fs = process.getBuiltinModule('node:fs');

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
