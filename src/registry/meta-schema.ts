/** The published shape of meta.json. */
import { z } from 'zod';

const texts = z.record(z.string(), z.string());

const stdioTransport = z.looseObject({
  kind: z
    .literal('stdio')
    .meta({ description: 'How: as a process (stdio) or at an address (http).', examples: ['stdio'] }),
  command: z
    .string()
    .min(1)
    .meta({ description: 'stdio: the program, as configured; ${…} references stay references.', examples: ['npx'] }),
  args: z.array(z.string()).meta({ description: 'stdio: its arguments, likewise.', examples: [['-y', 'some-server']] }),
  env: texts.meta({
    description: 'stdio: variables by name; secrets as references only.',
    examples: [{ API_TOKEN: '${keychain:files-token}' }],
  }),
  cwd: z
    .string()
    .meta({ description: 'stdio: working folder. Default: the home folder.', examples: ['~/notes'] })
    .optional(),
});

const httpTransport = z.looseObject({
  kind: z
    .literal('http')
    .meta({ description: 'How: as a process (stdio) or at an address (http).', examples: ['http'] }),
  url: z
    .string()
    .min(1)
    .meta({ description: 'http: the address, likewise.', examples: ['https://example.com/mcp'] }),
  headers: texts.meta({
    description: 'http: headers by name; secrets as references only.',
    examples: [{ 'X-Team': '${TEAM:-none}' }],
  }),
});

export const metaSchema = z
  .looseObject({
    name: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "The server's name, equal to the name of its folder.", examples: ['files'] }),
    project: z
      .string()
      .meta({
        description: 'The file of a project that asks for this server.',
        examples: ['/home/me/project/.trestle/servers.json'],
      })
      .optional(),
    description: z.string().meta({ description: 'What the server is for.', examples: ['My notes'] }),
    instructions: z.string().meta({
      description: 'For the model. A text that differs from what the last sync wrote is kept by sync.',
      examples: ['Read before you write.'],
    }),
    transport: z.discriminatedUnion('kind', [stdioTransport, httpTransport]).meta({
      description: 'How the server is reached.',
      examples: [{ kind: 'http', url: 'https://example.com/mcp', headers: {} }],
    }),
    auth: z
      .looseObject({
        kind: z.string().meta({ description: 'The type of auth in servers.json.', examples: ['oauth'] }),
      })
      .meta({ description: 'How it is signed in to; nothing secret.', examples: [{ kind: 'none' }] }),
    lifecycle: z
      .looseObject({
        mode: z
          .enum(['lazy', 'eager', 'keep-alive'])
          .meta({ description: 'When it is connected.', examples: ['lazy'] }),
        idleTimeoutMinutes: z
          .number()
          .min(0)
          .meta({
            description: 'Minutes without use after which it is closed; 0 = as the settings say.',
            examples: [30],
          }),
        requestTimeoutMs: z
          .number()
          .min(0)
          .meta({
            description: 'Milliseconds without a sign of progress that a request may take; 0 = as the settings say.',
            examples: [120_000],
          }),
      })
      .meta({
        description: 'When and how long it runs.',
        examples: [{ mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 }],
      }),
    capabilities: z.looseObject({}).meta({
      description: 'As the server declared them.',
      examples: [{ tools: { listChanged: true } }],
    }),
    syncedFrom: z.enum(['live-server', 'manual']).meta({
      description: 'manual: written by hand; its descriptors are replaced with --force only.',
      examples: ['live-server'],
    }),
    syncedAt: z.iso
      .datetime({ offset: true })
      .meta({ description: 'When the last sync ended.', examples: ['2026-01-31T12:00:00.000Z'] }),
    instructionsDigest: z
      .string()
      .meta({
        description: 'SHA-256 of the instructions that the last sync read.',
        examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      })
      .optional(),
    digest: z
      .string()
      .meta({
        description: 'SHA-256 of all else in this folder; written last by sync.',
        examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      })
      .optional(),
  })
  .describe('<server>/meta.json of a Trestle registry.');
