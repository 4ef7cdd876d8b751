/** The sync that the first call of a never-synced server brings with it. */
import { asTrestleError, type Deadline, limits, startDeadline, within } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import type { ToolDescriptor } from '../../registry/index.ts';
import type { Session } from '../../session/index.ts';
import type { Asker } from '../asker.ts';
import type { Core } from '../core.ts';
import { readCatalogue } from '../sync/catalogue.ts';
import { store } from '../sync/sync.ts';

interface Connected extends Asker {
  readonly definition: Definition;
  readonly session: Session;
  readonly deadline: Deadline;
}

/** The server's tools; the registry has them too afterwards, unless it cannot be written: then a notice says so. */
export async function firstSync(core: Core, connected: Connected): Promise<readonly ToolDescriptor[]> {
  const { registryName: name } = connected.definition;
  const syncs = core.firstSyncs;
  const other = syncs.get(name);
  if (other !== undefined) {
    // Whether it succeeded is seen in the registry; if not, everybody looks for himself.
    await within(
      connected.deadline,
      other.catch(() => {}),
    );
    if (core.registry.server(name).value !== undefined) return core.registry.tools(name).value;
  }
  const own = core.refreshes.during(name, () => listAndStore(core, connected));
  syncs.set(name, own);
  try {
    return await own;
  } finally {
    if (syncs.get(name) === own) syncs.delete(name);
  }
}

async function listAndStore(core: Core, connected: Connected): Promise<readonly ToolDescriptor[]> {
  const { definition, session, deadline } = connected;
  using others = startDeadline({
    clock: core.clock,
    idleMs: limits.firstSyncListsMs,
    totalMs: limits.firstSyncListsMs,
    signal: deadline.signal,
    subject: `${definition.name}: sync`,
    server: definition.name,
  });
  const catalogue = await readCatalogue(session, deadline, { others });
  // Without its tools there is nothing to call.
  if (catalogue.toolsFailure !== undefined) throw catalogue.toolsFailure;
  try {
    await within(deadline, store(core, { ...connected, info: session.info, catalogue }, { signal: deadline.signal }));
  } catch (error) {
    deadline.throwIfOver();
    const { message } = asTrestleError(error);
    core.tell({ kind: 'notice', server: definition.name, text: `${definition.name} was not synced: ${message}` });
  }
  return catalogue.tools ?? [];
}
