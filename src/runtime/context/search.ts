/** Search over the tools that can be called: from the registry's files, nothing is started. */
import { type Core, withoutSecrets } from '../core.ts';
import { callableFacts, callableServers } from '../servers/callable-servers.ts';
import { findServer } from '../servers/find-server.ts';
import { registryNameIn } from '../servers/registered.ts';
import type { FoundTools, ToolSearch } from './tool-search.ts';

/** Throws `invalid_arguments`, `config_unreadable`, and for a named server what {@link findServer} does. */
export async function searchTools(core: Core, request: ToolSearch): Promise<FoundTools> {
  const { query, server, limit, cursor } = request;
  const facts = callableFacts(core, request);
  const { config } = facts;
  const names = server === undefined ? callableServers(facts) : [findServer(core, server, request).name];
  const servers = names.map((name) => registryNameIn(config.servers, name));
  const named = new Map(servers.map((folder, at) => [folder, names[at] ?? folder]));
  const { value, findings } = await core.visible.search({ query, servers, limit, cursor });
  const hits = value.hits.map((hit) => ({ ...hit, server: named.get(hit.server) ?? hit.server }));
  return withoutSecrets(core, { ...value, hits, findings });
}
