/** Writes the JSON Schemas of our files to schemas/. Run after a change of src/registry/schemas.ts or scripts/servers-schema.ts. */
import { join } from 'node:path';
import { prettyJson, writeFileAtomic } from '../src/base/index.ts';
import { publishedSchemas } from '../src/registry/schemas.ts';
import { publishedServersSchema } from './servers-schema.ts';

for (const [name, schema] of [...publishedSchemas(), ['servers.schema.json', publishedServersSchema()] as const]) {
  await writeFileAtomic(join(import.meta.dirname, '..', 'schemas', name), prettyJson(schema));
}
