/** Why a sign-in did not come about, in one sentence each. */
import { limits, shorten, TrestleError } from '../../base/index.ts';
import { isLoopback } from '../../wire/index.ts';

/** `details.reason` of `sign_in_failed`; stable, for scripts. */
export type SignInReason =
  | 'not_asked'
  | 'no_answer'
  | 'bad_answer'
  | 'http_error'
  | 'insecure'
  | 'resource_mismatch'
  | 'issuer_mismatch'
  | 'issuer_changed'
  | 'pkce_missing'
  | 'no_client'
  | 'registration_refused'
  | 'refused'
  | 'token_refused'
  | 'not_for_people'
  | 'not_finished'
  | 'bad_paste'
  | 'not_stored';

export interface SignInFailure {
  readonly server: string;
  readonly reason: SignInReason;
  /** Follows `Server "x": `. */
  readonly says: string;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

export function signInFailed({ server, reason, says, hint, details, cause }: SignInFailure): TrestleError {
  return new TrestleError({
    code: 'sign_in_failed',
    message: `Server "${server}": ${says}`,
    hint,
    server,
    details: { reason, ...details },
    cause,
  });
}

/** What was signed in cannot be kept. */
export function notStored(server: string, cause: TrestleError): TrestleError {
  const says = `the sign-in worked, but it could not be stored: ${cause.message}`;
  return signInFailed({ server, reason: 'not_stored', says, hint: cause.hint, cause });
}

/** What would be signed in could not be kept, which was found out before anybody was asked for anything. */
export function notStorable(server: string, cause: TrestleError): TrestleError {
  const says = `nobody was asked to sign in, since it could not be stored: ${cause.message}`;
  return signInFailed({ server, reason: 'not_stored', says, hint: cause.hint, cause });
}

/** What is known of a sign-in that a person could make. Words of a server are in it. */
export interface SignInWanted {
  /** Of the server's URL. */
  readonly host: string;
  /** Of an earlier sign-in, or the one that the definition names. */
  readonly issuer?: string;
  readonly account?: string;
  readonly scopes?: string;
}

/** A server that wants a sign-in which nobody here may make unasked. */
export function authRequired(facts: {
  readonly server: string;
  /** Undefined for one that is stored nowhere, to which nothing can be signed in. */
  readonly command: string | undefined;
  readonly says: string;
  /** Undefined where no person signs in. */
  readonly signIn: SignInWanted | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Nothing says that a sign-in is what it wants: many servers take a token of their own instead. */
  readonly isUnsaid?: boolean;
}): TrestleError {
  const { server, command, says, signIn, details, isUnsaid = false } = facts;
  // What is to be pasted stands last.
  const signingIn = isUnsaid
    ? `Where it takes a token of its own, give that in ${headersHint}. Else sign in:`
    : 'Sign in:';
  return new TrestleError({
    code: 'auth_required',
    message: `Server "${server}" ${says}`,
    hint:
      command === undefined
        ? 'Add it under a name, then sign in: trestle add <name> --url …; trestle login <name>'
        : `${signingIn} ${command}`,
    server,
    details: {
      ...details,
      ...(command === undefined ? {} : { command }),
      ...(signIn === undefined ? {} : { signIn }),
    },
  });
}

export const registerByHand =
  'Register a client with the operator of the server, and set "auth": {"clientId": …} in its definition.';

export const headersHint = '"headers" of its entry, e.g. "Authorization": "Bearer ${TOKEN}"';

/** Whether nobody on the way can read what goes there. */
export function isSecure(url: string | URL): boolean {
  const target = URL.parse(String(url));
  return target?.protocol === 'https:' || (target?.protocol === 'http:' && isLoopback(target.hostname));
}

export function insecure(server: string, url: string): TrestleError {
  const says = `a sign-in goes over HTTPS only, and ${originOf(url)} is not.`;
  const hint = 'Use an https: address; where the server names this one, ask its operator.';
  return signInFailed({ server, reason: 'insecure', says, hint, details: { origin: originOf(url) } });
}

export function httpError(server: string, origin: string, status: number): TrestleError {
  return signInFailed({
    server,
    reason: 'http_error',
    says: `${origin} answered HTTP ${status} instead of a sign-in's answer.`,
    hint: status >= 500 ? 'It is in trouble; try again later.' : 'Check the URL of the server, or ask its operator.',
    details: { origin, status },
  });
}

export function issuerChanged(server: string, bound: string, now: string): TrestleError {
  return signInFailed({
    server,
    reason: 'issuer_changed',
    says: `it names the authorization server ${quoted(now)}, but the credential is for ${quoted(bound)} only.`,
    hint: 'If the server has moved, set "issuer" of its "auth" to the new one, or sign out first: trestle logout.',
    details: { bound, now },
  });
}

export function originOf(url: string | URL): string {
  return URL.parse(String(url))?.origin ?? 'an address that is none';
}

export const quoted = (text: string): string => shorten(text, limits.quotedCharacters);

/** Where the last answer came from, and what it was. */
export interface LastAnswer {
  readonly origin: string;
  readonly status: number;
  /** Whether it had the form of an OAuth error (RFC 6749, section 5.2). */
  readonly isOAuthError: boolean;
}
