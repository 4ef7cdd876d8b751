/** Why a sign-in did not come about, in one sentence each; and the one translation of what the SDK's OAuth functions throw. */
import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { limits, shorten, TrestleError } from '../../base/index.ts';

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

/** A server that wants a sign-in which nobody here may make unasked. */
export function authRequired(facts: {
  readonly server: string;
  /** Undefined for one that is stored nowhere, to which nothing can be signed in. */
  readonly command: string | undefined;
  readonly says: string;
  readonly details?: Readonly<Record<string, unknown>>;
}): TrestleError {
  const { server, command, says, details } = facts;
  return new TrestleError({
    code: 'auth_required',
    message: `Server "${server}" ${says}`,
    hint:
      command === undefined
        ? 'Add it under a name, then sign in: trestle add <name> --url …; trestle login <name>'
        : `Sign in: ${command}`,
    server,
    details: { ...details, ...(command === undefined ? {} : { command }) },
  });
}

/** Whether it means that a grant is used up or withdrawn (RFC 6749, section 5.2), so that asking once more is of no use. */
export function isGrantOver(error: unknown): boolean {
  return OAuthError.isInstance(error) && grantEnds.has(error.code);
}

/** Also a client that the authorization server has forgotten, and a key that the grant is not bound to. */
const grantEnds: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'invalid_dpop_proof',
]);

export interface Attempt {
  readonly server: string;
  readonly last: LastAnswer | undefined;
}

/** Where the last answer came from, and what it was. */
export interface LastAnswer {
  readonly origin: string;
  readonly status: number;
  /** Whether it had the form of an OAuth error (RFC 6749, section 5.2). */
  readonly isOAuthError: boolean;
}

/** What is told of whatever one of the SDK's functions, or our own, has thrown. */
export function translateAuthError(thrown: unknown, { server, last }: Attempt): TrestleError {
  if (thrown instanceof TrestleError) return thrown.server === undefined ? thrown.with({ server }) : thrown;
  const fail = (reason: SignInReason, says: string, more: Partial<SignInFailure> = {}): TrestleError =>
    signInFailed({ server, reason, says, cause: thrown, ...more });
  const whose = last === undefined ? 'the authorization server' : last.origin;
  if (IssuerMismatchError.isInstance(thrown)) {
    const { expected, received } = thrown;
    const where = thrown.kind === 'metadata' ? 'describes itself' : 'answers';
    const as = received === undefined ? 'without saying who it is' : `as ${quoted(received)}`;
    return fail('issuer_mismatch', `the authorization server ${quoted(expected ?? '')} ${where} ${as}.`, {
      hint: 'Nothing was sent to it. It may be misconfigured, or somebody stands between.',
    });
  }
  if (AuthorizationServerMismatchError.isInstance(thrown)) {
    return issuerChanged(server, thrown.recordedIssuer, thrown.currentIssuer);
  }
  if (InsecureTokenEndpointError.isInstance(thrown)) return insecure(server, thrown.tokenEndpoint);
  if (RegistrationRejectedError.isInstance(thrown)) {
    return fail('registration_refused', `${whose} registers no client for us (HTTP ${thrown.status}).`, {
      hint: registerByHand,
      details: { status: thrown.status },
    });
  }
  // What is no OAuth error the SDK calls a server error, and repeats all of it.
  if (OAuthError.isInstance(thrown) && last?.isOAuthError !== false) {
    const text = shorten(thrown.message.replaceAll(/\s+/g, ' '), limits.quotedCharacters);
    const why = text === thrown.code ? thrown.code : `${thrown.code}: ${text}`;
    return fail('refused', `${whose} refuses the sign-in (${why}).`, { details: { oauthError: thrown.code } });
  }
  if (last !== undefined && last.status >= 400) return httpError(server, last.origin, last.status);
  return fail('bad_answer', `${whose} answered what is no answer to a sign-in.`, {
    hint: 'Check the URL of the server, or ask its operator.',
  });
}

export const registerByHand =
  'Register a client with the operator of the server, and set "auth": {"clientId": …} in its definition.';

export function insecure(server: string, url: string): TrestleError {
  const says = `a sign-in goes over HTTPS only, and ${originOf(url)} is not.`;
  return signInFailed({ server, reason: 'insecure', says, details: { origin: originOf(url) } });
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

const quoted = (text: string): string => shorten(text, limits.quotedCharacters);
