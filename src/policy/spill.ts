/** Whole outputs on disk, where only a part was shown. */
import {
  asTrestleError,
  limits,
  listFolderSync,
  lookAtPrivate,
  makePrivateFolderSync,
  removeEmptyFolderSync,
  removePath,
  type Scope,
  sha256Hex,
  statSync,
  writeNewFile,
} from '../base/index.ts';
import { join } from 'node:path';

export interface SpillOptions {
  /** Of all outputs of a home. */
  readonly folder: string;
  /** Whose output it is: each scope has a folder of its own in there, so that a host can let a client read its own and no others. */
  readonly scope: Scope;
  /** Server and tool. */
  readonly label: string;
  readonly nowMs: number;
}

export type Spill =
  | { readonly path: string }
  /** Why it could not be written, one sentence. */
  | { readonly reason: string };

/**
 * Writes `contents` to a new private file, in folders that are the user's alone. Never throws: a full disk, or a folder that is a link or
 * somebody else's, is told as a reason.
 */
export async function writeSpill(contents: string, options: SpillOptions): Promise<Spill> {
  const own = join(options.folder, scopeFolder(options.scope));
  const path = join(own, spillName(options));
  try {
    for (const folder of [options.folder, own]) {
      if (statSync(folder)?.kind !== 'link') makePrivateFolderSync(folder);
      const sight = lookAtPrivate(folder, 'folder');
      if (sight.kind === 'not-private') return { reason: `${folder} ${sight.problem}.` };
    }
    // Not durable: it is for the conversation at hand. Makes the folder again that a sweep has just found empty.
    await writeNewFile(path, contents, { mode: 0o600, durable: false });
    return { path };
  } catch (thrown) {
    return { reason: asTrestleError(thrown).message };
  }
}

/** `project-1a2b3c4d5e6f`: the kind of scope, and a digest of what tells it from others of its kind. */
function scopeFolder(scope: Scope): string {
  const [kind = '', ...rest] = scope.split(':');
  return rest.length === 0 ? kind : `${kind}-${sha256Hex(scope).slice(0, scopeDigits)}`;
}

const scopeDigits = 12;

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
const scopePattern = /^(?:library|shared|(?:session|project)-[0-9a-f]{12})$/;

/**
 * Removes spilled outputs older than limits.spillAgeMs and says how many; folders of scopes that are empty go with them. Other files and
 * folders are left alone.
 */
export async function sweepSpills(spillFolder: string, nowMs: number): Promise<number> {
  // Outputs that lie in the folder itself are of versions before scopes had their own.
  let removed = await sweepFolder(spillFolder, nowMs);
  if (statSync(spillFolder)?.kind !== 'folder') return 0;
  for (const name of listFolderSync(spillFolder)) {
    if (!scopePattern.test(name)) continue;
    const folder = join(spillFolder, name);
    removed += await sweepFolder(folder, nowMs);
    if (statSync(folder)?.kind === 'folder') removeEmptyFolderSync(folder);
  }
  return removed;
}

async function sweepFolder(folder: string, nowMs: number): Promise<number> {
  let removed = 0;
  if (statSync(folder)?.kind !== 'folder') return 0;
  for (const name of listFolderSync(folder)) {
    if (!spillPattern.test(name)) continue;
    const path = join(folder, name);
    const stamp = statSync(path);
    if (stamp?.kind !== 'file' || nowMs - stamp.modifiedMs < limits.spillAgeMs) continue;
    // Another process may be sweeping too; what cannot be removed is met again next time.
    if (await removePath(path).catch(() => false)) removed += 1;
  }
  return removed;
}
