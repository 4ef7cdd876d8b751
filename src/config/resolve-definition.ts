/** Resolution, loaded when it is needed: who only looks at files never does. */
import type { Definition, ResolvedServer } from './definition.ts';
import type { ResolveContext } from './where-it-runs.ts';

/**
 * Resolves every `${…}` reference and relative path. Throws `missing_variable` or `missing_secret` naming what is missing, server and
 * member, `unsupported_setting` for references of other kinds, `config_entry_invalid` for an unusable URL or header, and what the
 * store of secrets throws.
 */
export async function resolveDefinition(definition: Definition, context: ResolveContext): Promise<ResolvedServer> {
  const { resolve } = await import('./resolve.ts');
  return resolve(definition, context);
}
