/**
 * The SDK's Client rejects a whole result for one member it does not know: a list for one malformed item, a tool's result for one
 * odd block. So it is given a stand-in, which carries the real result past it under a symbol.
 */
import type { JsonObject } from '../base/index.ts';
import type { Era } from './session.ts';

/** Under this member a stand-in carries the server's own result. */
const carried = Symbol('the result of the server');

const nothing: readonly never[] = Object.freeze([]);

/** The server's result inside what the Client was given; the value itself where the Client made it. */
export function carriedResult(value: unknown): JsonObject {
  return ((value as { readonly [carried]?: JsonObject })[carried] ?? value) as JsonObject;
}

/** A result that holds `result` and is valid for every method the Client checks in the era. */
export function standIn(result: JsonObject, era: Era): object {
  // Of the older era the Client checks no members, and reads every one that is there twice.
  if (era === 'legacy') return { [carried]: result };
  return {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    content: nothing,
    tools: nothing,
    resources: nothing,
    resourceTemplates: nothing,
    prompts: nothing,
    contents: nothing,
    messages: nothing,
    supportedVersions: nothing,
    capabilities: {},
    completion: { values: nothing },
    [carried]: result,
  };
}
