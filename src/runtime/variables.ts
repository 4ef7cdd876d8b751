/** What the definitions in force want to know of an environment. */
import { limits } from '../base/index.ts';
import { type Definition, referencedVariables } from '../config/index.ts';
import type { Core } from './core.ts';

/** Once a definition: a daemon asks before each request. */
const known = new WeakMap<Definition, readonly string[]>();

/** Names of the variables that a server's definition refers to; of all definitions without a name. Throws `config_unreadable`. */
export function variablesOf(core: Core, server: string | undefined): readonly string[] {
  const { servers } = core.config(limits.callLookMs);
  if (server === undefined) return [...new Set([...servers.values()].flatMap(namesIn))];
  const definition = servers.get(server);
  return definition === undefined ? [] : namesIn(definition);
}

function namesIn(definition: Definition): readonly string[] {
  const names = known.get(definition) ?? referencedVariables(definition);
  known.set(definition, names);
  return names;
}
