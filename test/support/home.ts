import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

/** Makes `servers` the configured ones of a home, in the `mcpServers` shape. */
export function configureServers(home: string, servers: Readonly<Record<string, unknown>>): void {
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: servers }, undefined, 2));
}

/** A Trestle home for one test with these servers. */
export function homeWith(servers: Readonly<Record<string, unknown>>): string {
  const home = tempFolder();
  configureServers(home, servers);
  return home;
}
