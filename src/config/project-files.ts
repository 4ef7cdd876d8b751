/** Where a project may ask for servers. Nothing that stands there starts or connects anything before a person approved it (K2). */
import { basename, dirname, join, sep } from 'node:path';
import { canonicalPathSync, statSync } from '../base/index.ts';
import type { ConfigPlaces } from './config-view.ts';

/** What a project is looked for in. */
export interface ProjectPlaces extends ConfigPlaces {
  /** Absolute, canonical working folder of whoever asks. */
  readonly cwd: string;
  /** The user's home folder: what lies in Trestle's own folder there is no project's. */
  readonly userHome: string;
}

export interface ProjectFile {
  readonly path: string;
  /** The project's folder: a file that is a link out of it is not read. */
  readonly root: string;
}

/**
 * The files that may ask for servers, there or not, nearest first: from the working folder up to the root of its repository (the
 * working folder alone outside of one). The user's own files are none of them, unless the environment put the home into the project.
 */
export function projectFiles(places: ProjectPlaces): readonly ProjectFile[] {
  const folders = projectFolders(places.cwd);
  const root = folders.at(-1) ?? places.cwd;
  const names = [ownProjectFile(places.serversFile), '.mcp.json'];
  const own = new Set([places.serversFile, join(places.userHome, '.trestle', 'servers.json')]);
  const found = folders
    .flatMap((folder) => names.map((name) => ({ path: join(folder, name), root })))
    .filter(({ path }) => !own.has(path));
  if (places.isOfProject !== true) return found;
  const around = projectRoots(places.cwd).find((folder) =>
    isInside(canonicalPathSync(dirname(places.serversFile)), folder),
  );
  return [...found, { path: places.serversFile, root: around ?? root }];
}

/** Where servers of a project stand in its folder; Pi's users have their own file in Pi's folder. */
export function ownProjectFile(userFile: string): string {
  return basename(userFile) === 'mcp-servers.json' ? join('.pi', 'mcp-servers.json') : join('.trestle', 'servers.json');
}

/** The folders of a project: from `cwd` up to the root of its repository, `cwd` alone outside of one. */
export function projectFolders(cwd: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folder !== cwd) folders.push(folder);
    if (hasRepository(folder)) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

/** `.git` is a folder, or a file in worktrees and submodules. */
function hasRepository(folder: string): boolean {
  try {
    return statSync(join(folder, '.git')) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Whether a path that the environment names lies in the project of the working folder, so that the project may have made what stands
 * there. A repository around the working folder's own counts as well: a submodule's variables come from the one that it is part of. A
 * folder that holds the user's own home is no project.
 */
export function isInProject(path: string, { cwd, userHome }: Pick<ProjectPlaces, 'cwd' | 'userHome'>): boolean {
  const [place, home] = [canonicalPathSync(path), canonicalPathSync(userHome)];
  return projectRoots(canonicalPathSync(cwd)).some((root) => isInside(place, root) && !isInside(home, root));
}

/** The root of the working folder's project, and of every repository around it. */
function projectRoots(cwd: string): readonly string[] {
  const roots = [projectFolders(cwd).at(-1) ?? cwd];
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder)) {
    if (hasRepository(folder)) roots.push(folder);
  }
  return roots;
}

/** Both canonical. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
