/** Everything a server lists, read over one session. */
import { asTrestleError, type Deadline, type JsonObject, type TrestleError } from '../base/index.ts';
import type { LiveCatalogue, ToolDescriptor } from '../registry/index.ts';
import type { Listing, Session } from '../session/index.ts';
import { isLoss } from './with-session.ts';

export interface Catalogue extends Omit<LiveCatalogue, 'meta'> {
  /** What was left out of lists, and lists that failed; one line each. */
  readonly problems: readonly string[];
  /** Why there is no list of tools. */
  readonly toolsFailure: TrestleError | undefined;
}

/**
 * Reads all lists; one that fails is undefined and named. Rejects when the session or the deadline is over. `others` is the
 * deadline of all lists but the tools': where it is nearer, a list that hangs is one that failed.
 */
export async function readCatalogue(
  session: Session,
  deadline: Deadline,
  others: Deadline = deadline,
): Promise<Catalogue> {
  const problems: string[] = [];
  const failures = new Map<string, TrestleError>();
  const read = async (list: string, reading: Promise<Listing>): Promise<readonly JsonObject[] | undefined> => {
    try {
      const listing = await reading;
      problems.push(...listing.problems);
      return listing.items;
    } catch (error) {
      if (deadline.signal.aborted || isLoss(error)) throw error;
      const failure = asTrestleError(error);
      failures.set(list, failure);
      problems.push(`The list of ${list} could not be read: ${failure.message}`);
      return undefined;
    }
  };
  // One after another: some servers cannot take several requests at once, and a sync is in no hurry.
  const tools = await read('tools', session.listTools({ deadline }));
  const resources = await read('resources', session.listResources({ deadline: others }));
  const resourceTemplates = await read('resource templates', session.listResourceTemplates({ deadline: others }));
  const prompts = await read('prompts', session.listPrompts({ deadline: others }));
  return {
    tools: tools?.map(toDescriptor),
    resources,
    resourceTemplates,
    prompts,
    problems,
    toolsFailure: failures.get('tools'),
  };
}

/** A listed tool as the registry takes it; the session has made sure of its name. */
export function toDescriptor(item: JsonObject): ToolDescriptor {
  return { inputSchema: {}, ...item } as ToolDescriptor & JsonObject;
}
