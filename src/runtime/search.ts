/** Search over the tools that can be called: from the registry's files, nothing is started. */
import { callableServers } from './callable-servers.ts';
import { type Core, withoutSecrets } from './core.ts';
import { findServer } from './find-server.ts';
import type { FoundTools, ToolSearch } from './tool-search.ts';

/** Throws `invalid_arguments`, `config_unreadable`, and for a named server what {@link findServer} does. */
export async function searchTools(core: Core, { query, server, limit, cursor }: ToolSearch): Promise<FoundTools> {
  const servers = server === undefined ? callableServers(core.config()) : [findServer(core, server).name];
  const { value, findings } = await core.visible.search({ query, servers, limit, cursor });
  return withoutSecrets(core, { ...value, findings });
}
