/** Paths that a model gives: some reach another machine, or a device, just by being looked at. */
import { isDeviceName } from '../../base/index.ts';

/** Why a path is not even looked at, a clause; undefined when it may be. `platform` is Node.js's name of the system. */
export function configPathProblem(path: string, platform: string): string | undefined {
  if (path.includes('\0')) return 'it has a NUL character';
  if (platform !== 'win32') return undefined;
  // Windows signs in to a machine that is named so, with the credentials of the user.
  if (/^[\\/]{2}/.test(path)) return 'it names another machine';
  return path.split(/[\\/]/).some((segment) => isDeviceName(segment)) ? 'it names a device' : undefined;
}
