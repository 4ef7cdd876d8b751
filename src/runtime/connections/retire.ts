/** Which connections end because of what a configuration says now. */
import { type ConfigView, type Definition, isSameDefinition } from '../../config/index.ts';
import type { Connections } from './connections.ts';

/** Sessions of servers that were removed, disabled or changed end after their calls. */
export function retireUnwanted(
  connections: Connections,
  { now, before }: { readonly now: ConfigView; readonly before: ConfigView | undefined },
): void {
  for (const server of connections.ownServers) {
    const definition = now.servers.get(server);
    const old = before?.servers.get(server);
    if (definition === undefined || !definition.enabled) connections.retire(server);
    else if (old !== undefined && !isSameDefinition(old, definition)) connections.retire(server);
  }
}

/** Sessions of servers that a project does not ask for any more, or asks for in another way, end after their calls. */
export function retireChanged(
  connections: Connections,
  now: readonly Definition[],
  before: readonly Definition[],
): void {
  for (const old of before) {
    const kept = now.find(({ registryName }) => registryName === old.registryName);
    if (kept === undefined || !kept.enabled || !isSameDefinition(kept, old)) connections.retire(old.registryName);
  }
}
