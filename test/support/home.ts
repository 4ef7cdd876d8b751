import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

/** A Trestle home for one test, whose servers.json holds `servers` in the `mcpServers` shape. */
export function homeWith(servers: Readonly<Record<string, unknown>>): string {
  const home = tempFolder();
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: servers }, undefined, 2));
  return home;
}
