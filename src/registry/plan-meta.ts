/** What a sync makes of meta.json: pure. */
import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { contentDigest } from './digests.ts';
import { changedMembers } from './diff.ts';
import type { LiveCatalogue } from './records.ts';

export interface MetaPlan {
  /** Without its digest. */
  readonly meta: JsonObject;
  readonly changed: readonly string[];
  readonly instructionsKept: boolean;
}

export interface MetaChange {
  /** meta.json as it stands, undefined when there is none or it cannot be read. */
  readonly stored: JsonObject | undefined;
  /** Undefined when only lists were read: the record stays as it is but for its stamp. */
  readonly live: LiveCatalogue['meta'] | undefined;
  /** Whether the digest fits the folder. */
  readonly intact: boolean;
  readonly nowMs: number;
}

/** Members made by the sync itself are no change. */
const ownMembers: ReadonlySet<string> = new Set(['syncedAt', 'digest', 'instructionsDigest']);

/** Instructions are replaced only while they equal what the last sync wrote; unknown members stay, those of `auth` while its kind is the same. */
export function planMeta(change: MetaChange): MetaPlan {
  const { live } = change;
  const { digest: _old, ...stored } = change.stored ?? {};
  const syncedAt = new Date(change.nowMs).toISOString();
  if (live === undefined) return { meta: { ...stored, syncedAt }, changed: [], instructionsKept: false };
  const edited = editedInstructions(change);
  const instructionsKept = edited !== undefined && edited !== live.instructions;
  const meta: JsonObject = {
    ...stored,
    ...(live as unknown as JsonObject),
    auth: keptAuth(stored['auth'], live.auth),
    instructions: instructionsKept ? edited : live.instructions,
    syncedFrom: 'live-server',
    syncedAt,
    instructionsDigest: contentDigest(live.instructions),
  };
  const changed =
    change.stored === undefined ? [] : changedMembers(stored, meta).filter((member) => !ownMembers.has(member));
  return { meta, changed, instructionsKept };
}

function keptAuth(stored: JsonValue | undefined, live: LiveCatalogue['meta']['auth']): JsonObject {
  return isObject(stored) && stored['kind'] === live.kind ? { ...stored, ...live } : { ...live };
}

/** The stored instructions when a person wrote them. */
function editedInstructions({ stored, intact }: MetaChange): string | undefined {
  const text = stored?.['instructions'];
  if (stored === undefined || typeof text !== 'string') return undefined;
  const written = stored['instructionsDigest'];
  if (typeof written === 'string') return contentDigest(text) === written ? undefined : text;
  // Written by hand, or by a version that noted no digest: an empty text is nobody's work.
  return intact || text === '' ? undefined : text;
}
