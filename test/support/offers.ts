import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileKey } from '../../src/base/index.ts';
import type { BlockSettings, Offers, ServerOffer, ToolOffer } from '../../src/context/index.ts';

export const root = '/home/user/.trestle/registry';

/** What `servers.json` in test/data holds of one server. */
export interface RealServer {
  readonly server: string;
  readonly description: string;
  readonly instructions: string;
  readonly resources: number;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema?: unknown }[];
}

export function realServers(): readonly RealServer[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../data/servers.json'), 'utf8')) as readonly RealServer[];
}

/** All real servers, as if they were configured. */
export function realOffers(): Offers {
  const servers = realServers().map(({ server, description, instructions, resources, tools }): ServerOffer => ({
    ...offerOf(
      server,
      tools.map((tool) => toolOf(tool.name, tool.description)),
    ),
    description,
    instructions,
    resources,
  }));
  return offersOf(...servers);
}

/** The real servers and four made like them, whose own texts may not be copied: 36 servers with 940 tools. */
export function manyOffers(): Offers {
  const { servers, ...rest } = realOffers();
  const models = ['todoist', 'notion', 'playwright', 'neon'].map((name) =>
    servers.find((server) => server.name === name),
  );
  const made = models.map((model, index): ServerOffer => {
    const name = `made-${index}`;
    const tools = Array.from({ length: 15 }, (_, at) => {
      const like = model?.tools[at % model.tools.length];
      return toolOf(`${like?.name}_${at}`, like?.description);
    });
    return {
      ...offerOf(name, tools),
      description: `Made like ${model?.name}`,
      instructions: model?.instructions ?? '',
    };
  });
  return { ...rest, servers: [...servers, ...made] };
}

export function offersOf(...servers: readonly ServerOffer[]): Offers {
  return { root, servers, leftOut: [] };
}

export function offerOf(name: string, tools: readonly ToolOffer[]): ServerOffer {
  return { name, description: '', instructions: '', folder: `${root}/${name}`, tools, resources: 0 };
}

export function toolOf(name: string, description = '', schema?: unknown): ToolOffer {
  const full = schema === undefined ? {} : { full: { description, schemaJson: JSON.stringify(schema) } };
  return { name, key: fileKey(name), description, ...full };
}

export function settingsOf(settings: Partial<BlockSettings> = {}): BlockSettings {
  return { budgetTokens: 4_000, schemaToolLimit: 10, readsFiles: true, ...settings };
}
