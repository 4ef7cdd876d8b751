/** What the file system says, translated once: its codes as a sentence and a hint. */
import { TrestleError } from '../errors.ts';

/** Whether there is nothing at the path. ENOTDIR: a parent of the path is a file, so there is nothing at the path. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The system's code of an error, e.g. `EACCES`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What the system's codes mean, and what to do. */
const reasons: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EACCES: ['permission denied', 'Check who owns it and its permissions.'],
  EPERM: ['operation not permitted', 'Check who owns it and its permissions.'],
  EROFS: ['the file system is read-only', 'Choose a folder that can be written.'],
  ENOENT: ['no such file or folder', 'Check the path.'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Check the path.'],
  // Not the system's: see read.ts.
  ENOTFILE: ['it is a pipe or a device, not a file', 'Put a file there.'],
  EISDIR: ['it is a folder', 'Move the folder away, or choose another path.'],
  EFBIG: ['it is too large', 'Name another file.'],
  EEXIST: ['something else stands there', 'Move it away.'],
  ENOTEMPTY: ['the folder is not empty', 'Another process may be writing to it; try again.'],
  ELOOP: ['its links lead in a circle', 'Repair the links.'],
  ENOSPC: ['no space is left on the device', 'Free some space.'],
  EDQUOT: ['the disk quota is used up', 'Free some space.'],
  EMFILE: ['too many files are open', 'Raise the limit of open files.'],
  EBUSY: ['it is in use', 'Close the program that uses it.'],
  ENAMETOOLONG: ['the name is too long', 'Choose a shorter path.'],
};

/** `error` as TrestleError `file_error`: "Cannot write /x: permission denied (EACCES)." */
export function fileError(path: string, action: string, error: unknown): TrestleError {
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

/** What `work` gives, or undefined where there is nothing at the path. */
export function orUndefined<T>(path: string, action: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(path, action, error);
  }
}
