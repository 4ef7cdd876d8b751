/** How a server is signed in to: the `auth` member of an entry, and OpenCode's `oauth`. */
import {
  entryError,
  type EntryReader,
  openEntry,
  readAny,
  readBoolean,
  readChoice,
  readNumber,
  readObject,
  readText,
  readTexts,
  unknownMembers,
} from './members.ts';

/**
 * - `none`: by nothing but the headers; a server that wants a sign-in is told to be misconfigured.
 * - `bearer`: a token that somebody hands over.
 * - `oauth`: a person signs in (authorization code with PKCE).
 * - `client-credentials`, `private-key-jwt`: the client itself, with a secret or a signed assertion.
 * - `workload`: with an assertion of the machine's own identity (RFC 7523).
 * - `enterprise`: with an identity assertion of the organisation's own sign-in (ID-JAG).
 */
export const authKinds = [
  'none',
  'bearer',
  'oauth',
  'client-credentials',
  'private-key-jwt',
  'workload',
  'enterprise',
] as const;
export type AuthKind = (typeof authKinds)[number];

/** Members whose values are secret. */
export const secretAuthMembers = [
  'clientSecret',
  'privateKey',
  'token',
  'assertion',
  'idToken',
  'idpClientSecret',
] as const;
const plainAuthMembers = [
  'clientId',
  'clientMetadataUrl',
  'scope',
  'issuer',
  'account',
  'algorithm',
  'privateKeyFile',
  'assertionFile',
  'idTokenFile',
  'idpTokenEndpoint',
  'idpClientId',
] as const;

/** Of `auth`, for guesses. */
const knownMembers = ['type', ...secretAuthMembers, ...plainAuthMembers, 'scopes', 'redirectPort', 'dpop'];

export type AuthMember = (typeof secretAuthMembers)[number] | (typeof plainAuthMembers)[number];

/** As written: `${…}` references are not resolved. */
export interface DefinedAuth {
  readonly kind: AuthKind;
  /** Those that stand there. */
  readonly values: Readonly<Partial<Record<AuthMember, string>>>;
  /** Port on which the answer of a sign-in is received; undefined = any. */
  readonly redirectPort: number | undefined;
  /** Whether tokens are bound to a key of ours (RFC 9449). */
  readonly dpop: boolean;
}

/** With every reference resolved; files are absolute paths. */
export type ResolvedAuth = DefinedAuth;

/** What each kind cannot do without: one of each list. */
const needed: Readonly<Record<AuthKind, readonly (readonly AuthMember[])[]>> = {
  none: [],
  bearer: [['token']],
  oauth: [],
  'client-credentials': [['clientId'], ['clientSecret']],
  'private-key-jwt': [['clientId'], ['privateKey', 'privateKeyFile']],
  workload: [['assertion', 'assertionFile']],
  enterprise: [['clientId'], ['idToken', 'idTokenFile'], ['idpTokenEndpoint'], ['idpClientId']],
};

export interface ReadAuth {
  readonly auth: DefinedAuth | undefined;
  /** Members of it that nobody knows: `auth.foo`. */
  readonly ignored: readonly string[];
}

/** The `auth` member: `false`, the name of a kind, or an object with a `type`. Throws `config_entry_invalid`. */
export function readAuth(entry: EntryReader): ReadAuth {
  const written = readAny(entry, 'auth');
  if (written === undefined) return { auth: undefined, ignored: [] };
  if (written === false) return { auth: authOf('none'), ignored: [] };
  if (typeof written !== 'string') readObject(entry, 'auth');
  const inner = openEntry(within(entry, 'auth'), typeof written === 'string' ? { type: written } : written);
  const kind = readChoice(inner, 'type', authKinds) ?? 'oauth';
  const read = readMembers(inner, kind);
  for (const choices of needed[kind]) {
    if (choices.every((member) => read.values[member] === undefined)) {
      throw entryError(entry, `auth.${choices.join(' or auth.')}`, `is missing; sign-in by "${kind}" needs it`);
    }
  }
  return { auth: read, ignored: unknownMembers(inner, knownMembers).map((name) => `auth.${name}`) };
}

/** OpenCode's `oauth`: an object, or false for none. */
export function readOpenCodeAuth(entry: EntryReader): ReadAuth {
  const written = readAny(entry, 'oauth');
  if (written === undefined) return { auth: undefined, ignored: [] };
  if (written === false) return { auth: authOf('none'), ignored: [] };
  readObject(entry, 'oauth');
  const inner = openEntry(within(entry, 'oauth'), written);
  return {
    auth: readMembers(inner, 'oauth'),
    ignored: unknownMembers(inner, knownMembers).map((name) => `oauth.${name}`),
  };
}

function authOf(kind: AuthKind): DefinedAuth {
  return { kind, values: {}, redirectPort: undefined, dpop: false };
}

function readMembers(inner: EntryReader, kind: AuthKind): DefinedAuth {
  const values: Partial<Record<AuthMember, string>> = {};
  for (const member of [...secretAuthMembers, ...plainAuthMembers]) {
    const text = readText(inner, member);
    if (text !== undefined) values[member] = text;
  }
  const scopes = readTexts(inner, 'scopes');
  if (scopes !== undefined) values.scope ??= scopes.join(' ');
  return {
    kind,
    values,
    redirectPort: readNumber(inner, 'redirectPort', { least: 1, most: 65_535, unit: 'port' }),
    dpop: readBoolean(inner, 'dpop') ?? false,
  };
}

/** The entry as the subject of errors about what is within one member of it. */
function within(entry: EntryReader, member: string): EntryReader {
  return { ...entry, subject: `${entry.subject}: ${member}`, value: {}, seen: new Set<string>() };
}
