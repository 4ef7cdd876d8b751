/** Does what a plan says, under the registry's lock and in an order that leaves every interruption noticeable. */
import { join } from 'node:path';
import {
  type HeldLock,
  limits,
  listFolderSync,
  makeFolder,
  moveAside,
  removePath,
  renamePath,
  statSync,
  temporaryBeside,
  temporaryPrefix,
  TrestleError,
  withLock,
  writeFileAtomic,
  writeFilesAtomic,
} from '../base/index.ts';
import type { RegistryFinding } from './finding.ts';
import { readJsonFile } from './json-file.ts';
import { assertWritable, lockPath, placeOf, recordsFolder, type ServerPlace } from './layout.ts';
import { isUpToDate, planSync, type SyncChanges, type SyncInput, type SyncPlan } from './plan.ts';
import type { LiveCatalogue, LiveLists } from './records.ts';
import { readStored, type StoredServer } from './stored.ts';
import { readSyncRecord, syncRecordText } from './sync-record.ts';

export interface ApplyOptions {
  /** Overwrites a server whose `syncedFrom` is `manual`. */
  readonly force?: boolean;
  /** Time of the sync for meta.json, milliseconds since the epoch. */
  readonly nowMs: number;
  /** Ends the wait for the lock; a sync that has begun to write is finished. */
  readonly signal?: AbortSignal | undefined;
}

/** `whenDone` runs under the lock. */
type Applying = ApplyOptions & { readonly whenDone: (server: string) => void };

/** Brings a server's folder to `live`. */
export async function applySync(root: string, live: LiveCatalogue, options: Applying): Promise<SyncChanges> {
  return whileHeld(root, { server: live.meta.name, options }, async (held) => {
    if (options.force !== true) refuseManual(held);
    return carryOut(root, { ...held, plan: planFor(held, live, options) }, options);
  });
}

/**
 * Brings the lists of a server that was synced before to `lists`. Writes nothing, not even a stamp, where they say what the files
 * say. Undefined, and nothing is done, when there is no record of the server or a person wrote it.
 */
export async function applyLists(
  root: string,
  lists: LiveLists & { readonly server: string },
  options: Applying,
): Promise<SyncChanges | undefined> {
  return whileHeld(root, { server: lists.server, options }, async (held) => {
    if (held.stored.meta.state !== 'read' || isManual(held)) return undefined;
    const plan = planFor(held, { ...lists, meta: undefined }, options);
    return isUpToDate(plan) ? plan.changes : carryOut(root, { ...held, plan }, options);
  });
}

/** A server's folder as it stands, which nobody else writes to. */
interface Held {
  readonly place: ServerPlace;
  readonly stored: StoredServer;
  readonly lock: HeldLock;
}

function whileHeld<T>(
  root: string,
  { server, options }: { readonly server: string; readonly options: Applying },
  work: (held: Held) => Promise<T>,
): Promise<T> {
  const place = placeOf(root, server);
  return underLock(root, options.signal, (lock) => {
    assertWritable(root, place);
    return work({ place, stored: readStored(place), lock });
  });
}

function planFor({ place, stored }: Held, live: SyncInput['live'], { nowMs }: Applying): SyncPlan {
  return planSync({ place, stored, live, record: readSyncRecord(readJsonFile(place.record)), nowMs });
}

async function carryOut(root: string, execution: Execution, { whenDone }: Applying): Promise<SyncChanges> {
  const { place, plan } = execution;
  const setAside = await execute(root, execution);
  whenDone(place.server);
  return { ...plan.changes, findings: plan.changes.findings.map((finding) => withPlaceKept(finding, setAside)) };
}

/** Removes a server's folder; a link is removed itself and what it points to stays. */
export async function removeServer(root: string, server: string): Promise<boolean> {
  if (!isDirectChild(root, server)) return false;
  return underLock(root, undefined, async (lock) => {
    const folder = join(root, server);
    const kind = statSync(folder)?.kind;
    if (kind === undefined) return false;
    // Renamed first, so that a removal that is interrupted leaves no half server; the rest goes with the next sync.
    const away = temporaryBeside(folder);
    lock.check();
    await renamePath(folder, away);
    await removePath(away);
    await removePath(join(root, recordsFolder, `${server}.json`));
    return true;
  });
}

/** Also folders whose names cannot name a server can be removed, but nothing outside of the root and nothing of its own. */
function isDirectChild(root: string, server: string): boolean {
  return !server.startsWith('.') && server !== 'index.json' && listFolderSync(root).includes(server);
}

/** A sync whose lock was lost, because this process stood still, starts anew from what is on the disk. */
async function underLock<T>(
  root: string,
  signal: AbortSignal | undefined,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withLock(lockPath(root), work, { signal });
    } catch (error) {
      const lost = error instanceof TrestleError && error.details?.['lost'] === true;
      if (!lost || attempt >= limits.lockAttempts) throw error;
    }
  }
}

function isManual({ stored: { meta } }: Held): boolean {
  return meta.state === 'read' && meta.value['syncedFrom'] === 'manual';
}

function refuseManual(held: Held): void {
  if (!isManual(held)) return;
  const { place } = held;
  throw new TrestleError({
    code: 'registry_invalid',
    message: `${place.server}: its descriptors were written by hand ("syncedFrom": "manual" in ${place.meta}) and are not overwritten.`,
    hint: `Run "trestle sync ${place.server} --force" to replace them by what the server says.`,
    server: place.server,
    details: { file: place.meta, field: '/syncedFrom' },
  });
}

interface Execution extends Omit<Held, 'stored'> {
  readonly plan: SyncPlan;
}

/** Resolves with the new names of the files that were set aside. */
async function execute(root: string, { place, plan, lock }: Execution): Promise<ReadonlyMap<string, string>> {
  lock.check();
  await makeFolder(place.tools);
  await removeTemporaries([root, place.folder, place.tools, join(root, recordsFolder)]);
  if (plan.record !== undefined) await writeFileAtomic(place.record, syncRecordText(plan.record));
  const setAside = new Map<string, string>();
  for (const path of plan.setAside) setAside.set(path, await moveAside(path));
  for (const path of plan.clears) await removePath(path);
  for (let start = 0; start < plan.writes.length; start += limits.filesPerBatch) {
    lock.check();
    const batch = plan.writes.slice(start, start + limits.filesPerBatch);
    await writeFilesAtomic(batch.map(({ path, text }) => ({ path, contents: text })));
  }
  lock.check();
  for (const path of plan.removals) await removePath(path);
  lock.check();
  await writeFileAtomic(plan.meta.path, plan.meta.text);
  return setAside;
}

/** Whoever writes here holds the lock, so what is left of other writers is left of dead ones. */
async function removeTemporaries(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const left = listFolderSync(folder).filter((name) => name.startsWith(temporaryPrefix));
    for (const name of left) await removePath(join(folder, name));
  }
}

function withPlaceKept(finding: RegistryFinding, setAside: ReadonlyMap<string, string>): RegistryFinding {
  const aside = setAside.get(finding.file);
  return aside === undefined || finding.severity !== 'error'
    ? finding
    : { ...finding, problem: `${finding.problem}; it was kept as ${aside}` };
}
