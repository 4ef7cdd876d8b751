/** Asks a server what sign-in it wants, by one request without any. */
import { limits, startDeadline, type TrestleError } from '../../base/index.ts';
import type { WireContext } from '../../wire/index.ts';
import { modernMeta } from '../dial/revisions.ts';
import { postOnce } from '../post-once.ts';
import { type Challenge, otherScheme, readChallenge } from './challenge.ts';
import { headersHint, quoted, signInFailed } from './failures.ts';
import type { SignInSubject } from './subject.ts';

/** The challenge; undefined where the server refuses nothing. Rejects when it cannot be reached, or wants what no sign-in brings. */
export async function elicitChallenge(
  subject: SignInSubject,
  { wire, signal }: { readonly wire: WireContext; readonly signal?: AbortSignal | undefined },
): Promise<Challenge | undefined> {
  const { server, endpoint } = subject;
  let challenge: Challenge | undefined;
  let scheme: string | undefined;
  const authorization: WireContext['authorization'] = {
    headersFor: async () => ({}),
    async answered({ status, headers }) {
      if (status === 401) [challenge, scheme] = [readChallenge(headers), otherScheme(headers)];
      return false;
    },
  };
  const { requestMs } = limits.signIn;
  const subjectText = `${server}: what sign-in it wants`;
  using deadline = startDeadline({
    clock: wire.clock,
    idleMs: requestMs,
    totalMs: requestMs,
    subject: subjectText,
    server,
    signal,
  });
  // It changes nothing, and a server of any era that wants a sign-in says so before it reads what is asked.
  const face = { info: { name: 'trestle', version: '0' }, capabilities: {} };
  const request = { id: 1, method: 'server/discover', params: { _meta: modernMeta(face) } };
  try {
    await postOnce(request, {
      server,
      endpoint,
      wire: { ...wire, authorization },
      control: { deadline },
      redirects: endpoint.redirects,
    });
  } catch (error) {
    // Any refusal is an answer; only what kept the request from the server is a failure.
    if (challenge === undefined && isUnreached(error)) throw error;
  }
  if (scheme !== undefined) throw otherCredential(server, scheme);
  return challenge;
}

function otherCredential(server: string, scheme: string): TrestleError {
  const says = `it wants a credential of another kind (${quoted(scheme)}), which no sign-in brings.`;
  return signInFailed({ server, reason: 'not_asked', says, hint: `Give it in ${headersHint}.` });
}

function isUnreached(error: unknown): boolean {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'connection_failed' || code === 'timed_out' || code === 'cancelled' || code === 'address_refused';
}
