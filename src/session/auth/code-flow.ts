/** A person signs in: authorization code with PKCE (OAuth 2.1, section 4.1), the answer received on this machine or brought by hand. */
import {
  type DpopSession,
  exchangeAuthorization,
  type OAuthTokens,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { type Clock, limits, randomHex, shorten, type TrestleError } from '../../base/index.ts';
import { type CallbackReceiver, openCallbackReceiver } from '../../wire/index.ts';
import { joinScopes } from './challenge.ts';
import { findClient } from './client.ts';
import type { AuthorizationServer } from './discover.ts';
import { signInFailed } from './failures.ts';
import { type Client, isSameIssuer, type SignInRecord } from './record.ts';
import type { AuthRequests } from './request.ts';
import type { ResolvedAuth } from './resolved-auth.ts';

/** The person who signs in. */
export interface Person {
  /** Shows the page to sign in at; the answer can be received by then. */
  readonly showPage: (url: string) => void | Promise<void>;
  /** Waits for the address at which the person's browser ended, where it is brought by hand; `page` is the one that was shown. */
  readonly pasted?: ((signal: AbortSignal, page: string) => Promise<string>) | undefined;
}

export interface CodeFlow {
  readonly server: string;
  readonly auth: ResolvedAuth | undefined;
  readonly found: AuthorizationServer;
  /** Of an earlier sign-in, whose client may serve again. */
  readonly record: SignInRecord | undefined;
  readonly scope: string | undefined;
  readonly dpop: DpopSession | undefined;
  readonly requests: AuthRequests;
  readonly person: Person;
  readonly clock: Clock;
  readonly onSecret: (secret: string) => void;
  readonly signal: AbortSignal | undefined;
}

export interface CodeFlowResult {
  readonly tokens: OAuthTokens;
  readonly client: Client;
  readonly scope: string | undefined;
}

/** Signs in. The port for the answer is free again when it ends, however it ends. */
export async function signInByCode(flow: CodeFlow): Promise<CodeFlowResult> {
  const { found, requests } = flow;
  checkAbilities(flow);
  const receiver = await openReceiver(flow);
  try {
    const scope = withOffline(flow.scope, found);
    const { redirectUrl } = receiver;
    const client = await findClient({ ...flow, redirectUrl, scope });
    const { metadata, url, resource } = found;
    const state = randomHex(16);
    const { authorizationUrl, codeVerifier } = await startAuthorization(url, {
      ...(metadata === undefined ? {} : { metadata }),
      clientInformation: client,
      redirectUrl,
      state,
      ...(scope === undefined ? {} : { scope }),
      ...(resource === undefined ? {} : { resource }),
    });
    flow.onSecret(codeVerifier);
    const answer = await answerOf(flow, { receiver, page: authorizationUrl.href, state });
    const tokens = await exchangeAuthorization(url, {
      ...(metadata === undefined ? {} : { metadata }),
      clientInformation: client,
      authorizationCode: codeIn(answer, flow),
      // The SDK compares it with the issuer before the code is sent anywhere (RFC 9207).
      ...issOf(answer),
      codeVerifier,
      redirectUri: redirectUrl,
      ...(resource === undefined ? {} : { resource }),
      ...(flow.dpop === undefined ? {} : { dpop: flow.dpop }),
      fetchFn: requests.fetch,
    });
    return { tokens, client, scope };
  } finally {
    await receiver.close();
  }
}

/** What must hold before a person is sent anywhere. A server that describes nothing (2025-03-26) must have PKCE without saying so. */
function checkAbilities({ found, server }: CodeFlow): void {
  const { metadata, issuer } = found;
  if (metadata === undefined || metadata.code_challenge_methods_supported?.includes('S256') === true) return;
  throw signInFailed({
    server,
    reason: 'pkce_missing',
    says: `the authorization server ${issuer} does not offer PKCE with S256, without which a sign-in can be stolen.`,
    hint: 'Ask its operator; Trestle does not sign in without it.',
    details: { issuer },
  });
}

/** On the port that the definition names, else on that of the client registered before, else on any: then a client is registered anew. */
async function openReceiver({ auth, record, found }: CodeFlow): Promise<CallbackReceiver> {
  if (auth?.redirectPort !== undefined) return await openCallbackReceiver({ port: auth.redirectPort });
  const { issuer, redirectUrl } = record?.client ?? {};
  const known = issuer !== undefined && isSameIssuer(issuer, found.issuer) ? redirectUrl : undefined;
  const port = Number(URL.parse(known ?? '')?.port ?? 0);
  if (port === 0) return await openCallbackReceiver({ port: 0 });
  return await openCallbackReceiver({ port }).catch(() => openCallbackReceiver({ port: 0 }));
}

/** A token that can be renewed, where the authorization server has such and scopes are named at all. */
function withOffline(scope: string | undefined, { metadata }: AuthorizationServer): string | undefined {
  const isOffered = metadata?.scopes_supported?.includes('offline_access') === true;
  return scope !== undefined && isOffered ? joinScopes(scope, 'offline_access') : scope;
}

interface Waiting {
  readonly receiver: CallbackReceiver;
  readonly page: string;
  readonly state: string;
}

async function answerOf(flow: CodeFlow, { receiver, page, state }: Waiting): Promise<URLSearchParams> {
  const { person, clock, signal, server } = flow;
  const over = new AbortController();
  const isOurs = (parameters: URLSearchParams): boolean => parameters.get('state') === state;
  const received = receiver.receive(isOurs);
  const waiting: Promise<URLSearchParams>[] = [received];
  const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
  given.catch(() => {});
  const timer = clock.after(limits.signIn.personMs, () => giveUp(notFinished(server)));
  const onAbort = (): void => giveUp(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  try {
    await Promise.race([person.showPage(page), given]);
    if (person.pasted !== undefined) {
      const pasted = person.pasted(over.signal, page).then((text) => pastedAnswer(text, { server, isOurs }));
      // Whichever comes first is the answer; the other one's end is nobody's concern then.
      pasted.catch(() => {});
      waiting.push(pasted);
    }
    return await Promise.race([...waiting, given]);
  } finally {
    over.abort();
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}

function notFinished(server: string): TrestleError {
  const says = `the sign-in was not finished within ${limits.signIn.personMs / 60_000} minutes.`;
  return signInFailed({ server, reason: 'not_finished', says, hint: 'Sign in again, and finish it in the browser.' });
}

/** A whole address, or what stands behind its question mark. */
function pastedAnswer(
  text: string,
  { server, isOurs }: { readonly server: string; readonly isOurs: (parameters: URLSearchParams) => boolean },
): URLSearchParams {
  const trimmed = text.trim();
  const parameters = URL.parse(trimmed)?.searchParams ?? new URLSearchParams(trimmed.replace(/^[^?]*\?/, ''));
  if (isOurs(parameters)) return parameters;
  throw signInFailed({
    server,
    reason: 'bad_paste',
    says: 'what was pasted is not the address at which this sign-in ended.',
    hint: 'Copy the whole address from the browser, even if its page could not be loaded; it begins with http://127.0.0.1.',
  });
}

function issOf(answer: URLSearchParams): { readonly iss?: string } {
  const iss = answer.get('iss');
  return iss === null ? {} : { iss };
}

function codeIn(answer: URLSearchParams, { found, server, onSecret }: CodeFlow): string {
  const code = answer.get('code');
  if (code !== null && code !== '') {
    onSecret(code);
    return code;
  }
  // An error of somebody else's is not worth repeating.
  validateAuthorizationResponseIssuer({
    iss: answer.get('iss') ?? undefined,
    expectedIssuer: found.metadata?.issuer,
    issParameterSupported: found.metadata?.authorization_response_iss_parameter_supported === true,
  });
  const error = answer.get('error') ?? 'no code in the answer';
  const text = answer.get('error_description');
  const why = shorten(text === null ? error : `${error}: ${text}`, limits.quotedCharacters);
  throw signInFailed({
    server,
    reason: 'refused',
    says: `the sign-in was refused (${why}).`,
    hint: 'Sign in again, as somebody who may, and agree to what the page asks.',
    details: { oauthError: error },
  });
}
