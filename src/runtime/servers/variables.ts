/** What the definitions in force want to know of an environment. */
import { limits } from '../../base/index.ts';
import { type Definition, referencedVariables } from '../../config/index.ts';
import type { Asker } from '../asker.ts';
import type { Core } from '../core.ts';

/** Once a definition: a daemon asks before each request. */
const known = new WeakMap<Definition, readonly string[]>();

/** Names of the variables that a server's definition refers to; of all definitions without a name. Throws `config_unreadable`. */
export function variablesOf(core: Core, server: string | undefined, asker?: Asker): readonly string[] {
  const { servers, waiting } = core.config(asker, limits.callLookMs);
  // Whether a project's definition is the one that was approved is only known with the values of its variables.
  const all = [...servers.values(), ...[...waiting.values()].map(({ definition }) => definition)];
  const asked = server === undefined ? all : all.filter(({ name }) => name === server);
  return [...new Set(asked.flatMap(namesIn))];
}

function namesIn(definition: Definition): readonly string[] {
  const names = known.get(definition) ?? referencedVariables(definition);
  known.set(definition, names);
  return names;
}
