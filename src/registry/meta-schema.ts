/** The published shape of meta.json. What a reader has a default for may be left out, as whoever writes one by hand does. */
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
  args: z
    .array(z.string())
    .meta({ description: 'stdio: its arguments, likewise. Default: none.', examples: [['-y', 'some-server']] })
    .optional(),
  env: texts
    .meta({
      description: 'stdio: variables by name; secrets as references only. Default: none.',
      examples: [{ API_TOKEN: '${keychain:files-token}' }],
    })
    .optional(),
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
  headers: texts
    .meta({
      description: 'http: headers by name; secrets as references only. Default: none.',
      examples: [{ 'X-Team': '${TEAM:-none}' }],
    })
    .optional(),
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
    description: z
      .string()
      .meta({ description: 'What the server is for.', examples: ['My notes'] })
      .optional(),
    instructions: z
      .string()
      .meta({
        description: 'For the model. A text that differs from what the last sync wrote is kept by sync.',
        examples: ['Read before you write.'],
      })
      .optional(),
    transport: z.discriminatedUnion('kind', [stdioTransport, httpTransport]).meta({
      description: 'How the server is reached.',
      examples: [{ kind: 'http', url: 'https://example.com/mcp', headers: {} }],
    }),
    auth: z
      .looseObject({
        kind: z.string().meta({ description: 'The type of auth in servers.json.', examples: ['oauth'] }),
      })
      .meta({
        description: 'How it is signed in to; nothing secret. Default: { "kind": "none" }.',
        examples: [{ kind: 'none' }],
      })
      .optional(),
    lifecycle: z
      .looseObject({
        mode: z
          .enum(['lazy', 'eager', 'keep-alive'])
          .meta({ description: 'When it is connected. Default: lazy.', examples: ['lazy'] })
          .optional(),
        idleTimeoutMinutes: z
          .number()
          .min(0)
          .meta({
            description: 'Minutes without use after which it is closed; 0 = as the settings say. Default: 0.',
            examples: [30],
          })
          .optional(),
        requestTimeoutMs: z
          .number()
          .min(0)
          .meta({
            description:
              'Milliseconds without a sign of progress that a request may take; 0 = as the settings say. Default: 0.',
            examples: [120_000],
          })
          .optional(),
      })
      .meta({
        description: 'When and how long it runs.',
        examples: [{ mode: 'lazy', idleTimeoutMinutes: 0, requestTimeoutMs: 0 }],
      })
      .optional(),
    capabilities: z
      .looseObject({})
      .meta({
        description: 'As the server declared them. Default: none.',
        examples: [{ tools: { listChanged: true } }],
      })
      .optional(),
    syncedFrom: z
      .enum(['live-server', 'manual'])
      .meta({
        description: 'manual: written by hand; its descriptors are replaced with --force only. Default: live-server.',
        examples: ['live-server'],
      })
      .optional(),
    syncedAt: z.iso
      .datetime({ offset: true })
      .meta({ description: 'When the last sync ended. Default: never.', examples: ['2026-01-31T12:00:00.000Z'] })
      .optional(),
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
