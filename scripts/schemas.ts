/** Writes the JSON Schemas of the registry's files to schemas/. Run after a change of src/registry/schemas.ts. */
import { join } from 'node:path';
import { prettyJson, writeFileAtomic } from '../src/base/index.ts';
import { publishedSchemas } from '../src/registry/schemas.ts';

for (const [name, schema] of publishedSchemas()) {
  await writeFileAtomic(join(import.meta.dirname, '..', 'schemas', name), prettyJson(schema));
}
