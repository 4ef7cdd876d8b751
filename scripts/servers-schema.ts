/**
 * The JSON Schema of servers.json, for editors: `"$schema": "…/servers.schema.json"` gives completion and red lines. What
 * Trestle itself accepts is decided by src/config, on whose start-up path no schema library is; a test holds both together.
 */
import { z } from 'zod';
import { limits } from '../src/base/index.ts';
import { authOf, noAuth, signInMembers } from './auth-schema.ts';

/** By names that a process can have, and those that HTTP allows. */
const variables = z.record(z.string().regex(/^[^=]+$/), z.string());
const headerFields = z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string());
const reference = 'May hold ${VARIABLE} and ${VARIABLE:-default}.';

const globs = z.array(z.string());

const tools = z
  .object({
    allow: globs
      .meta({
        description: 'Where it is there, no other tools may be called; an empty list allows none. Default: all may be.',
        examples: [['read_*', 'list_*']],
      })
      .optional(),
    deny: globs
      .meta({
        description: 'Never called and shown nowhere; wins over the other lists.',
        default: [],
        examples: [['*_delete']],
      })
      .optional(),
    ask: globs
      .meta({ description: 'A person is asked before each call.', default: [], examples: [['write_*']] })
      .optional(),
  })
  .meta({
    description: 'Which tools may be called, by lists of names with * and ?. Another member is an error.',
    examples: [{ deny: ['write_file'] }],
  });

const enabled = z
  .boolean()
  .meta({ description: 'false: known but not used.', default: true, examples: [false] })
  .optional();

const disabled = z
  .boolean()
  .meta({
    description: 'As other tools write it: true is the same as "enabled": false.',
    default: false,
    examples: [true],
  })
  .optional();

const description = z
  .string()
  .meta({
    description: 'What the server is for. Default: what the server calls itself.',
    examples: ['Notes of the team'],
  })
  .optional();

const common = {
  enabled,
  disabled,
  description,
  timeout: z
    .number()
    .min(0.001)
    .max(limits.timeoutSeconds)
    .meta({
      description:
        'Longest time without a sign of progress of one request, in seconds. Default: requestTimeoutMs of settings.json.',
      examples: [120],
    })
    .optional(),
  lifecycle: z
    .enum(['lazy', 'eager', 'keep-alive'])
    .meta({
      description: 'When it is connected: at its first use, at once, or at once and for good.',
      default: 'lazy',
      examples: ['keep-alive'],
    })
    .optional(),
  idleTimeoutMinutes: z
    .number()
    .min(0)
    .max(limits.idleMinutesMost)
    .meta({
      description:
        'Minutes without use after which a long-lived host closes it; 0 = never. Default: idleTimeout of settings.json.',
      examples: [30],
    })
    .optional(),
  sharing: z
    .enum(['scope', 'shared'])
    .meta({
      description: 'Whether each conversation has a session of its own, or all of one process share one.',
      default: 'scope',
      examples: ['shared'],
    })
    .optional(),
  protocol: z
    .enum(['auto', 'legacy', 'modern'])
    .meta({
      description: 'Which era of the protocol: legacy up to 2025-11-25, modern from 2026-07-28; auto is found out.',
      default: 'auto',
      examples: ['legacy'],
    })
    .optional(),
  protocolVersions: z
    .array(z.string())
    .meta({
      description: 'Further revisions to offer and accept in the handshake of the legacy era.',
      default: [],
      examples: [['2024-10-07']],
    })
    .optional(),
  tools: tools.optional(),
  exposure: z
    .unknown()
    .meta({ description: 'Kept, and without effect in this version.', examples: ['tools'] })
    .optional(),
};

const cwd = z
  .string()
  .meta({
    description: `Working folder, relative to this file. ${reference} Default: the home folder.`,
    examples: ['~/notes'],
  })
  .optional();

const program = z
  .looseObject({
    command: z
      .string()
      .min(1)
      .meta({ description: `The program. ${reference}`, examples: ['npx'] }),
    args: z
      .array(z.string())
      .meta({
        description: `Its arguments, item by item; no shell. ${reference}`,
        default: [],
        examples: [['-y', '@modelcontextprotocol/server-filesystem', '~/notes']],
      })
      .optional(),
    env: variables
      .meta({
        description: `Environment variables. ${reference}`,
        default: {},
        examples: [{ API_TOKEN: '${keychain:files-token}' }],
      })
      .optional(),
    cwd,
    framing: z
      .enum(['auto', 'newline', 'content-length'])
      .meta({
        description: 'How messages stand in its streams; auto: lines, until it begins with a Content-Length header.',
        default: 'auto',
        examples: ['content-length'],
      })
      .optional(),
    type: z
      .enum(['stdio', 'local'])
      .meta({ description: 'As other tools write it; it may be left out.', examples: ['stdio'] })
      .optional(),
    transport: z
      .enum(['auto', 'streamable', 'sse', 'events', 'stdio'])
      .meta({ description: 'Without effect here; other tools write stdio.', examples: ['stdio'] })
      .optional(),
    auth: noAuth.optional(),
    ...common,
  })
  .describe('A server that is started as a process.');

const address = z
  .looseObject({
    url: z
      .string()
      .min(1)
      .meta({
        description: `http:// or https://, without a password. ${reference}`,
        examples: ['https://example.com/mcp'],
      }),
    headers: headerFields
      .meta({
        description: `Headers of every request. ${reference}`,
        default: {},
        examples: [{ 'X-Team': '${TEAM:-none}' }],
      })
      .optional(),
    transport: z
      .enum(['auto', 'streamable', 'sse', 'events'])
      .meta({
        description: 'HTTP transport: Streamable HTTP, HTTP+SSE, the event dialect; auto is found out.',
        default: 'auto',
        examples: ['streamable'],
      })
      .optional(),
    redirects: z
      .enum(['same-origin', 'none'])
      .meta({ description: 'Which redirects are followed.', default: 'same-origin', examples: ['none'] })
      .optional(),
    type: z
      .enum(['http', 'sse', 'remote', 'streamable-http', 'streamableHttp', 'streamable_http'])
      .meta({
        description: 'As other tools write it; sse says the transport, the others may be left out.',
        examples: ['http'],
      })
      .optional(),
    auth: authOf.optional(),
    ...common,
  })
  .describe('A server that is reached over HTTP.');

const openCodeCommon = {
  tools: tools.optional(),
  enabled,
  disabled,
  description,
  timeout: z
    .number()
    .min(1)
    .max(limits.timeoutSeconds * 1_000)
    .meta({
      description:
        'Longest time without a sign of progress of one request, in milliseconds. Default: requestTimeoutMs of settings.json.',
      examples: [120_000],
    })
    .optional(),
};

const local = z.looseObject({
  type: z.literal('local').meta({ description: 'A server that is started as a process.', examples: ['local'] }),
  command: z
    .array(z.string())
    .min(1)
    .meta({
      description: `The program and its arguments. ${reference}`,
      examples: [['npx', '-y', '@modelcontextprotocol/server-filesystem', '~/notes']],
    }),
  environment: variables
    .meta({
      description: `Environment variables. ${reference}`,
      default: {},
      examples: [{ LOG_LEVEL: 'warn' }],
    })
    .optional(),
  cwd,
  ...openCodeCommon,
});

const remote = z.looseObject({
  type: z.literal('remote').meta({ description: 'A server that is reached over HTTP.', examples: ['remote'] }),
  url: z
    .string()
    .min(1)
    .meta({
      description: `http:// or https://, without a password. ${reference}`,
      examples: ['https://example.com/mcp'],
    }),
  headers: headerFields
    .meta({ description: `Headers of every request. ${reference}`, default: {}, examples: [{ 'X-Team': 'a' }] })
    .optional(),
  oauth: z
    .union([z.literal(false), z.looseObject(signInMembers)])
    .meta({
      description: 'How a person signs in; false: nobody does. Default: a person does, where the server asks for it.',
      examples: [{ clientId: 'abc', scope: 'read' }],
    })
    .optional(),
  ...openCodeCommon,
});

/** The file as a whole; members nobody knows are kept and reported. */
export const serversSchema = z
  .looseObject({
    $schema: z
      .string()
      .meta({ description: 'Where this schema is, for editors.', examples: ['./schemas/servers.schema.json'] })
      .optional(),
    mcpServers: z
      .record(z.string(), z.union([program, address]))
      .meta({ description: 'Servers by name.', default: {}, examples: [{ web: { url: 'https://example.com/mcp' } }] })
      .optional(),
    mcp: z
      .record(z.string(), z.union([local, remote]))
      .meta({
        description: 'Servers by name, as OpenCode writes them.',
        default: {},
        examples: [{ web: { type: 'remote', url: 'https://example.com/mcp' } }],
      })
      .optional(),
  })
  .describe('servers.json of Trestle: which MCP servers there are, and how to reach them.');
