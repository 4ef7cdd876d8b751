/** What the daemon gets of environments: of its starter's next to nothing, of each caller's what their request is about. */
import { inheritedEnvironment } from '../base/index.ts';
import { type Definition, referencedVariables } from '../config/index.ts';
import type { Caller } from '../runtime/index.ts';

/** The daemon's own environment: what Node.js needs. Never what a shell holds for its programs, so no secret. */
export function daemonEnvironment(env: Caller['env'], platform: string): Record<string, string> {
  const inherited = inheritedEnvironment(env, platform);
  return Object.fromEntries(Object.entries(inherited).filter(([name]) => !/proxy$/i.test(name)));
}

/** Variables that speak to Trestle itself. */
const ownVariables = ['MCP_OUTPUT_GUARD'] as const;

/** A caller as the daemon may know them: the variables that `definitions` name, and what every server's process inherits. */
export function callerFor(caller: Caller, definitions: Iterable<Definition>, platform: string): Caller {
  const { env, cwd } = caller;
  const sent: Record<string, string> = inheritedEnvironment(env, platform);
  const named = new Set<string>(ownVariables);
  for (const definition of definitions) for (const name of referencedVariables(definition)) named.add(name);
  const spelled = platform === 'win32' ? spellings(env) : undefined;
  for (const name of named) {
    const written = spelled?.get(name.toUpperCase()) ?? name;
    const value = env[written];
    if (value !== undefined) sent[written] = value;
  }
  return { env: sent, cwd };
}

/** Windows knows variables whatever their case. */
function spellings(env: Caller['env']): ReadonlyMap<string, string> {
  return new Map(Object.keys(env).map((name) => [name.toUpperCase(), name]));
}
