/** Files in a project that ask for servers. They are only noticed: nothing in a project may start or connect anything unasked. */
import { canonicalPathSync, statSync } from '../base/index.ts';
import { dirname, join } from 'node:path';

const projectFiles = [join('.trestle', 'servers.json'), '.mcp.json'] as const;

/** Project files from `cwd` up to the root of its repository (`cwd` alone outside of one), the user's own file apart; nearest first. */
export function findProjectFiles(cwd: string, userFile: string): readonly string[] {
  const folders = foldersToRoot(cwd);
  const found = folders.flatMap((folder) => projectFiles.map((name) => join(folder, name))).filter(isFile);
  if (found.length === 0) return found;
  const own = canonicalPathSync(userFile);
  return found.filter((file) => canonicalPathSync(file) !== own);
}

function isFile(path: string): boolean {
  // A project that cannot be looked at has nothing to say.
  try {
    const kind = statSync(path)?.kind;
    return kind === 'file' || kind === 'link';
  } catch {
    return false;
  }
}

function foldersToRoot(cwd: string): readonly string[] {
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
