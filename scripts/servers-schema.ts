/**
 * The JSON Schema of servers.json, for editors: `"$schema": "…/servers.schema.json"` gives completion and red lines. What
 * Trestle itself accepts is decided by src/config, on whose start-up path no schema library is; a test holds both together.
 */
import { z } from 'zod';

const texts = z.record(z.string(), z.string());
const reference = 'May hold ${VARIABLE} and ${VARIABLE:-default}.';
const seconds = z
  .number()
  .min(0.001)
  .max(86_400)
  .describe('Longest time without a sign of progress of one request, in seconds; default 60.');

const common = {
  enabled: z.boolean().describe('false: known but not used.').optional(),
  disabled: z.boolean().describe('As other tools write it: true is the same as "enabled": false.').optional(),
  description: z.string().optional(),
  timeout: seconds.optional(),
  lifecycle: z.enum(['lazy', 'eager', 'keep-alive']).describe('When it is connected; default lazy.').optional(),
  idleTimeoutMinutes: z
    .number()
    .min(0)
    .max(10_080)
    .describe('Closed after so many idle minutes; 0 = never.')
    .optional(),
  sharing: z.enum(['scope', 'shared']).describe('Whether all conversations share one session.').optional(),
  protocol: z.enum(['auto', 'legacy', 'modern']).describe('Which era of the protocol; default: found out.').optional(),
  protocolVersions: z.array(z.string()).describe('Further initialize-era revisions to offer and accept.').optional(),
  tools: z
    .object({ allow: z.array(z.string()), deny: z.array(z.string()), ask: z.array(z.string()) })
    .partial()
    .optional(),
  auth: z.record(z.string(), z.unknown()).optional(),
  exposure: z.unknown().optional(),
};

const program = z
  .looseObject({
    command: z.string().min(1).describe(`The program. ${reference}`),
    args: z.array(z.string()).describe(`Its arguments, item by item; no shell. ${reference}`).optional(),
    env: texts.describe(`Environment variables. ${reference}`).optional(),
    cwd: z
      .string()
      .describe(`Working folder, relative to this file; default: the home folder. ${reference}`)
      .optional(),
    framing: z
      .enum(['auto', 'newline', 'content-length'])
      .describe('How messages stand in its streams; auto: lines, until it begins with a Content-Length header.')
      .optional(),
    type: z.enum(['stdio', 'local']).optional(),
    ...common,
  })
  .describe('A server that is started as a process.');

const address = z
  .looseObject({
    url: z.string().min(1).describe(`http:// or https://, without a password. ${reference}`),
    headers: texts.describe(`Headers of every request. ${reference}`).optional(),
    transport: z.enum(['auto', 'streamable', 'sse', 'events']).optional(),
    redirects: z.enum(['same-origin', 'none']).optional(),
    type: z.enum(['http', 'sse', 'remote', 'streamable-http', 'streamableHttp', 'streamable_http']).optional(),
    ...common,
  })
  .describe('A server that is reached over HTTP.');

const openCodeCommon = {
  enabled: z.boolean().optional(),
  description: z.string().optional(),
  timeout: z.number().min(1).max(86_400_000).describe('In milliseconds.').optional(),
};

const local = z.looseObject({
  type: z.literal('local'),
  command: z.array(z.string()).min(1).describe('The program and its arguments.'),
  environment: texts.optional(),
  cwd: z.string().optional(),
  ...openCodeCommon,
});

const remote = z.looseObject({
  type: z.literal('remote'),
  url: z.string().min(1),
  headers: texts.optional(),
  oauth: z.union([z.literal(false), z.record(z.string(), z.unknown())]).optional(),
  ...openCodeCommon,
});

/** The file as a whole; members nobody knows are kept and reported. */
export const serversSchema = z
  .looseObject({
    $schema: z.string().optional(),
    mcpServers: z.record(z.string(), z.union([program, address])).optional(),
    mcp: z.record(z.string(), z.union([local, remote])).optional(),
  })
  .describe('servers.json of Trestle: which MCP servers there are, and how to reach them.');

/** As it is published. */
export function publishedServersSchema(): unknown {
  return z.toJSONSchema(serversSchema);
}
