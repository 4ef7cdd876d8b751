/** One refresh of lists that a server says have changed: only they are read, and only what differs is written (S11). */
import { asTrestleError, limits, startDeadline } from '../../base/index.ts';
import { isSameDefinition } from '../../config/index.ts';
import type { ChangedList } from '../../session/index.ts';
import { type Core, shownText } from '../core.ts';
import { readCatalogue } from './catalogue.ts';
import type { ChangeSource } from './list-refreshes.ts';
import { hasChanges, said } from './sync.ts';

/** Resolves with whether anything was new. What goes wrong is a notice: nobody asked for this. */
export async function refreshLists(
  core: Core,
  source: ChangeSource,
  { lists, signal }: { readonly lists: ReadonlySet<ChangedList>; readonly signal: AbortSignal },
): Promise<boolean> {
  const { definition, session } = source;
  const { name } = definition;
  try {
    return isStoredAs(core, source) && (await readAndApply(core, source, { lists, signal }));
  } catch (error) {
    // With its connection goes what it said.
    if (session.state === 'ready' && !signal.aborted) {
      core.tell({
        kind: 'notice',
        server: name,
        text: shownText(core, `${name}: what it says has changed was not read: ${asTrestleError(error).message}`),
      });
    }
    return false;
  }
}

/** Whether the registry holds what this very connection would tell: its server is configured, as it was dialled, and was synced. */
function isStoredAs(core: Core, { definition, session, ...asker }: ChangeSource): boolean {
  const now = core.config(asker, limits.callLookMs).servers.get(definition.name);
  return (
    session.state === 'ready' &&
    now?.enabled === true &&
    isSameDefinition(now, definition) &&
    core.registry.server(definition.registryName).value !== undefined
  );
}

async function readAndApply(
  core: Core,
  { definition, session }: ChangeSource,
  { lists, signal }: { readonly lists: ReadonlySet<ChangedList>; readonly signal: AbortSignal },
): Promise<boolean> {
  const { name } = definition;
  using deadline = startDeadline({
    clock: core.clock,
    idleMs: limits.refreshMs,
    totalMs: limits.refreshMs,
    signal,
    subject: `${name}: refresh`,
    server: name,
  });
  const catalogue = await readCatalogue(session, deadline, { lists });
  const changes = await core.registry.applyLists(
    {
      server: definition.registryName,
      tools: said(core, catalogue.tools),
      resources: said(core, catalogue.resources),
      resourceTemplates: said(core, catalogue.resourceTemplates),
      prompts: said(core, catalogue.prompts),
    },
    { nowMs: core.clock.now(), signal },
  );
  for (const problem of catalogue.problems) {
    core.tell({ kind: 'notice', server: name, text: shownText(core, `${name}: ${problem}`) });
  }
  if (changes === undefined || !hasChanges(changes)) return false;
  core.descriptors.forget();
  core.tell({ kind: 'synced', server: name, changed: true });
  return true;
}
