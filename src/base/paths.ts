/** Paths that come from servers, models and files, kept inside the folder they belong to. */
import { isAbsolute, resolve, sep } from 'node:path';
import { TrestleError } from './errors.ts';
import { canonicalPathSync } from './files/look.ts';
import { isDeviceName } from './names.ts';

/**
 * The user's home folder as the system says it, checked: an empty or relative one would stand for whatever folder somebody
 * happens to be in, and what lies there would count as the user's own. Throws `file_error`.
 */
export function checkedUserHome(read: () => string): string {
  const home = quietly(read);
  if (home !== undefined && isAbsolute(home)) return home;
  throw new TrestleError({
    code: 'file_error',
    message: `The user's home folder ${home === undefined ? 'is not known' : `is no absolute path: ${JSON.stringify(home)}`}.`,
    hint: 'Set the variable HOME (USERPROFILE on Windows) to it.',
  });
}

/** The folder this process was started in. Throws `file_error` when it has been removed since. */
export function checkedWorkingFolder(read: () => string): string {
  const cwd = quietly(read);
  if (cwd !== undefined) return cwd;
  throw new TrestleError({
    code: 'file_error',
    message: 'The working folder does not exist any more.',
    hint: 'Change to another folder: cd',
  });
}

/** The system throws where it has no answer. */
function quietly(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
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
