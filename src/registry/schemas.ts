/**
 * The shapes of the registry's files, strict where readers are lenient. The JSON Schemas in schemas/ are generated from
 * these (`npm run schemas`). Loaded by `validate` only: the schema library doubles the start of a command.
 */
import { indexSchema } from './index-schema.ts';
import { promptsSchema, resourcesSchema, toolSchema } from './listed-schemas.ts';
import { metaSchema } from './meta-schema.ts';

/** By the name of the published file: `schemas/registry-<name>.schema.json`. */
export const registrySchemas = {
  meta: metaSchema,
  tool: toolSchema,
  resources: resourcesSchema,
  prompts: promptsSchema,
  index: indexSchema,
} as const;
