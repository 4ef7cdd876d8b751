/**
 * Writes the JSON Schemas of our files to schemas/, and the tables of docs/config-format.md. Run after a change of
 * src/registry/schemas.ts, of the schemas in scripts/, or of src/config/formats.
 */
import { join } from 'node:path';
import { prettyJson, readTextSync, writeFileAtomic } from '../src/base/index.ts';
import { withTables } from './config-format.ts';
import { fileKinds, publishedSchema, schemaFile } from './published-schemas.ts';

const root = join(import.meta.dirname, '..');
for (const kind of fileKinds) {
  await writeFileAtomic(join(root, 'schemas', schemaFile(kind)), prettyJson(publishedSchema(kind)));
}
const page = join(root, 'docs', 'config-format.md');
await writeFileAtomic(page, withTables(readTextSync(page) ?? ''));
