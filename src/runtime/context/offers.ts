/** What the block about servers is made of: every server that can be called, as registry and configuration know it. Starts nothing. */
import { stringifyJson } from '../../base/index.ts';
import type { LeftOutServer, Offers, ServerOffer, ToolOffer } from '../../context/index.ts';
import type { IndexedServer, Registry, RegistryFinding } from '../../registry/index.ts';
import { type CallableFacts, whyNotCallable } from '../servers/callable-servers.ts';
import { registeredServers } from '../servers/registered.ts';

export interface OffersFacts {
  readonly registry: Registry;
  readonly callable: CallableFacts;
  readonly registered: readonly IndexedServer[];
  /** Up to so many tools in all their descriptors are read too. */
  readonly schemaToolLimit: number;
}

/** A server that can be called, by its name in the configuration. */
interface Offered {
  readonly name: string;
  readonly stored: IndexedServer;
}

export interface ReadOffers {
  readonly offers: Offers;
  /** Files that are broken or missing; everything else is there. */
  readonly findings: readonly RegistryFinding[];
}

export function readOffers({ registry, callable, registered, schemaToolLimit }: OffersFacts): ReadOffers {
  const { config } = callable;
  const findings: RegistryFinding[] = [];
  const known = registeredServers(registered, config);
  const names = [
    ...new Set([...config.servers.keys(), ...config.waiting.keys(), ...config.broken.keys(), ...known.keys()]),
  ].sort();
  const reasons = names.map((name): LeftOutServer | Offered => {
    const server = known.get(name);
    const why =
      whyNotCallable(name, callable) ??
      (server === undefined ? `it was never synced: trestle sync ${name}` : undefined);
    return why === undefined && server !== undefined ? { name, stored: server } : { server: name, why: why ?? '' };
  });
  const offered = reasons.filter((one): one is Offered => 'stored' in one);
  const tools = offered.reduce((sum, { stored }) => sum + stored.toolCount, 0);
  const servers = offered.map(({ name, stored: server }): ServerOffer => {
    const withSchemas = tools <= schemaToolLimit ? fullTools(registry, server, findings) : server.tools;
    return {
      name,
      description: config.servers.get(name)?.description ?? server.description,
      instructions: server.instructions,
      folder: registry.path(server.name),
      tools: withSchemas,
      resources: server.resources + server.resourceTemplates,
    };
  });
  const leftOut = reasons.filter((one): one is LeftOutServer => 'why' in one);
  return { offers: { root: registry.root, servers, leftOut }, findings };
}

function fullTools(registry: Registry, server: IndexedServer, findings: RegistryFinding[]): readonly ToolOffer[] {
  const read = registry.tools(server.name);
  findings.push(...read.findings);
  const descriptors = new Map(read.value.map((descriptor) => [descriptor.name, descriptor]));
  return server.tools.map((tool) => {
    const descriptor = descriptors.get(tool.name);
    if (descriptor === undefined) return tool;
    const { description, inputSchema } = descriptor;
    return {
      ...tool,
      full: { description: typeof description === 'string' ? description : '', schemaJson: stringifyJson(inputSchema) },
    };
  });
}
