/** The servers in force: a person's own, and over them what a project asks for once that was approved. Pure. */
import type { TrestleError } from '../base/index.ts';
import type { Definition } from './definition.ts';
import type { ConfigView, Verdict, WaitingServer } from './config-view.ts';
import { entryError, serverSubject } from './members.ts';
import type { ProjectServers } from './project.ts';

export interface Layers {
  readonly user: ConfigView;
  readonly project: ProjectServers;
  readonly verdict: (definition: Definition) => Verdict;
}

/** The nearest approved definition of a name stands over the user's own; what is not approved never does. */
export function layered({ user, project, verdict }: Layers): ConfigView {
  const servers = new Map(user.servers);
  const broken = new Map(user.broken);
  const waiting = new Map<string, WaitingServer>();
  const notices = [...user.notices, ...project.notices];
  const own = new Set([...user.servers.keys(), ...user.broken.keys()]);
  const spellings = new Map([...own].map((name) => [name.toLowerCase(), name]));
  const decided = new Set<string>();
  const breaks = (name: string, problem: TrestleError): void => {
    if (servers.has(name) || broken.has(name)) notices.push(problem.message);
    else broken.set(name, problem);
  };
  for (const definition of project.definitions) {
    const { name, source } = definition;
    const spelled = spellings.get(name.toLowerCase()) ?? name;
    spellings.set(name.toLowerCase(), spelled);
    if (spelled !== name) {
      const entry = serverSubject(name, source.file, false);
      breaks(name, entryError(entry, 'its name', `differs from ${JSON.stringify(spelled)} only in case`));
      continue;
    }
    if (decided.has(name)) continue;
    const found = definition.enabled ? verdict(definition) : 'not approved';
    if (found === 'approved') {
      servers.set(name, withRulesOf(user.servers.get(name), definition));
      broken.delete(name);
      decided.add(name);
    } else if (!definition.enabled) {
      // It starts nothing, so that there is nothing to approve; it is seen where it hides nobody else.
      if (!servers.has(name) && !broken.has(name)) servers.set(name, definition);
    } else if (!waiting.has(name)) waiting.set(name, { definition, why: found });
  }
  for (const { name, problem } of project.broken) breaks(name, problem);
  return { servers: sorted(servers), waiting: sorted(waiting), broken, notices };
}

/** What a user's own entry of that name denies, or has asked about, a project cannot allow: its lists only add to that. */
function withRulesOf(own: Definition | undefined, definition: Definition): Definition {
  if (own?.tools === undefined) return definition;
  const { allow, deny, ask } = own.tools;
  const theirs = definition.tools ?? { allow: undefined, deny: [], ask: [] };
  return {
    ...definition,
    tools: { allow: allow ?? theirs.allow, deny: [...deny, ...theirs.deny], ask: [...ask, ...theirs.ask] },
  };
}

function sorted<T>(byName: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
}
