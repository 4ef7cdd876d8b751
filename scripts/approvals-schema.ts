/** The JSON Schema of state/approvals.json. What counts as approved is decided by src/policy/approvals.ts; a test holds both together. */
import { z } from 'zod';

const digest = '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea';

const approval = z.strictObject({
  server: z.string().meta({ description: 'Its name in its file.', examples: ['files'] }),
  file: z
    .string()
    .nullable()
    .meta({
      description: 'The file that its entry stood in; null for one that stood in none.',
      examples: ['/home/me/project/.trestle/servers.json'],
    }),
  identity: z.string().meta({
    description: 'SHA-256 of how the server is reached. When that changes, nothing is approved.',
    examples: [digest],
  }),
  kind: z.enum(['connect', 'use']).meta({
    description: 'connect: it may be started or connected to. use: its tools, lists and resources may be used too.',
    examples: ['use'],
  }),
  tools: z
    .array(z.string())
    .meta({
      description: 'Only tools of these names, with * and ?, and no lists or resources. Default: no such limit.',
      examples: [['read_*']],
    })
    .optional(),
  arguments: z
    .record(z.string(), z.string())
    .meta({
      description:
        'With tools: only calls whose arguments fit, each by its name, with * and ?. Default: any arguments.',
      examples: [{ path: '/home/me/notes/*' }],
    })
    .optional(),
  approvedAt: z.string().meta({ description: 'When (ISO 8601).', examples: ['2026-01-31T12:00:00.000Z'] }),
  expiresAt: z
    .string()
    .meta({
      description: 'Until when (ISO 8601); what is no date allows nothing. Default: until it is revoked.',
      examples: ['2026-02-28T12:00:00.000Z'],
    })
    .optional(),
  descriptors: z
    .record(z.string(), z.string())
    .meta({
      description:
        'SHA-256 of how each tool was described: one described differently now, or not named here, is not covered. Default: not known yet.',
      examples: [{ read_file: digest }],
    })
    .optional(),
  parts: z
    .record(z.string(), z.record(z.string(), z.string()))
    .meta({
      description:
        'Of each of these tools the beginning of the SHA-256 of every part, to say what has changed. Default: nothing is said.',
      examples: [{ read_file: { description: '3f79bb7b435b' } }],
    })
    .optional(),
});

/** The file as a whole. An entry with a member that nobody knows approves nothing: a newer version may have narrowed it so. */
export const approvalsSchema = z
  .looseObject({
    approvals: z.array(approval).meta({ description: 'In the order they were given.', examples: [[]] }),
  })
  .describe('state/approvals.json of Trestle: what a person said yes to, for good.');
