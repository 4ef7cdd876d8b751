import { proxyVariables } from '../base/index.ts';
import { type Definition, referencedVariables, resolveDefinition, type ResolvedServer } from '../config/index.ts';
import type { Caller } from './caller.ts';

interface Kept {
  readonly resolved: ResolvedServer;
  /** The variables it rests on, with their values then. */
  readonly variables: readonly (readonly [name: string, value: string | undefined])[];
}

export interface Resolutions {
  /** An earlier resolution for the caller, if it still holds. */
  known(definition: Definition, caller: Caller): ResolvedServer | undefined;
  /** Resolves anew. Throws as `resolveDefinition` does. */
  resolve(definition: Definition, caller: Caller): Promise<ResolvedServer>;
}

/** What is the same for every caller. */
export interface Host {
  readonly platform: string;
  readonly userHome: string;
}

/**
 * Resolutions of definitions, which hold until a variable that the definition names, PATH, or for a URL a proxy, has another
 * value: a warm call must not pay for them.
 */
export function createResolutions(host: Host): Resolutions {
  const callers = new WeakMap<Caller, WeakMap<Definition, Kept>>();
  const path = host.platform === 'win32' ? ['PATH', 'Path'] : ['PATH'];
  return {
    known(definition, caller) {
      const known = callers.get(caller)?.get(definition);
      const holds = known?.variables.every(([name, value]) => caller.env[name] === value) === true;
      return holds ? known.resolved : undefined;
    },
    async resolve(definition, caller) {
      const proxies = definition.transport.kind === 'http' ? proxyVariables : [];
      const names = [...referencedVariables(definition), ...path, ...proxies];
      const variables = names.map((name) => [name, caller.env[name]] as const);
      const resolved = await resolveDefinition(definition, { ...host, ...caller });
      const kept = callers.get(caller) ?? new WeakMap<Definition, Kept>();
      callers.set(caller, kept.set(definition, { resolved, variables }));
      return resolved;
    },
  };
}
