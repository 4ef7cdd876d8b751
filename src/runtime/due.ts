/** R6's decision: whether a configured server has to be synced. */
import { jsonEquals } from '../base/index.ts';
import type { Definition } from '../config/index.ts';
import type { Caller } from './caller.ts';
import type { Core } from './core.ts';
import type { ServerMeta } from '../registry/index.ts';
import { recordedDefinition } from './record.ts';
import type { DueReason } from './reload-report.ts';

/** Members of meta.json that come from the definition alone. */
const definedMembers = ['transport', 'auth', 'lifecycle'] as const;

/**
 * Pure: why `definition` has to be synced; undefined when the registry's record of it is in force. `redact` must know the secrets of the
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

/** As {@link dueReason}, for a definition whose secrets may not be known yet. */
export async function dueReasonOf(core: Core, definition: Definition, caller: Caller): Promise<DueReason | undefined> {
  const stored = core.registry.meta(definition.name).value;
  const look = (): DueReason | undefined => dueReason(definition, stored, (text) => core.redactor.redact(text));
  if (look()?.why !== 'changed') return look();
  // The record was written with the definition's secrets replaced. What the definition lacks is told by its sync.
  await core.connections.learn(definition, caller).catch(() => {});
  return look();
}
