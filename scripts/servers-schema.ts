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

const authMembers = {
  clientId: z.string().optional(),
  clientSecret: z.string().describe(`A secret. ${reference}`).optional(),
  clientMetadataUrl: z
    .string()
    .describe('https:// URL of a client metadata document, which is the client id.')
    .optional(),
  scope: z.string().describe('Scopes to ask for, separated by blanks; default: what the server says.').optional(),
  scopes: z.array(z.string()).describe('The same as a list.').optional(),
  issuer: z.string().describe('The only authorization server that is given a credential.').optional(),
  account: z.string().describe('Which of several stored sign-ins is used.').optional(),
  redirectPort: z
    .number()
    .min(1)
    .max(65_535)
    .describe('Port that is registered for the answer of a sign-in.')
    .optional(),
  dpop: z.boolean().describe('Bind tokens to a key of this machine (RFC 9449).').optional(),
};

const auth = z
  .union([
    z.literal(false),
    z.enum(['none', 'oauth']),
    z.looseObject({
      type: z
        .enum(['none', 'bearer', 'oauth', 'client-credentials', 'private-key-jwt', 'workload', 'enterprise'])
        .describe('How the server is signed in to; default oauth.')
        .optional(),
      ...authMembers,
      token: z.string().describe(`bearer: the token. ${reference}`).optional(),
      privateKey: z.string().describe(`private-key-jwt: PKCS #8 in PEM. ${reference}`).optional(),
      privateKeyFile: z.string().optional(),
      algorithm: z.string().describe('private-key-jwt: default ES256.').optional(),
      assertion: z.string().describe(`workload: a JWT of this machine. ${reference}`).optional(),
      assertionFile: z.string().describe('workload: the file that holds it, read for each sign-in.').optional(),
      idToken: z.string().describe(`enterprise: of the organisation's sign-in. ${reference}`).optional(),
      idTokenFile: z.string().optional(),
      idpTokenEndpoint: z.string().optional(),
      idpClientId: z.string().optional(),
      idpClientSecret: z.string().optional(),
    }),
  ])
  .describe('How the server is signed in to, see docs/sign-in.md.');

const globs = z.array(z.string());

const tools = z
  .object({
    allow: globs.describe('Where it is there, no other tools may be called.'),
    deny: globs.describe('Never called and shown nowhere; wins over the other lists.'),
    ask: globs.describe('A person is asked before each call.'),
  })
  .partial()
  .describe('Names of tools, with * and ?.');

const common = {
  enabled: z.boolean().describe('false: known but not used; default true.').optional(),
  disabled: z.boolean().describe('As other tools write it: true is the same as "enabled": false.').optional(),
  description: z.string().describe('What the server is for.').optional(),
  timeout: seconds.optional(),
  lifecycle: z.enum(['lazy', 'eager', 'keep-alive']).describe('When it is connected; default lazy.').optional(),
  idleTimeoutMinutes: z
    .number()
    .min(0)
    .max(10_080)
    .describe('Minutes without use after which a long-lived host closes it; 0 = never; default 10.')
    .optional(),
  sharing: z
    .enum(['scope', 'shared'])
    .describe('Whether all conversations share one session; default scope: they do not.')
    .optional(),
  protocol: z.enum(['auto', 'legacy', 'modern']).describe('Which era of the protocol; default: found out.').optional(),
  protocolVersions: z.array(z.string()).describe('Further initialize-era revisions to offer and accept.').optional(),
  tools: tools.optional(),
  auth: auth.optional(),
  exposure: z.unknown().describe('Kept, and without effect in this version.').optional(),
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
    type: z.enum(['stdio', 'local']).describe('As other tools write it; it may be left out.').optional(),
    ...common,
  })
  .describe('A server that is started as a process.');

const address = z
  .looseObject({
    url: z.string().min(1).describe(`http:// or https://, without a password. ${reference}`),
    headers: texts.describe(`Headers of every request. ${reference}`).optional(),
    transport: z
      .enum(['auto', 'streamable', 'sse', 'events'])
      .describe('HTTP transport; default auto: found out.')
      .optional(),
    redirects: z
      .enum(['same-origin', 'none'])
      .describe('Which redirects are followed; default same-origin.')
      .optional(),
    type: z
      .enum(['http', 'sse', 'remote', 'streamable-http', 'streamableHttp', 'streamable_http'])
      .describe('As other tools write it; sse says the transport, the others may be left out.')
      .optional(),
    ...common,
  })
  .describe('A server that is reached over HTTP.');

const openCodeCommon = {
  tools: tools.optional(),
  enabled: z.boolean().describe('false: known but not used; default true.').optional(),
  description: z.string().describe('What the server is for.').optional(),
  timeout: z
    .number()
    .min(1)
    .max(86_400_000)
    .describe('Longest time without a sign of progress of one request, in milliseconds; default 60000.')
    .optional(),
};

const local = z.looseObject({
  type: z.literal('local').describe('A server that is started as a process.'),
  command: z.array(z.string()).min(1).describe('The program and its arguments.'),
  environment: texts.describe(`Environment variables. ${reference}`).optional(),
  cwd: z.string().describe('Working folder, relative to this file; default: the home folder.').optional(),
  ...openCodeCommon,
});

const remote = z.looseObject({
  type: z.literal('remote').describe('A server that is reached over HTTP.'),
  url: z.string().min(1).describe(`http:// or https://, without a password. ${reference}`),
  headers: texts.describe(`Headers of every request. ${reference}`).optional(),
  oauth: z
    .union([z.literal(false), z.looseObject(authMembers)])
    .describe('How a person signs in; false: not at all.')
    .optional(),
  ...openCodeCommon,
});

/** The file as a whole; members nobody knows are kept and reported. */
export const serversSchema = z
  .looseObject({
    $schema: z.string().describe('Where this schema is, for editors.').optional(),
    mcpServers: z.record(z.string(), z.union([program, address])).optional(),
    mcp: z.record(z.string(), z.union([local, remote])).optional(),
  })
  .describe('servers.json of Trestle: which MCP servers there are, and how to reach them.');

/** As it is published. */
export function publishedServersSchema(): unknown {
  return z.toJSONSchema(serversSchema);
}
