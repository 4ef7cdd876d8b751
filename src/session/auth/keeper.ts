/**
 * The sign-ins that a process works with: read once, renewed once however many requests and processes want it, and kept in memory
 * where they cannot be stored. What renews them is loaded when it is needed: a request with a token that holds loads nothing of it.
 */
import type { DpopSession } from '@modelcontextprotocol/client';
import { type Clock, type JsonObject, type Log, randomHex, type TrestleError } from '../../base/index.ts';
import type { HttpClient } from '../../wire/index.ts';
import type { Challenge } from './challenge.ts';
import {
  boundUrl,
  defaultAccount,
  isSameIssuer,
  isStale,
  recordKey,
  secretsOf,
  type SignInRecord,
  type Tokens,
} from './record.ts';
import { isMachine, machineOf } from './resolved-auth.ts';
import type { SignInEntry, SignInStore } from './sign-in-store.ts';
import type { SignInSubject } from './subject.ts';

export interface KeeperOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly http: HttpClient;
  readonly store: SignInStore;
  /** Told every secret that comes to be known. */
  readonly onSecret: (secret: string) => void;
  /** Whether there are new tokens, which are kept; called while nobody else renews them. */
  readonly renew: (keeper: Keeper, renewal: Renewal) => Promise<boolean>;
}

/** What a renewal is about. */
export interface Renewal {
  readonly subject: SignInSubject;
  readonly record: SignInRecord | undefined;
  /** What the server wants, where it has said so. */
  readonly challenge: Challenge | undefined;
}

interface Held {
  readonly record: SignInRecord;
  /** What the store had when it was kept or read; with any other, or without one, somebody has signed in anew, or out. */
  readonly mark: string | undefined;
  /** It could not be stored: this process has the only one. */
  readonly isUnsaved: boolean;
}

export class Keeper {
  readonly options: KeeperOptions;
  readonly #held = new Map<string, Held>();
  /** Of the store, under way, by the mark of what is read. */
  readonly #readings = new Map<string, Promise<SignInRecord | undefined>>();
  readonly #renewals = new Map<string, Promise<boolean>>();
  /** Keys that tokens are bound to, by record. */
  readonly #dpop = new WeakMap<object, Promise<DpopSession>>();
  /** Tokens that no server has answered yet; one that is refused at once is not renewed again. */
  readonly #untried = new Set<string>();
  /** Of the account that a definition names: a digest, and asked for with every request. */
  readonly #keys = new WeakMap<SignInSubject, string>();
  #index: { readonly stamp: string; readonly entries: ReadonlyMap<string, SignInEntry> } | undefined;

  constructor(options: KeeperOptions) {
    this.options = options;
  }

  /** The account that is meant: the one that the definition names, else the one that a person signed in to last. */
  account(subject: SignInSubject): string {
    const { auth } = subject;
    const named = auth?.values.account;
    if (named !== undefined) return named;
    // Of a machine its kind is told: its name stands in the definition alone, and may be a secret there.
    return isMachine(auth) ? auth.kind : (this.#latest(subject)?.account ?? defaultAccount);
  }

  key(subject: SignInSubject): string {
    const { auth, endpoint } = subject;
    const known = this.#keys.get(subject);
    if (known !== undefined) return known;
    const key = recordKey({ serverUrl: endpoint.url, account: this.account(subject), machine: machineOf(auth) });
    if (auth?.values.account !== undefined) this.#keys.set(subject, key);
    return key;
  }

  /** What is known of the sign-in that is meant. Costs one look at a file. */
  entryOf(subject: SignInSubject): SignInEntry | undefined {
    const { auth } = subject;
    const isLatest = auth?.values.account === undefined && !isMachine(auth);
    return isLatest ? this.#latest(subject) : this.entry(this.key(subject));
  }

  /** The one that a person made last. */
  #latest(subject: SignInSubject): SignInEntry | undefined {
    const personal = this.entriesOf(subject).filter(({ machine }) => machine === undefined);
    return personal.toSorted((a, b) => b.signedInAtMs - a.signedInAtMs)[0];
  }

  /** What is known of sign-ins to the server, of all accounts. */
  entriesOf({ endpoint }: SignInSubject): readonly SignInEntry[] {
    const url = boundUrl(endpoint.url);
    return [...this.#entries().values()].filter((entry) => entry.serverUrl === url);
  }

  entry(key: string): SignInEntry | undefined {
    return this.#entries().get(key);
  }

  /** The sign-in of the subject, if there is one. Costs one look at a file where it is known. */
  async current(subject: SignInSubject): Promise<SignInRecord | undefined> {
    if (!subject.isStored) return undefined;
    return usable(await this.read(this.key(subject)), subject);
  }

  async read(key: string): Promise<SignInRecord | undefined> {
    const held = this.#held.get(key);
    const entry = this.entry(key);
    const isKnown = held !== undefined && held.mark === entry?.mark;
    if (isKnown) return held.record;
    if (entry === undefined) {
      this.#held.delete(key);
      return undefined;
    }
    // A keychain may ask its person each time it is asked.
    const reading = this.#readings.get(entry.mark) ?? this.options.store.read(key);
    this.#readings.set(entry.mark, reading);
    const record = await reading.finally(() => this.#readings.delete(entry.mark));
    if (record === undefined) return undefined;
    secretsOf(record).forEach(this.options.onSecret);
    this.#held.set(key, { record, mark: entry.mark, isUnsaved: false });
    return record;
  }

  /**
   * Keeps a sign-in. Where it cannot be stored it is held in memory, and the reason is the result; `isNew` for one that somebody has just
   * made, rather than one that was renewed: that is dropped where somebody has signed out meanwhile.
   */
  async save(record: SignInRecord, isNew: boolean): Promise<TrestleError | 'signed out' | undefined> {
    const { clock, log, store, onSecret } = this.options;
    const key = recordKey(record);
    const mark = randomHex(8);
    secretsOf(record).forEach(onSecret);
    const before = this.entry(key);
    const isRenewed = !isNew && this.#held.get(key)?.isUnsaved !== true;
    const entry: SignInEntry = {
      serverUrl: record.serverUrl,
      account: record.account,
      machine: record.machine,
      issuer: record.issuer,
      scope: record.tokens?.scope ?? record.scope,
      expiresAtMs: record.tokens?.expiresAtMs,
      signedInAtMs: isNew || before === undefined ? clock.now() : before.signedInAtMs,
      wanted: isNew ? undefined : before?.wanted,
      isSignedIn: record.tokens !== undefined,
      mark,
    };
    try {
      if (!(await store.write(key, { record, entry, isRenewed }))) return 'signed out';
      this.#held.set(key, { record, mark, isUnsaved: false });
      return undefined;
    } catch (error) {
      this.#held.set(key, { record, mark: before?.mark, isUnsaved: true });
      const reason = error as TrestleError;
      log.warn(
        `The sign-in to ${record.serverUrl} could not be stored, so it lasts as long as this process: ${reason.message}`,
      );
      return reason;
    }
  }

  /** Forgets a sign-in, here and on disk. */
  async remove(key: string): Promise<void> {
    this.#held.delete(key);
    await this.options.store.remove(key);
  }

  /** Keeps the session of a new key. */
  keepDpop(jwk: JsonObject, session: DpopSession): void {
    this.#dpop.set(jwk, Promise.resolve(session));
  }

  /** A new token, which no server has answered yet. */
  isNew(access: string): boolean {
    return this.#untried.has(access);
  }

  made(access: string): void {
    this.#untried.add(access);
  }

  worked(access: string): void {
    this.#untried.delete(access);
  }

  /** The key that the record's tokens are bound to, if they are. */
  async dpopOf(record: SignInRecord | undefined): Promise<DpopSession | undefined> {
    const jwk = record?.dpopKey;
    if (jwk === undefined) return undefined;
    // Its nonces are the session's: one a key, whatever record holds it.
    const known = this.#dpop.get(jwk) ?? import('./dpop.ts').then(({ openDpopKey }) => openDpopKey(jwk));
    this.#dpop.set(jwk, known);
    return await known;
  }

  /**
   * Sees to a token other than `used` (none when undefined). Resolves with whether there is one. However many ask, one request goes out,
   * also from other processes. Rejects with why it could not be asked for; a grant that is used up is not that.
   */
  renew(subject: SignInSubject, used: string | undefined, challenge: Challenge | undefined): Promise<boolean> {
    const key = this.key(subject);
    const id = `${key} ${used ?? ''}`;
    const running = this.#renewals.get(id) ?? this.#renewAlone(subject, { key, used, challenge });
    this.#renewals.set(id, running);
    const forget = (): void => {
      if (this.#renewals.get(id) === running) this.#renewals.delete(id);
    };
    void running.then(forget, forget);
    return running;
  }

  /** Resolves when no renewal is under way: one that is broken off may cost the grant. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#renewals.values());
  }

  async #renewAlone(subject: SignInSubject, wish: Wish): Promise<boolean> {
    const { clock, store, renew } = this.options;
    if (isOther(usable(this.#held.get(wish.key)?.record, subject)?.tokens, wish, clock.now())) return true;
    return await store.alone(wish.key, async () => {
      // Another process may have renewed it while this one waited.
      const record = usable(await this.read(wish.key), subject);
      return isOther(record?.tokens, wish, clock.now()) || renew(this, { subject, record, challenge: wish.challenge });
    });
  }

  #entries(): ReadonlyMap<string, SignInEntry> {
    const { store } = this.options;
    const stamp = store.stamp();
    if (this.#index?.stamp !== stamp) this.#index = { stamp, entries: store.entries() };
    return this.#index.entries;
  }
}

/** The record, unless the definition names another issuer by now: what that one has not given is not what is wanted. */
function usable(record: SignInRecord | undefined, { auth }: SignInSubject): SignInRecord | undefined {
  const wanted = auth?.values.issuer;
  const isWanted = record === undefined || wanted === undefined || isSameIssuer(record.issuer, wanted);
  return isWanted ? record : undefined;
}

interface Wish {
  readonly key: string;
  readonly used: string | undefined;
  readonly challenge: Challenge | undefined;
}

function isOther(tokens: Tokens | undefined, { used }: Wish, nowMs: number): boolean {
  return tokens !== undefined && tokens.access !== used && !isStale(tokens, nowMs);
}
