/**
 * Sign-ins on disk: the secret part in the secret store, and beside it `state/sign-ins.json`, which tells everybody which there are
 * without asking a keychain. It is written last, so its stamp is how other processes notice a change.
 */
import { join } from 'node:path';
import {
  isObject,
  type JsonValue,
  limits,
  makePrivateFolderSync,
  parseJson,
  prettyJson,
  readTextSync,
  statSync,
  withLock,
  writeFileAtomic,
} from '../../base/index.ts';
import type { SecretStore } from '../../secrets/index.ts';
import { readRecord, type SignInRecord, writeRecord } from './record.ts';

/** What may be told of a sign-in. */
export interface SignInEntry {
  readonly serverUrl: string;
  readonly account: string;
  /** Of a client that acts for itself: which one. */
  readonly machine: string | undefined;
  readonly issuer: string;
  readonly scope: string | undefined;
  readonly expiresAtMs: number | undefined;
  /** When a person or a machine last signed in; of several accounts the latest is used where nobody names one. */
  readonly signedInAtMs: number;
  /** Scopes that the server has asked for since, beyond those of the token. */
  readonly wanted: string | undefined;
  /** Whether there is a token: one that was refused for good is gone, and what else is known stays. */
  readonly isSignedIn: boolean;
  /** Another one with every change of the secret part. */
  readonly mark: string;
}

export interface SignInStore {
  /** Where secrets are put, for a person. */
  readonly place: () => string;
  /** Equal while no sign-in was changed by any process; costs one look at a file. */
  stamp(): string;
  entries(): ReadonlyMap<string, SignInEntry>;
  read(key: string): Promise<SignInRecord | undefined>;
  /** Finds out whether a sign-in could be kept now; throws what the secret store throws. */
  check(): Promise<void>;
  /**
   * Whether it is kept: one that `isRenewed` is not where somebody has signed out meanwhile. Throws what the secret store throws; nothing is
   * changed then.
   */
  write(
    key: string,
    sign: { readonly record: SignInRecord; readonly entry: SignInEntry; readonly isRenewed: boolean },
  ): Promise<boolean>;
  /** Changes what may be told of a sign-in, if there is one. */
  amend(key: string, change: Partial<SignInEntry>): Promise<void>;
  remove(key: string): Promise<void>;
  /** Runs `work` while no other process renews this sign-in. */
  alone<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export interface SignInStoreOptions {
  readonly stateFolder: string;
  /** Opened when a secret is needed. */
  readonly secrets: () => SecretStore;
}

export function openSignInStore({ stateFolder, secrets }: SignInStoreOptions): SignInStore {
  const file = join(stateFolder, 'sign-ins.json');
  const change = async (edit: (entries: Map<string, SignInEntry>) => void): Promise<void> => {
    makePrivateFolderSync(stateFolder);
    await withLock(join(stateFolder, 'sign-ins.lock'), async () => {
      const entries = readEntries(file);
      edit(entries);
      await writeFileAtomic(file, prettyJson(Object.fromEntries(entries)), { mode: 0o600 });
    });
  };
  return {
    place: () => secrets().place,
    stamp() {
      const stamp = statSync(file);
      return stamp === undefined ? '' : `${stamp.inode}:${stamp.modifiedMs}:${stamp.sizeBytes}`;
    },
    entries: () => readEntries(file),
    read: async (key) => readRecord(await secrets().get(secretName(key))),
    check: () => secrets().check(),
    async write(key, { record, entry, isRenewed }) {
      await secrets().set(secretName(key), writeRecord(record));
      let isKept = true;
      await change((entries) => {
        isKept = !isRenewed || entries.has(key);
        if (isKept) entries.set(key, entry);
      });
      if (!isKept) await secrets().remove(secretName(key));
      return isKept;
    },
    amend: (key, part) =>
      change((entries) => {
        const entry = entries.get(key);
        if (entry !== undefined) entries.set(key, { ...entry, ...part });
      }),
    async remove(key) {
      await secrets().remove(secretName(key));
      await change((entries) => entries.delete(key));
      // Whoever renewed it in between put it back while it still had its entry.
      await secrets().remove(secretName(key));
    },
    alone(key, work) {
      makePrivateFolderSync(stateFolder);
      return withLock(join(stateFolder, 'sign-in-locks', key), work, { waitMs: limits.signIn.aloneMs });
    },
  };
}

const secretName = (key: string): string => `oauth:${key}`;

function readEntries(file: string): Map<string, SignInEntry> {
  let value: JsonValue;
  try {
    value = parseJson(readTextSync(file) ?? '{}');
  } catch {
    // Derived from what people can do again; a broken one is as none.
    return new Map();
  }
  if (!isObject(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, entry]) => {
      const read = readEntry(entry);
      return read === undefined ? [] : [[key, read] as const];
    }),
  );
}

function readEntry(value: JsonValue): SignInEntry | undefined {
  if (!isObject(value)) return undefined;
  const { serverUrl, account, machine, issuer, scope, expiresAtMs, signedInAtMs, wanted, isSignedIn, mark } = value;
  if (typeof serverUrl !== 'string' || typeof account !== 'string' || typeof issuer !== 'string') return undefined;
  return {
    serverUrl,
    account,
    machine: typeof machine === 'string' ? machine : undefined,
    issuer,
    scope: typeof scope === 'string' ? scope : undefined,
    expiresAtMs: typeof expiresAtMs === 'number' ? expiresAtMs : undefined,
    signedInAtMs: typeof signedInAtMs === 'number' ? signedInAtMs : 0,
    wanted: typeof wanted === 'string' ? wanted : undefined,
    isSignedIn: isSignedIn === true,
    mark: typeof mark === 'string' ? mark : '',
  };
}
