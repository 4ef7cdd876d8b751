/** The servers that a project asks for, read without trust: whatever stands there, a person's own servers stay as they are. */
import { dirname } from 'node:path';
import { asTrestleError, canonicalPathSync, limits, statSync, TrestleError } from '../base/index.ts';
import type { Definition } from './definition.ts';
import { isInside, type ProjectFile, projectFiles, type ProjectPlaces } from './project-files.ts';
import { loadServersFile, type ServersFile } from './servers-file.ts';

export interface ProjectServers {
  /** Usable entries, disabled ones included, those of the nearest file first; a name may stand in several files. */
  readonly definitions: readonly Definition[];
  /** Entries that could not be used. */
  readonly broken: readonly { readonly name: string; readonly problem: TrestleError }[];
  /** A line for each file that cannot be read, and for members that a project does not decide. */
  readonly notices: readonly string[];
}

/** Never throws: what cannot be read is a line of its own. */
export function loadProject(places: ProjectPlaces): ProjectServers {
  const definitions: Definition[] = [];
  const broken: { readonly name: string; readonly problem: TrestleError }[] = [];
  const notices: string[] = [];
  for (const file of projectFiles(places)) {
    try {
      const read = readProjectFile(file, places);
      if (read === undefined) continue;
      const undecided = [...read.servers.values()].flatMap(undecidedMembers);
      if (undecided.length > 0) notices.push(`${read.file}: not for a project to say: ${undecided.join(', ')}.`);
      definitions.push(...[...read.servers.values()].map(withoutUndecided));
      for (const [name, problem] of read.broken) broken.push({ name, problem });
    } catch (thrown) {
      notices.push(`${asTrestleError(thrown).message} Its servers are left out.`);
    }
  }
  return { definitions, broken, notices };
}

/** Throws `file_error`, `config_unreadable`. */
function readProjectFile({ path, root }: ProjectFile, places: ProjectPlaces): ServersFile | undefined {
  // Most folders have none. What stands behind a link in the place of Trestle's folder is looked at with care, there or not.
  if (statSync(path) === undefined && statSync(dirname(path))?.kind !== 'link') return undefined;
  const canonical = canonicalPathSync(path);
  if (canonical === canonicalPathSync(places.serversFile) && places.isOfProject !== true) return undefined;
  if (!isInside(canonical, canonicalPathSync(root))) throw unusable(path, 'it is a link that leads out of the project');
  const file = loadServersFile(canonical);
  if (file === undefined) return undefined;
  if (file.servers.size + file.broken.size > limits.projectServers) {
    throw unusable(path, `it names more than ${limits.projectServers} servers`);
  }
  return file;
}

function unusable(path: string, problem: string): TrestleError {
  return new TrestleError({ code: 'config_unreadable', message: `${path} is not used: ${problem}.` });
}

/**
 * What a project does not decide: whether its server is connected unasked and kept, or shared with other projects. Approval is for
 * use where the project is.
 */
function withoutUndecided(definition: Definition): Definition {
  return { ...definition, lifecycle: 'lazy', sharing: 'scope' };
}

function undecidedMembers({ name, lifecycle, sharing }: Definition): readonly string[] {
  return [...(lifecycle === 'lazy' ? [] : [`${name}.lifecycle`]), ...(sharing === 'scope' ? [] : [`${name}.sharing`])];
}
