/** What a short run could not tell its model of. */
import { limits } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import type { Runtime } from '../../runtime/index.ts';

/** A line about servers that are new, and not among the `known`; undefined where there are none. Cheap: a look at the registry. */
export function unreadText(
  runtime: Pick<Runtime, 'config' | 'registry'>,
  known: ReadonlySet<string>,
): string | undefined {
  // The index: to look at each server alone costs the end of every short run tens of milliseconds.
  const read = new Set(runtime.registry.servers().value.map(({ name }) => name));
  const isUnread = ({ name, enabled, registryName }: Definition): boolean =>
    enabled && !known.has(name) && !read.has(registryName);
  const unread = [...runtime.config().servers.values()].filter(isUnread).map(({ name }) => name);
  if (unread.length === 0) return undefined;
  const shown = unread.slice(0, limits.noticesAtOnce).join(', ');
  const more = unread.length > limits.noticesAtOnce ? ` and ${unread.length - limits.noticesAtOnce} more` : '';
  const [was, them] = unread.length === 1 ? ['it was', 'it'] : ['they were', 'them'];
  return `The model was told nothing of ${shown}${more}: Pi ended before ${was} read for the first time. pi -p "/mcp-bridge sync" waits for ${them}.`;
}
