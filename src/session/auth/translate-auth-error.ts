/** The one translation of what the SDK's OAuth functions throw. */
import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { limits, shorten, TrestleError } from '../../base/index.ts';
import {
  httpError,
  insecure,
  issuerChanged,
  type LastAnswer,
  quoted,
  registerByHand,
  signInFailed,
  type SignInFailure,
  type SignInReason,
} from './failures.ts';

/** Whether it means that a grant is used up or withdrawn (RFC 6749, section 5.2), so that asking once more is of no use. */
export function isGrantOver(error: unknown): boolean {
  return OAuthError.isInstance(error) && grantEnds.has(error.code);
}

/** Also a client that the authorization server has forgotten, a key that the grant is not bound to, and words of GitHub's and Slack's own. */
const grantEnds: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'invalid_dpop_proof',
  'bad_refresh_token',
  'invalid_refresh_token',
]);

const checkClient =
  'Check the client in the "auth" of the entry: its "clientId", its credential, and what its operator lets it do.';

/** What to do about words of RFC 6749 (section 5.2) that mean what stands in the definition. */
const refusalHints: ReadonlyMap<string, string> = new Map([
  ['invalid_client', checkClient],
  ['unauthorized_client', checkClient],
  ['unsupported_grant_type', checkClient],
  ['invalid_scope', 'Check the "scope" in the "auth" of the entry.'],
]);

export interface Attempt {
  readonly server: string;
  readonly last: LastAnswer | undefined;
  /** Of whoever may give it up. */
  readonly signal?: AbortSignal | undefined;
}

/** What is told of whatever one of the SDK's functions, or our own, has thrown. */
export function translateAuthError(thrown: unknown, { server, last, signal }: Attempt): TrestleError {
  if (signal?.aborted === true && !(thrown instanceof TrestleError)) {
    const cause: unknown = signal.reason;
    return new TrestleError({ code: 'cancelled', message: `The sign-in to ${server} was cancelled.`, server, cause });
  }
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
    return fail('refused', `${whose} refuses the sign-in (${why}).`, {
      hint: refusalHints.get(thrown.code) ?? 'Try again; if it refuses once more, ask its operator.',
      details: { oauthError: thrown.code },
    });
  }
  if (last !== undefined && last.status >= 400) return httpError(server, last.origin, last.status);
  return fail('bad_answer', `${whose} answered what is no answer to a sign-in.`, {
    hint: 'Check the URL of the server, or ask its operator.',
  });
}
