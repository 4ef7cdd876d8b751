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

/**
 * Resolutions of definitions, done again only when a variable that a definition names, or PATH, has another value: a warm call
 * must not pay for them.
 */
export function createResolutions(context: ResolveContext): (definition: Definition) => Promise<ResolvedServer> {
  const kept = new WeakMap<Definition, Kept>();
  const { env } = context;
  return async (definition) => {
    const known = kept.get(definition);
    if (known?.variables.every(([name, value]) => env[name] === value) === true) return known.resolved;
    const names = [...referencedVariables(definition), 'PATH', 'Path'];
    const variables = names.map((name) => [name, env[name]] as const);
    const resolved = await resolveDefinition(definition, context);
    kept.set(definition, { resolved, variables });
    return resolved;
  };
}
