/** Trestle's one entry in another host's file: planned, written with a backup, and taken out again as if it had never been there. */
import { join } from 'node:path';
import {
  canonicalPathSync,
  isObject,
  parseJson,
  prettyJson,
  readBytesSync,
  readTextSync,
  removePath,
  sha256Hex,
  statSync,
  TrestleError,
  writeFileAtomic,
} from '../../base/index.ts';
import { changedLines } from '../changed-lines.ts';
import type { Machine } from './format.ts';
import { type EntryPlace, withEntry, withoutEntry } from './host-text.ts';
import { formIn, type HostForm, type HostId, hostEntryName, hosts } from './hosts.ts';
import { parseDocument, UnreadableDocument } from './read-document.ts';

export interface InstallPlan {
  readonly host: HostId;
  readonly file: string;
  readonly kind: 'added' | 'removed' | 'unchanged';
  /** The lines of the change as `- old` and `+ new`. */
  readonly diff: readonly string[];
  /** The text as it is; undefined where there is no file. */
  readonly before: string | undefined;
  /** The text as it will be; undefined: the file goes. */
  readonly after: string | undefined;
}

export interface InstallPlace {
  readonly machine: Machine;
  /** Absolute; where backups are kept. */
  readonly stateFolder: string;
}

/** What adding the entry would do. Throws `exists`, `config_unreadable`, `file_error`. */
export async function planInstall(
  host: HostId,
  place: InstallPlace,
  command: readonly [program: string, ...args: readonly string[]],
): Promise<InstallPlan> {
  const { file, before } = current(host, place);
  const { at, entry } = await formOf(host, before);
  const after = await withEntry(before ?? '', entryPlace(host, file, at), entry(command));
  return plan({ host, file, before, after });
}

/** What taking the entry out would do. Throws `config_unreadable` where it cannot be cut out, `file_error`. */
export async function planRemoval(host: HostId, place: InstallPlace): Promise<InstallPlan> {
  const { file, before } = current(host, place);
  if (before === undefined) return plan({ host, file, before, after: undefined });
  const record = readRecord(host, place);
  if (record !== undefined && record.file === file && record.after === sha256Hex(before)) {
    return plan({ host, file, before, after: record.before });
  }
  const { at } = await formOf(host, before);
  const after = await withoutEntry(before, entryPlace(host, file, at), record?.inserted);
  if (after !== undefined) return plan({ host, file, before, after });
  throw new TrestleError({
    code: 'config_unreadable',
    message: `${file} was not changed: its entry "${hostEntryName}" was written or changed by hand.`,
    hint: 'Take it out by hand.',
    details: { file },
  });
}

/** Does what was planned; a file that changed since is left alone. Resolves with the backup's path, where one was made. Throws `file_error`. */
export async function applyInstall(planned: InstallPlan, place: InstallPlace): Promise<string | undefined> {
  const { host, file, before, after, kind } = planned;
  if (readTextSync(file) !== before) {
    throw new TrestleError({
      code: 'file_error',
      message: `${file} has changed meanwhile.`,
      hint: 'Try again.',
      details: { file },
    });
  }
  if (kind === 'unchanged') return undefined;
  const target = canonicalPathSync(file);
  const backup = kind === 'added' ? await keepRecord(planned, place) : undefined;
  if (after === undefined) await removePath(target);
  else await writeFileAtomic(target, after);
  if (kind === 'removed') await forgetRecord(host, place);
  return backup;
}

function current(
  host: HostId,
  { machine }: InstallPlace,
): { readonly file: string; readonly before: string | undefined } {
  const files = hosts[host].files(machine);
  const file = files.find((candidate) => statSync(candidate) !== undefined) ?? files[0] ?? '';
  const before = readTextSync(file);
  // Bytes that are no UTF-8 would be written back as something else.
  if (before?.includes('\uFFFD') === true && readBytesSync(file)?.equals(Buffer.from(before)) === false) {
    throw new TrestleError({ code: 'config_unreadable', message: `${file} is not in UTF-8.`, details: { file } });
  }
  return { file, before };
}

/** How the file writes entries; one that cannot be read is refused by whoever edits it. */
async function formOf(host: HostId, text: string | undefined): Promise<HostForm> {
  const { language, other } = hosts[host];
  if (other === undefined || text === undefined) return hosts[host];
  try {
    return formIn(hosts[host], (await parseDocument(text, language)).value);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableDocument)) throw thrown;
    return hosts[host];
  }
}

function entryPlace(host: HostId, file: string, at: readonly string[]): EntryPlace {
  return { file, language: hosts[host].language, at, name: hostEntryName };
}

async function plan(facts: Omit<InstallPlan, 'kind' | 'diff'>): Promise<InstallPlan> {
  const { host, before, after } = facts;
  if (before === after) return { ...facts, kind: 'unchanged', diff: [] };
  const kind = (after ?? '').length > (before ?? '').length ? 'added' : 'removed';
  // A line that changes may hold more than the entry: what is secret in the file is masked.
  const texts = [before, after].filter((text) => text !== undefined);
  const documents = await Promise.all(texts.map((text) => parseDocument(text, hosts[host].language)));
  const entries = documents.map(({ value }) => value);
  return { ...facts, kind, diff: changedLines({ before: before ?? '', after: after ?? '', entries }) };
}

/** What is needed to undo an installation to the last byte. */
interface InstallRecord {
  readonly file: string;
  /** Digest of the text as it was written. */
  readonly after: string;
  /** What was put in, where it is one piece. */
  readonly inserted: string | undefined;
  /** The text before; undefined: there was no file. */
  readonly before: string | undefined;
}

const recordPath = (host: HostId, { stateFolder }: InstallPlace): string =>
  join(stateFolder, 'installs', `${host}.json`);
const backupPath = (host: HostId, { stateFolder }: InstallPlace): string =>
  join(stateFolder, 'installs', `${host}.before`);

async function keepRecord({ host, file, before, after = '' }: InstallPlan, place: InstallPlace): Promise<string> {
  const path = backupPath(host, place);
  const record = {
    file,
    existed: before !== undefined,
    after: sha256Hex(after),
    inserted: insertedPiece(before ?? '', after),
  };
  await writeFileAtomic(path, before ?? '', { mode: 0o600 });
  await writeFileAtomic(recordPath(host, place), prettyJson(record), { mode: 0o600 });
  return path;
}

/** The one piece by which `after` is longer. */
function insertedPiece(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  return after.slice(start, start + after.length - before.length);
}

function readRecord(host: HostId, place: InstallPlace): InstallRecord | undefined {
  const text = readTextSync(recordPath(host, place));
  const backup = readTextSync(backupPath(host, place));
  if (text === undefined || backup === undefined) return undefined;
  const record = parseJson(text);
  if (!isObject(record)) return undefined;
  const { file, after, inserted, existed } = record;
  if (typeof file !== 'string' || typeof after !== 'string') return undefined;
  return {
    file,
    after,
    inserted: typeof inserted === 'string' ? inserted : undefined,
    before: existed === true ? backup : undefined,
  };
}

async function forgetRecord(host: HostId, place: InstallPlace): Promise<void> {
  await removePath(recordPath(host, place));
  await removePath(backupPath(host, place));
}
