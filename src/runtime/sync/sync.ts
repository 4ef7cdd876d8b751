/** Sync: connect, read everything a server lists, apply the difference to the registry. */
import { TrestleError } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import type { SyncChanges } from '../../registry/index.ts';
import type { SessionInfo } from '../../session/index.ts';
import { type Asker, askerOf } from '../asker.ts';
import { permit } from '../consent/permission.ts';
import { pinApprovals } from '../consent/pins.ts';
import { type Core, shownFailure, shownText, withoutSecrets } from '../core.ts';
import { withSession } from '../requests/with-session.ts';
import { isDenied, withoutDenied } from '../servers/denied-tools.ts';
import { findServerToAsk } from '../servers/find-server.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { recordedMeta, textFindings } from './record.ts';
import type { SyncRequest, SyncValue } from './sync-request.ts';
import type { SyncedChanges } from './synced-changes.ts';

/** Syncs a configured server. Rejects with a TrestleError. */
export async function syncServer(core: Core, request: SyncRequest): Promise<SyncValue> {
  const definition = findServerToAsk(core, request.server, request);
  if (definition.source.shape === 'ad-hoc') {
    throw new TrestleError({
      code: 'usage',
      message: `${definition.name} is configured nowhere, so there is nothing to sync.`,
      hint: 'Add it under a name first: trestle add NAME …',
    });
  }
  permit(core, { ...request, definition, need: { kind: 'connect' } });
  const work = { definition, request, subject: `${definition.name}: sync`, repeatable: true };
  // Whoever syncs wants to know now, and may have mended what was wrong.
  core.connections.reset(definition.registryName);
  return core.refreshes.during(definition.registryName, async () => {
    const told = await withSession(core, work, async (session, deadline) => ({
      ...askerOf(request),
      definition,
      info: session.info,
      catalogue: await readCatalogue(session, deadline),
    }));
    return storeSync(core, told, request);
  });
}

async function storeSync(core: Core, told: Told, request: SyncRequest): Promise<SyncValue> {
  const { definition, info, catalogue } = told;
  const { toolsFailure } = catalogue;
  // Stored now, it would pass for a server without tools: a call would be refused instead of listing them.
  if (toolsFailure !== undefined && core.registry.server(definition.registryName).value === undefined)
    throw toolsFailure;
  const changes = await store(core, told, request);
  const problems = [...catalogue.problems, ...textFindings(info, catalogue)];
  return {
    info: withoutSecrets(core, info),
    changes,
    problems: problems.map((problem) => shownText(core, problem)),
    ...(toolsFailure === undefined ? {} : { toolsFailure: shownFailure(core, toolsFailure).failure }),
  };
}

export interface Told extends Asker {
  readonly definition: Definition;
  readonly info: SessionInfo;
  readonly catalogue: Catalogue;
}

/** Applies what a server told to the registry. Throws when the server is configured no more. */
export async function store(
  core: Core,
  told: Told,
  options: { readonly force?: boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<SyncedChanges> {
  // Removed while it was being read: stored now, it would stand there as a server that nobody configured.
  const { definition } = told;
  const now = findServerToAsk(core, definition.name, told);
  if (now.source.file !== definition.source.file) throw replaced(definition, now);
  const wasUnknown = core.registry.server(definition.registryName).value === undefined;
  const { tools, resources, resourceTemplates, prompts } = told.catalogue;
  const info = withoutSecrets(core, told.info);
  const changes = await core.registry.apply(
    {
      meta: recordedMeta(told.definition, info, (text) => core.redactor.redact(text)),
      tools: said(core, tools),
      resources: said(core, resources),
      resourceTemplates: said(core, resourceTemplates),
      prompts: said(core, prompts),
    },
    { ...options, nowMs: core.clock.now() },
  );
  if (wasUnknown) await pinApprovals(core, definition, core.registry.tools(definition.registryName).value);
  core.descriptors.forget();
  core.tell({ kind: 'synced', server: definition.name, changed: hasChanges(changes) });
  return { ...usableChanges(core, definition, changes), server: definition.name };
}

/** What has changed of the tools that the rules let be called; of the others only their number. */
function usableChanges(core: Core, definition: Definition, changes: SyncChanges): SyncedChanges {
  if (definition.tools === undefined) return { ...changes, denied: 0 };
  const stored = core.registry.server(definition.registryName).value?.tools ?? [];
  const usable = withoutDenied(definition, stored);
  const isUsable = (name: string): boolean => !isDenied(definition, name);
  const added = changes.tools.added.filter(isUsable);
  const changed = changes.tools.changed.filter(({ name }) => isUsable(name));
  const removed = changes.tools.removed.filter(isUsable);
  const unchanged = usable.length - added.length - changed.length;
  return { ...changes, tools: { added, changed, removed, unchanged }, denied: stored.length - usable.length };
}

/** While it was read it was removed, or another file's server of that name came into force. */
function replaced({ name }: Definition, now: Definition): TrestleError {
  return new TrestleError({
    code: 'not_configured',
    message:
      now.source.shape === 'registry'
        ? `${name} stands in no configuration any more, so nothing of it was stored.`
        : `${name} means the server of ${now.source.file ?? 'the environment'} now, so nothing of the former one was stored.`,
    server: name,
  });
}

/** Items of a list as the registry may hold them. */
export function said<T extends object>(core: Core, items: readonly T[] | undefined): readonly T[] | undefined {
  return items?.map((item) => withoutSecrets(core, item));
}

/** Whether a sync found anything new. */
export function hasChanges(changes: SyncChanges): boolean {
  const lists = [changes.tools, changes.resources, changes.resourceTemplates, changes.prompts];
  return (
    changes.meta.length > 0 ||
    lists.some(({ added, changed, removed }) => added.length + changed.length + removed.length > 0)
  );
}
