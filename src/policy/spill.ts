/** Whole outputs on disk, where only a part was shown. */
import {
  asTrestleError,
  limits,
  listFolderSync,
  lookAtPrivate,
  makePrivateFolderSync,
  removePath,
  statSync,
  writeNewFile,
} from '../base/index.ts';
import { join } from 'node:path';

export interface SpillOptions {
  readonly folder: string;
  /** Server and tool. */
  readonly label: string;
  readonly nowMs: number;
}

export type Spill =
  | { readonly path: string }
  /** Why it could not be written, one sentence. */
  | { readonly reason: string };

/**
 * Writes `contents` to a new private file, in a folder that is the user's alone. Never throws: a full disk, or a folder that is a link or
 * somebody else's, is told as a reason.
 */
export async function writeSpill(contents: string, options: SpillOptions): Promise<Spill> {
  const { folder } = options;
  const path = join(folder, spillName(options));
  try {
    if (statSync(folder)?.kind !== 'link') makePrivateFolderSync(folder);
    const sight = lookAtPrivate(folder, 'folder');
    if (sight.kind === 'not-private') return { reason: `${folder} ${sight.problem}.` };
    // Not durable: it is for the conversation at hand.
    await writeNewFile(path, contents, { mode: 0o600, durable: false });
    return { path };
  } catch (thrown) {
    return { reason: asTrestleError(thrown).message };
  }
}

/** `2026-01-31T12-00-00-server-tool-1a2b3c4d.txt`; sorted by name is sorted by time. */
function spillName({ label, nowMs }: SpillOptions): string {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  const safe = label
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);
  const unique = process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
  return `${stamp}-${safe === '' ? 'output' : safe}-${unique}.txt`;
}

const spillPattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[A-Za-z0-9_-]+-[0-9a-f]{12}\.txt$/;

/** Removes spilled outputs older than limits.spillAgeMs and says how many. Other files are left alone. */
export async function sweepSpills(spillFolder: string, nowMs: number): Promise<number> {
  let removed = 0;
  if (statSync(spillFolder)?.kind !== 'folder') return 0;
  for (const name of listFolderSync(spillFolder)) {
    if (!spillPattern.test(name)) continue;
    const path = join(spillFolder, name);
    const stamp = statSync(path);
    if (stamp?.kind !== 'file' || nowMs - stamp.modifiedMs < limits.spillAgeMs) continue;
    // Another process may be sweeping too; what cannot be removed is met again next time.
    if (await removePath(path).catch(() => false)) removed += 1;
  }
  return removed;
}
