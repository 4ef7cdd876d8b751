/** Everything a server lists, read over one session. */
import { asTrestleError, type Deadline, type JsonObject, type TrestleError } from '../../base/index.ts';
import type { LiveCatalogue, ToolDescriptor } from '../../registry/index.ts';
import type { ChangedList, Listing, Session } from '../../session/index.ts';
import { isLoss } from '../requests/with-session.ts';

export interface Catalogue extends Omit<LiveCatalogue, 'meta'> {
  /** What was left out of lists, and lists that failed; one line each. */
  readonly problems: readonly string[];
  /** Why there is no list of tools. */
  readonly toolsFailure: TrestleError | undefined;
}

export interface CatalogueOptions {
  /** Which lists are read; default all. Templates go with the resources. */
  readonly lists?: ReadonlySet<ChangedList>;
  /** The deadline of all lists but the tools': where it is nearer, a list that hangs is one that failed. Default the same. */
  readonly others?: Deadline;
}

/** Reads lists; one that fails, or is not read, is undefined. Rejects when the session or the deadline is over. */
export async function readCatalogue(
  session: Session,
  deadline: Deadline,
  { lists, others = deadline }: CatalogueOptions = {},
): Promise<Catalogue> {
  const problems: string[] = [];
  const failures = new Map<string, TrestleError>();
  const read = async (
    kind: ChangedList,
    list: string,
    ask: () => Promise<Listing>,
  ): Promise<readonly JsonObject[] | undefined> => {
    if (lists?.has(kind) === false) return undefined;
    try {
      const listing = await ask();
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
  const tools = await read('tools', 'tools', () => session.listTools({ deadline }));
  const resources = await read('resources', 'resources', () => session.listResources({ deadline: others }));
  const resourceTemplates = await read('resources', 'resource templates', () =>
    session.listResourceTemplates({ deadline: others }),
  );
  const prompts = await read('prompts', 'prompts', () => session.listPrompts({ deadline: others }));
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
