/** The published shape of index.json. */
import { z } from 'zod';

const count = (what: string): z.ZodInt =>
  z
    .int()
    .min(0)
    .meta({ description: `How many ${what}.`, examples: [3] });

export const indexSchema = z
  .looseObject({
    servers: z
      .array(
        z.looseObject({
          name: z.string().meta({ description: 'As in meta.json.', examples: ['files'] }),
          project: z
            .string()
            .meta({ description: 'As in meta.json.', examples: ['/home/me/project/.trestle/servers.json'] })
            .optional(),
          description: z.string().meta({ description: 'As in meta.json, cut.', examples: ['My notes'] }),
          instructions: z.string().meta({ description: 'As in meta.json, cut.', examples: ['Read before you write.'] }),
          transport: z
            .enum(['stdio', 'http'])
            .meta({ description: 'transport.kind of meta.json.', examples: ['stdio'] }),
          syncedAt: z.string().meta({ description: 'As in meta.json.', examples: ['2026-01-31T12:00:00.000Z'] }),
          toolCount: count('tools'),
          resources: count('resources'),
          resourceTemplates: count('resource templates'),
          prompts: count('prompts'),
          stamp: z.string().meta({
            description: 'Opaque: tells whether meta.json or the tools folder changed since.',
            examples: ['file:1.5:10:7 folder:1.5:10:8'],
          }),
          filesStamp: z.string().meta({
            description: 'Opaque: tells whether another file changed since.',
            examples: ['0123456789abcdef'],
          }),
          tools: z
            .array(
              z.looseObject({
                name: z.string().meta({ description: 'As in its file.', examples: ['notes'] }),
                key: z.string().meta({ description: 'The name of its file, without .json.', examples: ['notes'] }),
                title: z
                  .string()
                  .meta({ description: 'As in its file, cut.', examples: ['Notes of a day'] })
                  .optional(),
                description: z
                  .string()
                  .meta({ description: 'As in its file, cut.', examples: ['Notes of the team, by day.'] }),
              }),
            )
            .meta({
              description: 'Its tools, by name.',
              examples: [[{ name: 'notes', key: 'notes', description: 'Notes of the team, by day.' }]],
            }),
        }),
      )
      .meta({ description: 'Every server that can be read, by name.', examples: [[]] }),
  })
  .describe('index.json of a Trestle registry: derived from the other files and made anew whenever it is older.');
