/**
 * Copies what the tests and figures of the block need of snapshots of real servers: `node scripts/copy-snapshots.ts FOLDER`. FOLDER holds
 * one JSON file a server. Kept are names and the beginnings of descriptions, of servers whose licence allows copies, with that licence;
 * schemas only of two.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Snapshot {
  readonly server: string;
  readonly package: string;
  readonly version: string;
  readonly license?: string;
  readonly initialize: {
    readonly instructions?: string;
    readonly serverInfo?: { readonly title?: string; readonly name?: string };
  };
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema?: unknown }[];
  readonly resources?: readonly unknown[];
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder?');
const withSchemas: ReadonlySet<string> = new Set(['github', 'slack']);
const descriptionCharacters = 120;
const instructionsCharacters = 400;

const servers = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Snapshot)
  .filter(({ license = '' }) => /^(?:MIT|ISC|Apache-2\.0)$/.test(license))
  .map(({ server, package: from, version, license, initialize, tools, resources }) => ({
    server,
    package: from,
    version,
    license,
    description: initialize.serverInfo?.title ?? initialize.serverInfo?.name ?? '',
    instructions: (initialize.instructions ?? '').slice(0, instructionsCharacters),
    resources: resources?.length ?? 0,
    tools: tools.map(({ name, description = '', inputSchema }) => ({
      name,
      description: description.slice(0, descriptionCharacters),
      ...(withSchemas.has(server) ? { inputSchema } : {}),
    })),
  }));
const lines = servers.map((server) => JSON.stringify(server));
writeFileSync(join(import.meta.dirname, '../test/data/servers.json'), `[\n${lines.join(',\n')}\n]\n`);
