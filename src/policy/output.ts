import type { JsonValue } from '../base/index.ts';

/**
 * Checks a delivered `structuredContent` against the tool's output schema, with size limits and a time limit. Returns a note
 * for people and models when it does not fit or the schema cannot be used, undefined when all is well. Never throws.
 */
export async function checkOutput(schema: JsonValue, value: JsonValue | undefined): Promise<string | undefined> {
  throw new Error(`not built: ${JSON.stringify(schema)} ${JSON.stringify(value)}`);
}
