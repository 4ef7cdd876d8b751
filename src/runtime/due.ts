/** R6's decision: whether a configured server has to be synced. Pure. */
import { jsonEquals } from '../base/index.ts';
import type { Definition } from '../config/index.ts';
import type { ServerMeta } from '../registry/index.ts';
import { recordedDefinition } from './record.ts';
import type { DueReason } from './reload-report.ts';

/** Members of meta.json that come from the definition alone. */
const definedMembers = ['transport', 'auth', 'lifecycle'] as const;

/**
 * Why `definition` has to be synced; undefined when the registry's record of it is in force. `redact` must know the secrets of the
 * definition, as it did when the record was written.
 */
export function dueReason(
  definition: Definition,
  stored: ServerMeta | undefined,
  redact: (text: string) => string,
): DueReason | undefined {
  if (stored === undefined) return { why: 'never-synced', differs: [] };
  // What a person wrote is replaced only by force.
  if (stored.syncedFrom === 'manual') return undefined;
  const wanted = recordedDefinition(definition, redact);
  const differs = definedMembers.filter((member) => !jsonEquals(stored[member], wanted[member]));
  return differs.length === 0 ? undefined : { why: 'changed', differs };
}
