import type { Definition, ResolvedServer } from './definition.ts';

/** What a resolution may read. */
export interface ResolveContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The user's home folder: working folder of user definitions, and `~`. */
  readonly userHome: string;
  /** Working folder for ad hoc definitions. */
  readonly cwd: string;
}

/** Resolves every `${…}` reference and relative path. Throws `missing_variable` naming variable, server and member. */
export async function resolveDefinition(definition: Definition, context: ResolveContext): Promise<ResolvedServer> {
  throw new Error(`not built: ${definition.name} ${context.cwd}`);
}

/** Names of the environment variables a definition refers to. */
export function referencedVariables(definition: Definition): readonly string[] {
  throw new Error(`not built: ${definition.name}`);
}
