/** The door of sign-in: what goes with requests, and what a person's commands do. */
import type { Clock, Log, TrestleError } from '../../base/index.ts';
import type { SecretStore } from '../../secrets/index.ts';
import type { Authorization, HttpClient, WireContext } from '../../wire/index.ts';
import { createAuthorizer } from './authorizer.ts';
import type { Challenge } from './challenge.ts';
import type { Person } from './code-flow.ts';
import { elicitChallenge } from './elicit.ts';
import { signInFailed } from './failures.ts';
import { Keeper } from './keeper.ts';
import { boundUrl, recordKey, type SignInRecord } from './record.ts';
import { isMachine } from './resolved-auth.ts';
import { openSignInStore, type SignInEntry } from './sign-in-store.ts';
import type { SignInSubject } from './subject.ts';

export interface SignInsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly http: HttpClient;
  readonly stateFolder: string;
  /** Opened when a secret is needed. */
  readonly secrets: () => SecretStore;
  /** Told every secret that comes to be known. */
  readonly onSecret: (secret: string) => void;
}

/** What may be told of a sign-in that was made. */
export interface SignedIn {
  readonly account: string;
  readonly issuer: string;
  /** What was granted. */
  readonly scope: string | undefined;
  readonly expiresAtMs: number | undefined;
  /** Whether it renews itself: by a token for that, or because no person is needed. */
  readonly renews: boolean;
  /** Where it is kept, for a person. */
  readonly place: string;
}

export interface SignedOut {
  readonly account: string;
  /** Whether the authorization server was told and has agreed; undefined where it offers no way to. */
  readonly revoked: boolean | undefined;
}

export interface SignInWish {
  readonly person: Person;
  /** Default: the one of the definition, else the one that was signed in to last. */
  readonly account?: string | undefined;
  /** Beyond those that the server asks for. */
  readonly scope?: string | undefined;
  /** For the one request that asks the server what it wants. */
  readonly wire: WireContext;
  readonly signal?: AbortSignal | undefined;
}

export interface SignOutDone {
  /** Those that were known. */
  readonly accounts: readonly SignedOut[];
  /** Other accounts that are signed in still. */
  readonly left: readonly string[];
}

export interface SignOutWish {
  /** Default: all. */
  readonly account?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SignIns {
  /**
   * Of the requests of one connection, with the account that is meant now; undefined where the definition says that nobody signs in.
   */
  authorization(subject: SignInSubject): Authorization | undefined;
  /**
   * Signs in anew, whatever there is. A person is needed for `oauth` only. Rejects with `sign_in_failed` (details: reason), or what the
   * connection or the secret store says.
   */
  signIn(subject: SignInSubject, wish: SignInWish): Promise<SignedIn>;
  /**
   * Forgets the sign-ins of one account, or of all; the authorization server is told where it offers that. Whoever gives up by the signal
   * waits for no word of it, and is signed out here all the same.
   */
  signOut(subject: SignInSubject, wish?: SignOutWish): Promise<SignOutDone>;
  /** Forgets them all here, without a word to anybody; resolves with their accounts. */
  forget(subject: SignInSubject): Promise<readonly string[]>;
  /**
   * Whose sign-in requests to the server go with: equal until a person signs in anew, in or out as somebody else, or out, in whatever
   * process. Costs one look at a file.
   */
  whose(subject: SignInSubject): string;
  /** What is known of sign-ins to the server. */
  entries(subject: SignInSubject): readonly SignInEntry[];
  /** Resolves when nothing is under way that must not be broken off. */
  close(): Promise<void>;
}

export function createSignIns(options: SignInsOptions): SignIns {
  const { clock, log, http, stateFolder, secrets, onSecret } = options;
  const store = openSignInStore({ stateFolder, secrets });
  const keeper = new Keeper({
    clock,
    log,
    http,
    store,
    onSecret,
    renew: async (of, renewal) => (await import('./renew.ts')).renewTokens(of, renewal),
  });
  /** What each server wanted last, by the URL it was asked at. */
  const challenges = new Map<string, Challenge>();
  const noteFor =
    ({ endpoint }: SignInSubject) =>
    (challenge: Challenge): void =>
      void challenges.set(boundUrl(endpoint.url), challenge);
  return {
    authorization(subject) {
      if (whyNobodySignsIn(subject) !== undefined) return undefined;
      // A server ties a connection to whoever made it: what is left of it goes on as they, or as nobody.
      const pinned = forAccount(subject, keeper.account(subject));
      return createAuthorizer({ subject: pinned, keeper, onChallenge: noteFor(subject) });
    },
    async signIn(given, wish) {
      const subject = forAccount(given, wish.account);
      const { auth, server } = subject;
      const { person, scope, signal } = wish;
      const reason = whyNobodySignsIn(subject);
      if (reason !== undefined) throw nobodySignsIn(server, reason);
      const known = challenges.get(boundUrl(subject.endpoint.url));
      const challenge = known ?? (await elicitChallenge(subject, wish));
      const record = isMachine(auth)
        ? await (await import('./renew.ts')).signInMachine(keeper, subject, challenge)
        : await (await import('./personal.ts')).signInPerson(keeper, { subject, challenge, person, scope, signal });
      challenges.delete(boundUrl(subject.endpoint.url));
      const { tokens } = record;
      return {
        account: record.account,
        issuer: record.issuer,
        scope: tokens?.scope ?? record.scope,
        expiresAtMs: tokens?.expiresAtMs,
        renews: tokens?.refresh !== undefined || isMachine(auth),
        place: store.place(),
      };
    },
    async signOut(subject, { account, signal } = {}) {
      const chosen = keeper.entriesOf(subject).filter((entry) => account === undefined || entry.account === account);
      const done: SignedOut[] = [];
      for (const entry of chosen) {
        const key = recordKey(entry);
        const record = await keeper.read(key);
        // It is forgotten first: what cannot be told to the server must not stay here for that.
        await keeper.remove(key);
        const revoked = record === undefined ? undefined : await revoke(keeper, { subject, record, signal });
        done.push({ account: entry.account, revoked });
      }
      const left = keeper.entriesOf(subject).filter(({ isSignedIn }) => isSignedIn);
      return { accounts: done, left: left.map((entry) => entry.account) };
    },
    async forget(subject) {
      const entries = keeper.entriesOf(subject);
      for (const entry of entries) await keeper.remove(recordKey(entry));
      return entries.map(({ account }) => account);
    },
    whose(subject) {
      // A machine's tokens are always its own.
      if (!subject.isStored || isMachine(subject.auth)) return '';
      const entry = keeper.entryOf(subject);
      return entry === undefined ? '' : `${entry.signedInAtMs} ${entry.account}`;
    },
    entries: (subject) => keeper.entriesOf(subject),
    close: () => keeper.close(),
  };
}

function forAccount(subject: SignInSubject, account: string | undefined): SignInSubject {
  if (account === undefined) return subject;
  const auth = subject.auth ?? { kind: 'oauth', values: {}, redirectPort: undefined, dpop: false };
  return { ...subject, auth: { ...auth, values: { ...auth.values, account } } };
}

/** What of the definition says that nobody signs in, if something does: a credential that stands there is the only one. */
function whyNobodySignsIn({ auth, endpoint }: SignInSubject): string | undefined {
  if (auth?.kind === 'none' || auth?.kind === 'bearer') return `says "auth": "${auth.kind}"`;
  const names = Object.keys(endpoint.headers);
  return names.some((name) => name.toLowerCase() === 'authorization') ? 'has an Authorization header' : undefined;
}

function nobodySignsIn(server: string, reason: string): TrestleError {
  const says = `its definition ${reason}, so nobody signs in to it.`;
  return signInFailed({ server, reason: 'not_for_people', says, hint: 'Take that out of the definition first.' });
}

async function revoke(
  keeper: Keeper,
  {
    subject,
    record,
    signal,
  }: {
    readonly subject: SignInSubject;
    readonly record: SignInRecord;
    readonly signal: AbortSignal | undefined;
  },
): Promise<boolean | undefined> {
  const [{ revokeTokens }, { authRequests }] = await Promise.all([import('./revoke.ts'), import('./renew.ts')]);
  return await revokeTokens(record, authRequests(keeper, subject, signal));
}
