/** What is kept of a sign-in, all of it secret; and how it is read back, whatever stands there. */
import type {
  AuthorizationServerMetadata,
  OAuthTokens,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  nameDigest,
  parseJson,
  stringifyJson,
} from '../../base/index.ts';

export interface Tokens {
  readonly access: string;
  /** As the authorization server wrote it: `Bearer`, `DPoP`. */
  readonly type: string;
  readonly refresh: string | undefined;
  /** What was granted; undefined where the authorization server says nothing: what was asked for. */
  readonly scope: string | undefined;
  /** Milliseconds since the epoch; undefined where nothing is said: until it is refused. */
  readonly expiresAtMs: number | undefined;
  readonly obtainedAtMs: number;
}

/** The client that we are to an authorization server. */
export type Client = StoredOAuthClientInformation & {
  /** Of a client that was registered for us: where its answers may go. */
  readonly redirectUrl?: string | undefined;
};

/** A sign-in: bound to one server's URL, one account and one issuer. */
export interface SignInRecord {
  readonly serverUrl: string;
  readonly account: string;
  /** Of a client that acts for itself: which one, as {@link machineOf} says. */
  readonly machine: string | undefined;
  readonly issuer: string;
  readonly authorizationServerUrl: string;
  /** Lets a token be renewed without looking anything up. */
  readonly metadata: AuthorizationServerMetadata | undefined;
  readonly client: Client | undefined;
  readonly resource: string | undefined;
  /** What was asked for. */
  readonly scope: string | undefined;
  /** The private key that tokens are bound to, as a JWK. */
  readonly dpopKey: JsonObject | undefined;
  readonly tokens: Tokens | undefined;
}

/** The account where nobody names one. */
export const defaultAccount = 'default';

/**
 * What a record is stored under: a URL or an account that was edited has no sign-in, and what a client that acts for itself was given is
 * no person's, nor another client's, though they share the URL.
 */
export function recordKey({
  serverUrl,
  account,
  machine,
}: Pick<SignInRecord, 'serverUrl' | 'account' | 'machine'>): string {
  const owner = machine === undefined ? [] : [machine];
  return nameDigest(JSON.stringify([boundUrl(serverUrl), account, ...owner]));
}

/** One slash at the end makes no other issuer: a URL without a path is written both ways. */
export function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

/** The URL that a sign-in is bound to: without its fragment, which is never sent. */
export function boundUrl(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = '';
  return url.href;
}

/** Tokens as they came at `nowMs`. */
export function tokensFrom(answer: OAuthTokens, nowMs: number): Tokens {
  const seconds = answer.expires_in;
  const isUsable = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;
  return {
    access: answer.access_token,
    type: answer.token_type,
    refresh: answer.refresh_token,
    scope: answer.scope,
    expiresAtMs: isUsable ? nowMs + seconds * 1_000 : undefined,
    obtainedAtMs: nowMs,
  };
}

/** Whether tokens are to be renewed before they are used: a little early, since a request takes time and clocks differ. */
export function isStale({ expiresAtMs, obtainedAtMs }: Tokens, nowMs: number): boolean {
  if (expiresAtMs === undefined) return false;
  return nowMs >= expiresAtMs - Math.min(limits.signIn.earlyMs, (expiresAtMs - obtainedAtMs) / 10);
}

export function writeRecord(record: SignInRecord): string {
  return stringifyJson(record);
}

/** The record in a text that this file wrote; undefined for any other. */
export function readRecord(text: string | undefined): SignInRecord | undefined {
  let value: JsonValue;
  try {
    value = parseJson(text ?? '');
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { serverUrl, account, issuer, authorizationServerUrl } = value;
  const texts = [serverUrl, account, issuer, authorizationServerUrl];
  if (!texts.every((member) => typeof member === 'string')) return undefined;
  // Written by us, and readable by nobody else: what is within is as we wrote it.
  return { ...(value as unknown as SignInRecord), tokens: readTokens(value['tokens']) };
}

function readTokens(value: JsonValue | undefined): Tokens | undefined {
  if (!isObject(value)) return undefined;
  const { access, type, refresh, scope, expiresAtMs, obtainedAtMs } = value;
  if (typeof access !== 'string' || typeof type !== 'string') return undefined;
  return {
    access,
    type,
    refresh: typeof refresh === 'string' ? refresh : undefined,
    scope: typeof scope === 'string' ? scope : undefined,
    expiresAtMs: typeof expiresAtMs === 'number' ? expiresAtMs : undefined,
    obtainedAtMs: typeof obtainedAtMs === 'number' ? obtainedAtMs : 0,
  };
}

/** Everything in a record that nobody else may learn. */
export function secretsOf(record: SignInRecord): readonly string[] {
  const { tokens, client, dpopKey } = record;
  const found = [tokens?.access, tokens?.refresh, client?.client_secret, dpopKey?.['d']];
  return found.filter((secret): secret is string => typeof secret === 'string');
}
