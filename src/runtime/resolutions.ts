import {
  type Definition,
  referencedVariables,
  type ResolveContext,
  resolveDefinition,
  type ResolvedServer,
} from '../config/index.ts';

interface Kept {
  readonly resolved: ResolvedServer;
  /** The variables it rests on, with their values then. */
  readonly variables: readonly (readonly [name: string, value: string | undefined])[];
}

export interface Resolutions {
  /** An earlier resolution, if it still holds. */
  known(definition: Definition): ResolvedServer | undefined;
  /** Resolves anew. Throws as `resolveDefinition` does. */
  resolve(definition: Definition): Promise<ResolvedServer>;
}

/**
 * Resolutions of definitions, which hold until a variable that the definition names, or PATH, has another value: a warm call
 * must not pay for them.
 */
export function createResolutions(context: ResolveContext): Resolutions {
  const kept = new WeakMap<Definition, Kept>();
  const { env, platform } = context;
  const path = platform === 'win32' ? ['PATH', 'Path'] : ['PATH'];
  return {
    known(definition) {
      const known = kept.get(definition);
      return known?.variables.every(([name, value]) => env[name] === value) === true ? known.resolved : undefined;
    },
    async resolve(definition) {
      const names = [...referencedVariables(definition), ...path];
      const variables = names.map((name) => [name, env[name]] as const);
      const resolved = await resolveDefinition(definition, context);
      kept.set(definition, { resolved, variables });
      return resolved;
    },
  };
}
