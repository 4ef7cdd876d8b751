/** The published shapes of what a server lists: tools, resources and resource templates, prompts. */
import { z } from 'zod';

const anyObject = z.looseObject({});

/** What a server says, as it says it: of any kind, since a sync writes what it gets. */
const said = (description: string, example: unknown): z.ZodOptional<z.ZodUnknown> =>
  z
    .unknown()
    .meta({ description, examples: [example] })
    .optional();

const title = z
  .string()
  .meta({ description: 'Its name for people.', examples: ['Notes of a day'] })
  .optional();
const description = z
  .string()
  .meta({ description: 'What it is for, for the model.', examples: ['Notes of the team, by day.'] })
  .optional();

/** What the protocol lets every listed item have. */
const listed = {
  title,
  description,
  icons: said('A list of { src, mimeType, sizes }.', [{ src: 'https://example.com/icon.png' }]),
  _meta: said('An object for programs, by names with a prefix.', { 'example.com/team': 'docs' }),
};

export const toolSchema = z
  .looseObject({
    name: z
      .string()
      .min(1)
      .meta({ description: 'The name by which it is called, exactly.', examples: ['read_file'] }),
    ...listed,
    inputSchema: anyObject.meta({
      description: 'JSON Schema of its arguments.',
      examples: [{ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }],
    }),
    outputSchema: anyObject
      .meta({ description: 'JSON Schema of the structured part of its results.', examples: [{ type: 'object' }] })
      .optional(),
    annotations: anyObject
      .meta({
        description:
          'What the server says that it does: readOnlyHint, destructiveHint, idempotentHint, openWorldHint; title.',
        examples: [{ readOnlyHint: true }],
      })
      .optional(),
    execution: said('How it may be called: { taskSupport }.', { taskSupport: 'optional' }),
  })
  .describe('<server>/tools/<key>.json of a Trestle registry: one tool as its server describes it.');

const ofResource = {
  name: z.string().meta({ description: 'Its name.', examples: ['notes.txt'] }),
  ...listed,
  mimeType: said('Its kind, a text.', 'text/plain'),
  annotations: said('An object: for whom it is, how important, when changed.', { audience: ['user'], priority: 0.5 }),
};

export const resourcesSchema = z
  .looseObject({
    resources: z
      .array(
        z.looseObject({
          uri: z.string().meta({ description: 'Its address.', examples: ['file:///home/me/notes/notes.txt'] }),
          ...ofResource,
          size: said('Bytes, a number.', 1_024),
        }),
      )
      .meta({ description: 'What can be read.', examples: [[{ uri: 'file:///notes.txt', name: 'notes.txt' }]] }),
    resourceTemplates: z
      .array(
        z.looseObject({
          uriTemplate: z
            .string()
            .meta({ description: 'Pattern of addresses (RFC 6570).', examples: ['file:///home/me/notes/{path}'] }),
          ...ofResource,
        }),
      )
      .meta({
        description: 'Patterns of what can be read.',
        examples: [[{ uriTemplate: 'file:///{path}', name: 'Any note' }]],
      }),
  })
  .describe('<server>/resources.json of a Trestle registry.');

export const promptsSchema = z
  .looseObject({
    prompts: z
      .array(
        z.looseObject({
          name: z.string().meta({ description: 'The name by which it is asked for.', examples: ['summary'] }),
          ...listed,
          arguments: said('A list of { name, title, description, required }.', [{ name: 'topic', required: true }]),
        }),
      )
      .meta({ description: 'What the server offers.', examples: [[{ name: 'summary' }]] }),
  })
  .describe('<server>/prompts.json of a Trestle registry.');
