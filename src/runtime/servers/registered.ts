/** What the registry holds, seen from a configuration. */
import type { ConfigView } from '../../config/index.ts';
import type { IndexedServer } from '../../registry/index.ts';

/**
 * The registry's servers by the names that they have in a configuration, and those that stand in none. A project's server counts only
 * where that project's is in force: elsewhere its folder is nobody's business.
 */
export function registeredServers(
  stored: readonly IndexedServer[],
  { servers }: Pick<ConfigView, 'servers'>,
): ReadonlyMap<string, IndexedServer> {
  const folders = new Map(stored.map((server) => [server.name, server]));
  const registered = new Map<string, IndexedServer>();
  for (const server of stored) {
    if (server.project === undefined && registryNameIn(servers, server.name) === server.name) {
      registered.set(server.name, server);
    }
  }
  for (const { name, registryName } of servers.values()) {
    const server = folders.get(registryName);
    if (server === undefined) registered.delete(name);
    else registered.set(name, server);
  }
  return registered;
}

/** The name of a server's folder in the registry. */
export function registryNameIn(servers: ConfigView['servers'], name: string): string {
  return servers.get(name)?.registryName ?? name;
}
