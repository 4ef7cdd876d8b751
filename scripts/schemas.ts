/**
 * Writes the JSON Schemas of our files to schemas/, and the tables of docs/config-format.md. Run after a change of
 * src/registry/schemas.ts, of the schemas in scripts/, or of src/config/formats.
 */
import { join } from 'node:path';
import { prettyJson, readTextSync, writeFileAtomic } from '../src/base/index.ts';
import { publishedSchemas } from '../src/registry/schemas.ts';
import { withTables } from './config-format.ts';
import { publishedServersSchema } from './servers-schema.ts';
import { publishedSettingsSchema } from './settings-schema.ts';

const own = { servers: publishedServersSchema(), settings: publishedSettingsSchema() };
const all = [
  ...publishedSchemas(),
  ['servers.schema.json', own.servers],
  ['settings.schema.json', own.settings],
] as const;
for (const [name, schema] of all) {
  await writeFileAtomic(join(import.meta.dirname, '..', 'schemas', name), prettyJson(schema));
}
const page = join(import.meta.dirname, '..', 'docs', 'config-format.md');
await writeFileAtomic(page, withTables(readTextSync(page) ?? '', own));
