/**
 * The shapes of the registry's files, strict where readers are lenient. The JSON Schemas in schemas/ are generated from
 * these (`npm run schemas`). Loaded by `validate` only: the schema library doubles the start of a command.
 */
import { z } from 'zod';

const anyObject = z.looseObject({});
const texts = z.record(z.string(), z.string());

const stdioTransport = z.looseObject({
  kind: z.literal('stdio'),
  command: z.string().min(1).describe('Program, as configured: ${…} references stay references.'),
  args: z.array(z.string()),
  env: texts.describe('Variables by name; secrets as references only.'),
  cwd: z.string().optional(),
});

const httpTransport = z.looseObject({
  kind: z.literal('http'),
  url: z.string().min(1),
  headers: texts.describe('Headers by name; secrets as references only.'),
});

const metaSchema = z
  .looseObject({
    name: z.string().min(1).max(64).describe("The server's name, equal to the name of its folder."),
    project: z.string().optional().describe('The file of a project that asks for this server.'),
    description: z.string(),
    instructions: z
      .string()
      .describe('For the model. A text that differs from what the last sync wrote is kept by sync.'),
    transport: z.discriminatedUnion('kind', [stdioTransport, httpTransport]),
    auth: z.looseObject({ kind: z.string() }),
    lifecycle: z.looseObject({
      mode: z.enum(['lazy', 'eager', 'keep-alive']),
      idleTimeoutMinutes: z.number().min(0).describe('0 = default.'),
      requestTimeoutMs: z.number().min(0).describe('0 = default.'),
    }),
    capabilities: anyObject.describe('As the server declared them.'),
    syncedFrom: z.enum(['live-server', 'manual']).describe('"manual" descriptors are replaced with --force only.'),
    syncedAt: z.iso.datetime({ offset: true }),
    instructionsDigest: z.string().optional().describe('Pins the instructions that the last sync read.'),
    digest: z.string().optional().describe('Pins all else in this folder; written last by sync.'),
  })
  .describe('<server>/meta.json of a Trestle registry.');

const toolSchema = z
  .looseObject({
    name: z.string().min(1),
    title: z.string().optional(),
    description: z.string().optional(),
    inputSchema: anyObject,
    outputSchema: anyObject.optional(),
    annotations: anyObject.optional(),
  })
  .describe('<server>/tools/<key>.json of a Trestle registry: one tool as its server describes it.');

const resourcesSchema = z
  .looseObject({
    resources: z.array(z.looseObject({ uri: z.string(), name: z.string() })),
    resourceTemplates: z.array(z.looseObject({ uriTemplate: z.string(), name: z.string() })),
  })
  .describe('<server>/resources.json of a Trestle registry.');

const promptsSchema = z
  .looseObject({ prompts: z.array(z.looseObject({ name: z.string() })) })
  .describe('<server>/prompts.json of a Trestle registry.');

const indexSchema = z
  .looseObject({
    servers: z.array(
      z.looseObject({
        name: z.string(),
        project: z.string().optional(),
        description: z.string(),
        transport: z.enum(['stdio', 'http']),
        syncedAt: z.string(),
        toolCount: z.int().min(0),
        resources: z.int().min(0),
        resourceTemplates: z.int().min(0),
        prompts: z.int().min(0),
        stamp: z.string().describe('Opaque: tells whether meta.json or the tools folder changed since.'),
        filesStamp: z.string().describe('Opaque: tells whether another file changed since.'),
        tools: z.array(
          z.looseObject({ name: z.string(), key: z.string(), title: z.string().optional(), description: z.string() }),
        ),
      }),
    ),
  })
  .describe('index.json of a Trestle registry: derived from the other files and made anew whenever it is older.');

/** By the name of the published file: `schemas/registry-<name>.schema.json`. */
export const registrySchemas = {
  meta: metaSchema,
  tool: toolSchema,
  resources: resourcesSchema,
  prompts: promptsSchema,
  index: indexSchema,
} as const;

export interface SchemaProblem {
  /** JSON Pointer. */
  readonly field: string;
  readonly problem: string;
}

/** What is wrong with `value` as the file `name`. */
export function schemaProblems(name: keyof typeof registrySchemas, value: unknown): readonly SchemaProblem[] {
  const parsed = registrySchemas[name].safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({ field: pointer(path), problem: clause(message) }));
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const clause = (message: string): string => `is wrong: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;

/** The published JSON Schemas (2020-12), by file name. */
export function publishedSchemas(): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(registrySchemas).map(([name, schema]) => [`registry-${name}.schema.json`, z.toJSONSchema(schema)]),
  );
}
