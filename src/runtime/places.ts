import { join } from 'node:path';
import { isInProject } from '../config/index.ts';

/** Where a home's files are. Absolute paths. */
export interface Places {
  readonly serversFile: string;
  readonly settingsFile: string;
  readonly registryRoot: string;
  readonly stateFolder: string;
  /** Of the daemon: where it can be reached, and its log. */
  readonly runFolder: string;
  readonly spillFolder: string;
  /**
   * Whether the environment names a servers file that lies inside the project: what stands in it is then the project's, and waits for
   * approval. All that decides about approval lies elsewhere.
   */
  readonly isOfProject?: boolean;
}

/** The places of a Trestle home folder. */
export function placesOf(home: string): Places {
  return {
    serversFile: join(home, 'servers.json'),
    settingsFile: join(home, 'settings.json'),
    registryRoot: join(home, 'registry'),
    stateFolder: join(home, 'state'),
    runFolder: join(home, 'run'),
    spillFolder: join(home, 'spill'),
  };
}

/** Where somebody works, and whose home is whose. */
export interface Whereabouts {
  readonly cwd: string;
  readonly userHome: string;
}

/**
 * The places of a home that the environment names, undefined for the user's own. One inside the project may be the project's work: then
 * only its servers and what is known of them are taken from there, and settings, approvals, daemon and spill are the user's own.
 */
export function placesFromEnvironment(home: string | undefined, where: Whereabouts): Places {
  const own = placesOf(join(where.userHome, '.trestle'));
  if (home === undefined) return own;
  const named = placesOf(home);
  if (!isInProject(home, where)) return named;
  const { serversFile, registryRoot } = named;
  return { ...own, serversFile, registryRoot, isOfProject: true };
}
