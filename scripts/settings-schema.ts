/** The JSON Schema of settings.json, for editors. What Trestle itself accepts is decided by src/config/settings.ts; a test holds both together. */
import { z } from 'zod';
import { limits } from '../src/base/index.ts';

const count = (least: number, most: number): z.ZodNumber => z.number().min(least).max(most);

const guard = z.looseObject({
  maxBytes: count(1, limits.guardMost)
    .meta({ description: 'Bytes that are shown.', default: limits.shownBytes, examples: [20_000] })
    .optional(),
  maxLines: count(1, limits.guardMost)
    .meta({ description: 'Lines that are shown.', default: limits.shownLines, examples: [500] })
    .optional(),
  detailsMaxBytes: count(1, limits.guardMost)
    .meta({
      description: 'Bytes of what stands beside a result for a program.',
      default: limits.detailsBytes,
      examples: [4_096],
    })
    .optional(),
});

export const settingsSchema = z
  .looseObject({
    $schema: z
      .string()
      .meta({ description: 'Where this schema is, for editors.', examples: ['./schemas/settings.schema.json'] })
      .optional(),
    outputGuard: z
      .union([z.boolean(), guard])
      .meta({
        description: 'How much of a result is shown: { maxBytes, maxLines, detailsMaxBytes }; false: all of it.',
        default: true,
        examples: [{ maxBytes: 20_000 }, false],
      })
      .optional(),
    idleTimeout: count(0, limits.idleMinutesMost)
      .meta({
        description: 'Minutes after which an unused connection is closed; 0 = never.',
        default: limits.idleMinutes,
        examples: [30],
      })
      .optional(),
    requestTimeoutMs: count(0, limits.timeoutSeconds * 1_000)
      .meta({
        description: 'Milliseconds without a sign of progress that a request may take; 0 = 60 seconds.',
        default: 0,
        examples: [120_000],
      })
      .optional(),
    contextBudgetTokens: count(0, limits.contextBudgetMost)
      .meta({
        description: 'Budget of the text about servers and tools that a model sees, in o200k tokens; 0 = no such text.',
        default: limits.contextBudgetTokens,
        examples: [8_000],
      })
      .optional(),
    schemaInjectionToolLimit: count(0, limits.listItems)
      .meta({
        description: 'Tools in all up to which that text has their input schemas; 0 = never.',
        default: limits.schemaToolLimit,
        examples: [20],
      })
      .optional(),
    requireConsent: z
      .boolean()
      .meta({
        description: 'Whether a person has to approve a server before it is used.',
        default: false,
        examples: [true],
      })
      .optional(),
    destructiveTools: z
      .enum(['allow', 'ask'])
      .meta({
        description: 'Whether a person is asked before each call of a tool that says it may destroy something.',
        default: 'allow',
        examples: ['ask'],
      })
      .optional(),
    secretStore: z
      .enum(['auto', 'file'])
      .meta({
        description:
          "Where secrets are kept: auto is the system's keychain where @napi-rs/keyring is installed, else a file.",
        default: 'auto',
        examples: ['file'],
      })
      .optional(),
    shareServers: z
      .boolean()
      .meta({
        description: "Whether Pi uses the servers of the user's daemon, which other sessions and commands share.",
        default: false,
        examples: [true],
      })
      .optional(),
    footer: z
      .boolean()
      .meta({
        description: "Whether Pi's status line tells of servers, tools and tokens.",
        default: true,
        examples: [false],
      })
      .optional(),
  })
  .describe('settings.json of Trestle.');
