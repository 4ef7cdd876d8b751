/** diff(live, disk): everything a sync will do, decided before anything is done. Pure. */
import type { JsonObject } from '../base/index.ts';
import { folderDigest } from './digests.ts';
import type { ListChanges } from './diff.ts';
import type { RegistryFinding } from './finding.ts';
import type { ServerPlace } from './layout.ts';
import { planLists } from './plan-lists.ts';
import { planMeta } from './plan-meta.ts';
import { planTools, type ToolsPast } from './plan-tools.ts';
import { metaText, type PlannedWrite } from './record-text.ts';
import type { LiveCatalogue, LiveLists } from './records.ts';
import { type StoredServer, storedLists } from './stored.ts';
import type { SyncRecord } from './sync-record.ts';

/** What a sync did. */
export interface SyncChanges {
  readonly server: string;
  readonly tools: ListChanges;
  readonly resources: ListChanges;
  readonly resourceTemplates: ListChanges;
  readonly prompts: ListChanges;
  /** Members of meta.json that changed. */
  readonly meta: readonly string[];
  /** Tools whose stored file had been edited by hand and was overwritten or removed. */
  readonly overwritten: readonly string[];
  /** Whether the stored instructions were edited by hand and therefore kept. */
  readonly instructionsKept: boolean;
  /** Whether an earlier, interrupted sync was repaired. */
  readonly repaired: boolean;
  /** Files that could not be read (they stand as they were, or beside as `….corrupt`) and items left out. */
  readonly findings: readonly RegistryFinding[];
}

/** Steps in the order in which they are done; meta.json comes last. */
export interface SyncPlan {
  /** What to note before anything is written; undefined when the note stands already. */
  readonly record: SyncRecord | undefined;
  readonly setAside: readonly string[];
  readonly clears: readonly string[];
  readonly writes: readonly PlannedWrite[];
  readonly removals: readonly string[];
  readonly meta: PlannedWrite;
  readonly changes: SyncChanges;
}

export interface SyncInput {
  readonly place: ServerPlace;
  readonly stored: StoredServer;
  readonly live: LiveLists & { readonly meta: LiveCatalogue['meta'] | undefined };
  readonly record: SyncRecord | undefined;
  readonly nowMs: number;
}

export function planSync(input: SyncInput): SyncPlan {
  const { place, stored, live, nowMs } = input;
  const past = pastOf(stored, input.record);
  const tools = planTools(place, stored, { live: live.tools, past });
  const { server } = place;
  const resources = planLists({
    server,
    path: place.resources,
    file: stored.resources,
    live: { resources: live.resources, resourceTemplates: live.resourceTemplates },
  });
  const prompts = planLists({ server, path: place.prompts, file: stored.prompts, live: { prompts: live.prompts } });
  const storedMeta = stored.meta.state === 'read' ? stored.meta.value : undefined;
  const { meta, changed, instructionsKept } = planMeta({
    stored: storedMeta,
    live: live.meta,
    intact: past.intact,
    nowMs,
  });
  const lists = { ...resources.result, ...prompts.result };
  const digest = folderDigest(meta, tools.result, {
    resources: lists['resources'] ?? [],
    resourceTemplates: lists['resourceTemplates'] ?? [],
    prompts: lists['prompts'] ?? [],
  });
  const listChanges = (name: string): ListChanges => ({ ...resources.changes, ...prompts.changes })[name] ?? noChanges;
  return {
    record: input.record?.digest === digest ? undefined : { digest, tools: tools.digests },
    setAside: [
      ...tools.setAside,
      ...(resources.setAside ? [place.resources] : []),
      ...(prompts.setAside ? [place.prompts] : []),
      ...(stored.meta.state === 'unreadable' ? [place.meta] : []),
    ],
    clears: tools.clears,
    writes: [...tools.writes, ...[resources.write, prompts.write].filter((write) => write !== undefined)],
    removals: tools.removals,
    meta: { path: place.meta, text: metaText({ ...meta, digest }) },
    changes: {
      server,
      tools: tools.changes,
      resources: listChanges('resources'),
      resourceTemplates: listChanges('resourceTemplates'),
      prompts: listChanges('prompts'),
      meta: changed,
      overwritten: tools.overwritten,
      instructionsKept,
      repaired: past.interrupted,
      findings: [...stored.findings, ...tools.findings, ...resources.findings, ...prompts.findings],
    },
  };
}

/** Whether nothing is to be done but to write a new stamp. */
export function isUpToDate({ setAside, clears, writes, removals, changes }: SyncPlan): boolean {
  return [setAside, clears, writes, removals, changes.meta].every(({ length }) => length === 0) && !changes.repaired;
}

const noChanges: ListChanges = { added: [], changed: [], removed: [], unchanged: 0 };

/** Whether the folder is what the last sync made of it, and if not, whether that sync was interrupted. */
export function pastOf(stored: StoredServer, record: SyncRecord | undefined): ToolsPast {
  const intact = isIntact(stored);
  return { intact, interrupted: !intact && isInterrupted(stored, record), record };
}

function isIntact(stored: StoredServer): boolean {
  if (stored.meta.state !== 'read' || typeof stored.meta.value['digest'] !== 'string') return false;
  return stored.meta.value['digest'] === computedDigest(stored, stored.meta.value);
}

function computedDigest(stored: StoredServer, meta: JsonObject): string {
  const tools = stored.tools.map(({ descriptor }) => descriptor as JsonObject);
  return folderDigest(meta, tools, storedLists(stored));
}

function isInterrupted({ meta, tools }: StoredServer, record: SyncRecord | undefined): boolean {
  if (meta.state !== 'read') return record !== undefined || tools.length > 0;
  // Without a digest it was written by hand, which is no interruption.
  if (typeof meta.value['digest'] !== 'string' || record === undefined) return false;
  return meta.value['digest'] !== record.digest;
}
