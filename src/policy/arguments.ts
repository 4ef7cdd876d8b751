/** The check of a tool's arguments before anything is sent, fast enough for every call. */
import { isObject, type JsonObject, type JsonValue, limits, nearest } from '../base/index.ts';
import { correctArguments } from './repair.ts';
import { checkSchema } from './schema/check.ts';
import type { Finding } from './schema/finding.ts';
import { objectOf } from './schema/keywords.ts';
import { pathInWords, quote } from './schema/words.ts';

export interface ArgumentProblem {
  /** Path of the argument: `path`, `options.depth`, `items[2]`; '' for the arguments as a whole. */
  readonly field: string;
  /** One clause: "must be a number, got text \"abc\"", "is required", "must be one of \"a\", \"b\", got text \"c\"". */
  readonly problem: string;
}

export type ArgumentVerdict =
  /** `note` tells of arguments that the tool may ignore because it describes none of their names. */
  | { readonly kind: 'ok'; readonly note?: string }
  /** `example`: the arguments as given with only the wrong parts replaced. */
  | { readonly kind: 'invalid'; readonly problems: readonly ArgumentProblem[]; readonly example: JsonObject }
  /** The schema is beyond the checker; the server decides. `note` says why. */
  | { readonly kind: 'unchecked'; readonly note: string };

/**
 * Checks `args` against a tool's input schema. Only what every validator would refuse is `invalid`; what cannot be decided is
 * `unchecked`. Never throws, never takes more than limits.checkSteps and limits.patternMs.
 */
export function checkArguments(schema: JsonValue, args: JsonObject): ArgumentVerdict {
  try {
    return verdictOf(schema, args);
  } catch (thrown) {
    // Only arguments nested so deeply that comparing them exhausts the stack come here.
    const reason = thrown instanceof RangeError ? 'they are nested too deeply' : String(thrown);
    return { kind: 'unchecked', note: `The arguments were not checked: ${reason}.` };
  }
}

function verdictOf(schema: JsonValue, args: JsonObject): ArgumentVerdict {
  if (!isObject(schema))
    return { kind: 'unchecked', note: 'The arguments were not checked: the tool has no input schema.' };
  const finding = checkSchema(schema, args);
  if (finding.problems.length > 0) {
    return {
      kind: 'invalid',
      problems: finding.problems.map(({ path, clause }) => ({ field: pathInWords(path), problem: clause })),
      example: correctArguments(schema, args, finding.problems),
    };
  }
  if (finding.doubts.length > 0) return { kind: 'unchecked', note: doubtNote(finding) };
  const note = unknownNote(schema, args);
  return note === undefined ? { kind: 'ok' } : { kind: 'ok', note };
}

function doubtNote(finding: Finding): string {
  return `The arguments were not fully checked before sending: ${finding.doubts.join('; ')}.`;
}

/** Where further arguments are allowed, one that was misspelt or made up would be lost silently. */
function unknownNote(schema: JsonObject, args: JsonObject): string | undefined {
  const properties = objectOf(schema, 'properties') ?? {};
  // A schema that takes any name on purpose says so, spreads its names over parts, or has none.
  if (
    Object.keys(properties).length === 0 ||
    ['additionalProperties', 'patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) =>
      Object.hasOwn(schema, keyword),
    )
  ) {
    return undefined;
  }
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(args, name));
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  const told = unknown.slice(0, limits.nearestNames).map((name) => {
    const [near] = nearest(name, missing, 1);
    const meant = near === undefined ? ', which may ignore it.' : `; did you mean ${quote(near)}?`;
    return `${quote(name)} is no argument of this tool${meant}`;
  });
  return told.length === 0 ? undefined : told.join(' ');
}
