/** The check of a tool's arguments before anything is sent, fast enough for every call. */
import type { JsonObject, JsonValue } from '../base/index.ts';

export interface ArgumentProblem {
  /** Path of the argument: `path`, `options.depth`, `items[2]`; '' for the arguments as a whole. */
  readonly field: string;
  /** One clause: "must be a number, got text", "is required", "is not one of \"a\", \"b\"". */
  readonly problem: string;
}

export type ArgumentVerdict =
  | { readonly kind: 'ok' }
  | { readonly kind: 'invalid'; readonly problems: readonly ArgumentProblem[]; readonly example: JsonObject }
  /** The schema is beyond the checker; the server decides. `note` says why. */
  | { readonly kind: 'unchecked'; readonly note: string };

/** Checks `args` against a tool's input schema. Never throws, never takes more than limits.checkSteps. */
export function checkArguments(schema: JsonValue, args: JsonObject): ArgumentVerdict {
  throw new Error(`not built: ${JSON.stringify(schema)} ${JSON.stringify(args)}`);
}

/** The value meant by `text` for the property `name` of `schema` (a command line's `name=text`): typed as the schema says, text where it is silent. */
export function typeArgument(schema: JsonValue, name: string, text: string): JsonValue {
  throw new Error(`not built: ${JSON.stringify(schema)} ${name} ${text}`);
}

/**
 * Sample arguments: default, const, first enum value, else by format and bounds, else "example_value", 42, true, [], {}.
 * `only: 'required'` leaves optional properties out.
 */
export function sampleArguments(schema: JsonValue, only?: 'required'): JsonObject {
  throw new Error(`not built: ${JSON.stringify(schema)} ${String(only)}`);
}
