/**
 * Where compiled code of this program is kept. Whoever can write there decides what the program does: so never where a project could
 * have put something. As small as the file that asks for it, and loaded with it.
 */

interface Whereabouts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly userHome: string;
}

/** In the home that the environment names, or in the user's own where that one lies in the project of the working folder (K2). */
export function codeFolder({ env, cwd, userHome }: Whereabouts): string {
  const path = process.getBuiltinModule('node:path');
  const own = path.join(userHome, '.trestle');
  const named = path.resolve(cwd, env['TRESTLE_HOME'] || own);
  const home = named === own || !isInProject(named, cwd, userHome) ? named : own;
  return path.join(home, 'cache', 'code');
}

/** As in config, which is not loaded yet. */
function isInProject(place: string, cwd: string, userHome: string): boolean {
  const fs = process.getBuiltinModule('node:fs');
  const path = process.getBuiltinModule('node:path');
  const [home, user, start] = [place, userHome, cwd].map(canonical) as [string, string, string];
  for (let folder = start; ; folder = path.dirname(folder)) {
    const isProject = folder === start || fs.existsSync(path.join(folder, '.git'));
    if (isProject && isInside(home, folder) && !isInside(user, folder)) return true;
    if (path.dirname(folder) === folder) return false;
  }
}

/** Through links, as far as there is something. */
function canonical(place: string): string {
  const path = process.getBuiltinModule('node:path');
  try {
    return process.getBuiltinModule('node:fs').realpathSync.native(place);
  } catch {
    const folder = path.dirname(place);
    return folder === place ? place : path.join(canonical(folder), path.basename(place));
  }
}

/** Both canonical. */
function isInside(place: string, folder: string): boolean {
  const { sep } = process.getBuiltinModule('node:path');
  return place === folder || place.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
