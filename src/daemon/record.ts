/**
 * The record of a running daemon: where it can be reached and by which token. It is the one thing that clients look for;
 * whoever has written it last is the daemon of this home.
 */
import { dirname, join } from 'node:path';
import {
  canonicalPathSync,
  isObject,
  type JsonValue,
  lookAtPrivate,
  ownMachine,
  parseJson,
  prettyJson,
  type ProcessIdentity,
  readTextSync,
  shellQuote,
  statSync,
  writeFileAtomic,
} from '../base/index.ts';

export interface DaemonRecord {
  readonly protocol: number;
  readonly version: string;
  /** Path of a Unix socket, or name of a Windows pipe. */
  readonly address: string;
  readonly token: string;
  readonly process: ProcessIdentity;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The program that runs, and when its file was last changed: another one at the same path is another program. */
  readonly program: ProgramStamp;
}

export interface ProgramStamp {
  readonly path: string;
  readonly modifiedMs: number;
}

/** Something is there that must not be used. */
export interface Unusable {
  readonly kind: 'unusable';
  /** A sentence without its end. */
  readonly why: string;
  /** The command that puts it right, where there is one. */
  readonly mend?: string | undefined;
}

/** What a client finds. */
export type Found =
  | { readonly kind: 'none' }
  | { readonly kind: 'record'; readonly record: DaemonRecord }
  | Unusable
  /** The daemon of another machine or container, alive lately or not. */
  | { readonly kind: 'foreign'; readonly record: DaemonRecord; readonly touchedMs: number };

export const recordFile = (runFolder: string): string => join(runFolder, 'daemon.json');
export const logFile = (runFolder: string): string => join(runFolder, 'daemon.log');

/** Looks for the daemon of a home, trusting nothing that others could have put there. Throws `file_error`. */
export function findRecord(runFolder: string): Found {
  const folder = lookAtPrivate(runFolder, 'folder');
  if (folder.kind === 'missing') return { kind: 'none' };
  if (folder.kind === 'not-private') return unusable(runFolder, folder);
  const path = recordFile(runFolder);
  const file = lookAtPrivate(path, 'file');
  if (file.kind === 'missing') return { kind: 'none' };
  if (file.kind === 'not-private') return unusable(path, file);
  const record = readRecord(path);
  // A record that nobody can read is nobody's: the next daemon replaces it.
  if (record === undefined) return { kind: 'none' };
  if (record.process.machine === ownMachine()) return { kind: 'record', record };
  return { kind: 'foreign', record, touchedMs: statSync(path)?.modifiedMs ?? 0 };
}

function unusable(path: string, { problem, mend }: { readonly problem: string; readonly mend: string | undefined }) {
  // What is not the user's own daemon's is moved away, not removed: nobody knows whose it is.
  const away = `mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`;
  return { kind: 'unusable', why: `${path} ${problem}`, mend: mend ?? away } as const satisfies Unusable;
}

/** What stands against connecting to the socket of a record. A pipe of Windows has no such marks. */
export function socketProblem(address: string): Unusable | undefined {
  if (isPipe(address)) return undefined;
  const folder = lookAtPrivate(dirname(address), 'folder');
  if (folder.kind === 'not-private') return unusable(dirname(address), folder);
  const socket = lookAtPrivate(address, 'socket');
  return socket.kind === 'not-private' ? unusable(address, socket) : undefined;
}

export const isPipe = (address: string): boolean => address.startsWith('\\\\.\\pipe\\');

/** The record as it stands at `path`; undefined when there is none that can be read. */
export function readRecord(path: string): DaemonRecord | undefined {
  try {
    const text = readTextSync(path);
    return text === undefined ? undefined : recordOf(parseJson(text));
  } catch {
    return undefined;
  }
}

export async function writeRecord(runFolder: string, record: DaemonRecord): Promise<void> {
  await writeFileAtomic(recordFile(runFolder), prettyJson(record), { mode: 0o600, durable: false });
}

/** The stamp of the program that `path` leads to. */
export function programStamp(path: string): ProgramStamp {
  const real = canonicalPathSync(path);
  return { path: real, modifiedMs: statSync(real)?.modifiedMs ?? 0 };
}

function recordOf(value: JsonValue): DaemonRecord | undefined {
  if (!isObject(value)) return undefined;
  const { protocol, version, address, token, startedAt, process: of, program } = value;
  if (typeof protocol !== 'number' || !areTexts(version, address, token, startedAt)) return undefined;
  if (!isObject(of) || typeof of['pid'] !== 'number' || !areTexts(of['machine'], of['started'])) return undefined;
  if (!isObject(program) || !areTexts(program['path']) || typeof program['modifiedMs'] !== 'number') return undefined;
  return value as unknown as DaemonRecord;
}

const areTexts = (...values: readonly unknown[]): boolean => values.every((value) => typeof value === 'string');
