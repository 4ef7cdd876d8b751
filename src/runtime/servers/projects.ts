/** What the projects that callers work in ask for, over the user's own configuration: one view a caller and scope, kept while nothing changed. */
import { canonicalPathSync, type Clock, limits, type Scope } from '../../base/index.ts';
import {
  type ConfigPlaces,
  type ConfigView,
  type Definition,
  layered,
  loadProject,
  projectFiles,
  type ProjectServers,
  type Verdict,
} from '../../config/index.ts';
import type { ToolRules } from '../../policy/index.ts';
import type { Caller } from '../caller.ts';
import { keptWhileUnchanged, type KeptWhileUnchanged, stampOf } from './kept-while-unchanged.ts';

/** What is approved. */
export interface Trust {
  /** Another text whenever another verdict may be given. */
  readonly stamp: () => string;
  readonly verdict: (definition: Definition, caller: Caller, scope: Scope) => Verdict;
}

export interface Projects {
  /** The view of a caller. The look at the project's files may be so old; `now` reads them again whatever their stamps say. */
  over(
    user: ConfigView,
    by: { readonly caller: Caller; readonly scope: Scope },
    lookedWithinMs: number | 'now',
  ): ConfigView;
  /** The tool rules of an approved server, as they stood in the view that was made last. */
  rulesOf(registryName: string): ToolRules | undefined;
}

export interface ProjectsOptions {
  readonly clock: Clock;
  readonly userHome: string;
  readonly trust: Trust;
  readonly onProject: (definitions: readonly Definition[], before: readonly Definition[]) => void;
}

/** A view and what it was made of. */
interface Kept {
  readonly user: ConfigView;
  readonly project: ProjectServers;
  readonly trusted: string;
  readonly view: ConfigView;
}

export function createProjects(places: ConfigPlaces, options: ProjectsOptions): Projects {
  const { clock, userHome, trust, onProject } = options;
  const folders = new Map<string, KeptWhileUnchanged<ProjectServers>>();
  const views = new WeakMap<Caller, Map<Scope, Kept>>();
  // As many as all views that are kept have: a view that stands does not say its rules again.
  const rules = new Map<string, ToolRules | undefined>();

  const projectIn = (cwd: string): KeptWhileUnchanged<ProjectServers> => {
    const known = folders.get(cwd);
    if (known === undefined) dropOldest(folders);
    const kept = known ?? open(cwd);
    // The least lately used stands first.
    folders.delete(cwd);
    folders.set(cwd, kept);
    return kept;
  };
  const open = (cwd: string): KeptWhileUnchanged<ProjectServers> => {
    const of = { ...places, cwd: canonicalPathSync(cwd), userHome };
    const stamp = (): string =>
      projectFiles(of)
        .map(({ path }) => `${path} ${quietStamp(path)}`)
        .join('\n');
    return keptWhileUnchanged({ stamp, clock }, (before: ProjectServers | undefined) => {
      const project = loadProject(of);
      onProject(project.definitions, before?.definitions ?? []);
      return project;
    });
  };

  return {
    over(user, { caller, scope }, lookedWithinMs) {
      if (caller.projectTrusted === false) return user;
      const folder = projectIn(caller.cwd);
      const project = lookedWithinMs === 'now' ? folder.read() : folder.get(lookedWithinMs);
      const { definitions, broken, notices } = project;
      if (definitions.length + broken.length + notices.length === 0) return user;
      const scopes = views.get(caller) ?? new Map<Scope, Kept>();
      const known = scopes.get(scope);
      const trusted = trust.stamp();
      if (known?.user === user && known.project === project && known.trusted === trusted) return known.view;
      const verdict = (definition: Definition): Verdict => trust.verdict(definition, caller, scope);
      const view = layered({ user, project, verdict });
      for (const { source, registryName, tools } of view.servers.values()) {
        if (source.scope !== 'project') continue;
        dropOldest(rules, limits.projectServers * limits.projectViews);
        rules.set(registryName, tools);
      }
      dropOldest(scopes);
      views.set(caller, scopes.set(scope, { user, project, trusted, view }));
      return view;
    },
    rulesOf: (registryName) => rules.get(registryName),
  };
}

function dropOldest(kept: Map<string, unknown>, most: number = limits.projectViews): void {
  for (const oldest of kept.keys()) {
    if (kept.size < most) break;
    kept.delete(oldest);
  }
}

/** What cannot be looked at has nothing to say, until that changes. */
function quietStamp(path: string): string {
  try {
    return stampOf(path);
  } catch {
    return 'closed';
  }
}
