/** Which servers' tools are told of and found: those that can be called, since what cannot would be shown in vain. */
import type { ConfigView } from '../../config/index.ts';
import type { IndexedServer } from '../../registry/index.ts';
import type { Asker } from '../asker.ts';
import { verdictOf } from '../consent/trust.ts';
import type { Core } from '../core.ts';
import { registeredDefinition } from './registered-definition.ts';
import { registeredServers } from './registered.ts';

/** What decides it. */
export interface CallableFacts {
  readonly config: ConfigView;
  /** Servers that only the registry knows and a person has approved: they are called like those of a configuration. */
  readonly approved: ReadonlySet<string>;
}

/** Of what the registry has, which whoever has just looked at it hands in. Throws `config_unreadable`. */
export function callableFacts(
  core: Core,
  asker: Asker,
  stored: readonly IndexedServer[] = core.registry.servers().value,
): CallableFacts {
  const config = core.config(asker);
  const { servers, waiting, broken } = config;
  const by = { caller: asker.caller ?? core.caller, scope: asker.scope ?? core.scope };
  const approved = [...registeredServers(stored, config).keys()].filter((name) => {
    if (servers.has(name) || waiting.has(name) || broken.has(name)) return false;
    const definition = readable(core, name);
    return definition !== undefined && verdictOf(core, definition, by) === 'approved';
  });
  return { config, approved: new Set(approved) };
}

/** Undefined for one that is nothing to connect to: its record has lost a part. */
function readable(core: Core, name: string): ReturnType<typeof registeredDefinition> {
  try {
    return registeredDefinition(core, name);
  } catch {
    return undefined;
  }
}

/** Why a server cannot be called, in one clause. */
export function whyNotCallable(name: string, { config, approved }: CallableFacts): string | undefined {
  const { servers, waiting, broken } = config;
  if (broken.has(name)) return 'its entry is broken: trestle status';
  const definition = servers.get(name);
  if (definition !== undefined) return definition.enabled ? undefined : 'it is disabled';
  if (waiting.has(name)) return `nobody has approved it: trestle approve ${name}`;
  return approved.has(name) ? undefined : 'it stands in no configuration';
}

/** The names of all that can be called, sorted. */
export function callableServers(facts: CallableFacts): readonly string[] {
  const names = [...facts.config.servers.keys(), ...facts.approved];
  return names.filter((name) => whyNotCallable(name, facts) === undefined).sort();
}
