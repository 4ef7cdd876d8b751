/** Search over the tools that can be called: from the registry's files, nothing is started. */
import { type Core, withoutSecrets } from './core.ts';
import { findServer } from './find-server.ts';
import type { FoundTools, ToolSearch } from './tool-search.ts';

/** Throws `usage`, `config_unreadable`, and for a named server what {@link findServer} does. */
export async function searchTools(core: Core, { query, server, limit, cursor }: ToolSearch): Promise<FoundTools> {
  const servers = server === undefined ? callable(core) : [findServer(core, server).name];
  const { value, findings } = await core.registry.search({ query, servers, limit, cursor });
  return withoutSecrets(core, { ...value, findings });
}

/** A server that is disabled, refused or in the registry only would be found in vain. */
function callable(core: Core): readonly string[] {
  const { servers } = core.config();
  return [...servers.values()]
    .filter(({ enabled, refused }) => enabled && refused === undefined)
    .map(({ name }) => name);
}
