/** Every JSON Schema that is published (2020-12), by the kind of file that it describes: `schemas/<kind>.schema.json`. */
import { z } from 'zod';
import type { JsonObject } from '../src/base/index.ts';
import { registrySchemas } from '../src/registry/schemas.ts';
import { approvalsSchema } from './approvals-schema.ts';
import { serversSchema } from './servers-schema.ts';
import { settingsSchema } from './settings-schema.ts';

export const fileSchemas = {
  servers: serversSchema,
  settings: settingsSchema,
  approvals: approvalsSchema,
  'registry-meta': registrySchemas.meta,
  'registry-tool': registrySchemas.tool,
  'registry-resources': registrySchemas.resources,
  'registry-prompts': registrySchemas.prompts,
  'registry-index': registrySchemas.index,
} as const;

export type FileKind = keyof typeof fileSchemas;

export const fileKinds = Object.keys(fileSchemas) as readonly FileKind[];

export const schemaFile = (kind: FileKind): string => `${kind}.schema.json`;

export function publishedSchema(kind: FileKind): JsonObject {
  return z.toJSONSchema(fileSchemas[kind]) as JsonObject;
}
