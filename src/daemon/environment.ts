/** What the daemon gets of environments: of its starter's next to nothing, of each caller's what their request is about. */
import { inheritedEnvironment } from '../base/index.ts';
import type { Caller } from '../runtime/index.ts';

/** The daemon's own environment: what Node.js needs. Never what a shell holds for its programs, so no secret. */
export function daemonEnvironment(env: Caller['env'], platform: string): Record<string, string> {
  const inherited = inheritedEnvironment(env, platform);
  return Object.fromEntries(Object.entries(inherited).filter(([name]) => !/proxy$/i.test(name)));
}

/** A variable that speaks to Trestle itself. */
export const guardVariable = 'MCP_OUTPUT_GUARD';

/** The values that a caller's environment has for `names`. */
export function valuesOf({ env }: Caller, names: readonly string[], platform: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of names) {
    const written = platform === 'win32' ? spelling(env, name) : name;
    const value = env[written];
    if (value !== undefined) values[written] = value;
  }
  return values;
}

/** Windows knows variables whatever their case. */
function spelling(env: Caller['env'], name: string): string {
  if (Object.hasOwn(env, name)) return name;
  return Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase()) ?? name;
}
