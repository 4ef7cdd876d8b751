/** Paths that come from servers, models and files, kept inside the folder they belong to. */
import { isAbsolute, resolve, sep } from 'node:path';
import { TrestleError } from './errors.ts';
import { canonicalPathSync } from './files.ts';
import { isDeviceName } from './names.ts';

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
