/** The published JSON Schemas, copied into the home so that editors find them beside the files that they describe. */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readTextSync, statSync, writeFileAtomic } from '../base/index.ts';
import type { Places } from '../runtime/index.ts';

/** Of the files that people write. */
const names = ['servers.schema.json', 'settings.schema.json'] as const;

/** How far below the package's folder this file may lie, as it is written and as it is bundled. */
const levels = 3;

/**
 * What `$schema` of a new `file` should say, once the copies are as this version has them. Undefined where the file is not the
 * person's own servers.json, has been there without schemas, or the copies cannot be made: an editor's comfort stops no command.
 */
export async function schemaFor(file: string, places: Places): Promise<string | undefined> {
  if (places.isOfProject === true || file !== places.serversFile) return undefined;
  const home = dirname(places.stateFolder);
  const folder = join(home, 'schemas');
  if (statSync(file) !== undefined && statSync(folder) === undefined) return undefined;
  const source = publishedFolder(import.meta.dirname, levels);
  if (source === undefined) return undefined;
  try {
    for (const name of names) await copyIfOther(join(source, name), join(folder, name));
  } catch {
    return undefined;
  }
  return dirname(file) === home ? `./schemas/${names[0]}` : pathToFileURL(join(folder, names[0])).href;
}

async function copyIfOther(from: string, to: string): Promise<void> {
  const text = readTextSync(from) ?? '';
  if (readTextSync(to) !== text) await writeFileAtomic(to, text, { durable: false });
}

/** The package's folder of schemas, at `below` or so many levels above it. */
function publishedFolder(below: string, above: number): string | undefined {
  const folder = join(below, 'schemas');
  if (statSync(join(folder, names[0])) !== undefined) return folder;
  return above === 0 ? undefined : publishedFolder(dirname(below), above - 1);
}
