/** Which tools of a server may be called: its entry's lists of names, and what a tool says of itself. Pure. */
import { isObject } from '../base/index.ts';
import { matchingGlob } from './globs.ts';

/** The lists of an entry; each holds globs. */
export interface ToolRules {
  /** Where it is there, no other tools may be called. */
  readonly allow: readonly string[] | undefined;
  /** Wins over the other lists. */
  readonly deny: readonly string[];
  /** Of those that may be called: a person is asked first. */
  readonly ask: readonly string[];
}

export type ToolVerdict =
  | { readonly kind: 'allowed' }
  /** `rule`: which one, `tools.deny has "delete_*"`. */
  | { readonly kind: 'denied' | 'ask'; readonly rule: string };

const allowed: ToolVerdict = { kind: 'allowed' };

/** What the rules say of a tool, by its exact name. */
export function judgeTool(rules: ToolRules | undefined, tool: string): ToolVerdict {
  if (rules === undefined) return allowed;
  const denying = matchingGlob(rules.deny, tool);
  if (denying !== undefined) return { kind: 'denied', rule: `tools.deny has ${JSON.stringify(denying)}` };
  if (rules.allow !== undefined && matchingGlob(rules.allow, tool) === undefined) {
    return { kind: 'denied', rule: 'tools.allow does not have it' };
  }
  const asking = matchingGlob(rules.ask, tool);
  return asking === undefined ? allowed : { kind: 'ask', rule: `tools.ask has ${JSON.stringify(asking)}` };
}

/**
 * Whether a tool says that it may destroy something: `destructiveHint`, or that it is not read-only and nothing else, which the
 * protocol defines as the same. A tool without these hints says nothing.
 */
export function saysDestructive(annotations: unknown): boolean {
  if (!isObject(annotations)) return false;
  const { readOnlyHint, destructiveHint } = annotations;
  if (readOnlyHint === true) return false;
  return destructiveHint === true || (readOnlyHint === false && destructiveHint === undefined);
}
