/** Where the files of other tools may be: those of the user, and those of the project somebody is in. */
import { dirname, join, sep } from 'node:path';
import { isThereSync, listEntriesSync } from '../../base/index.ts';
import { projectFolders } from '../project-files.ts';
import type { FormatId, Machine } from './format.ts';
import type { SourceFile } from './read-source.ts';
import { formats } from './table.ts';

export interface Surroundings extends Machine {
  /** Absolute and canonical: projects are looked for from here up to the root of the repository. */
  readonly cwd: string;
}

/** Every file that one of `wanted` may have, whether or not it is there; nearest projects last, so that those of the user come first. */
export function findSources(surroundings: Surroundings, wanted: readonly FormatId[]): readonly SourceFile[] {
  const folders = importFolders(surroundings);
  return wanted.flatMap((id) => {
    const format = formats[id];
    const user = format
      .userFiles(surroundings)
      .flatMap(expanded)
      .map((file): SourceFile => {
        return { format, file, root: rootOf(file, surroundings.userHome), folder: undefined };
      });
    const project = folders.flatMap((folder) =>
      format.projectFiles.map((name): SourceFile => ({ format, file: join(folder, name), root: folder, folder })),
    );
    const own = new Set(user.map(({ file }) => file));
    return [...user, ...project.filter(({ file }) => !own.has(file))];
  });
}

/** A path with a folder `*` in it, for each folder that is there. */
function expanded(file: string): readonly string[] {
  const [parent = '', name] = file.split(`${sep}*${sep}`);
  if (name === undefined) return [file];
  const folders = isThereSync(parent, false) ? listEntriesSync(parent).filter(({ kind }) => kind === 'folder') : [];
  return folders.map((folder) => join(parent, folder.name, name)).sort();
}

/** The project's folders, the user's home apart: what lies there is the user's own, or nobody's project. */
export function importFolders({ cwd, userHome }: Pick<Surroundings, 'cwd' | 'userHome'>): readonly string[] {
  return projectFolders(cwd).filter((folder) => folder !== userHome);
}

/** What a variable names may lie outside of the home: then the file has to be where it says. */
function rootOf(file: string, userHome: string): string {
  return file.startsWith(join(userHome, '/')) ? userHome : dirname(file);
}
