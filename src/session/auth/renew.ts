/** New tokens without a person: by a token for that, or by what the client itself can show. */
import { OAuthError, refreshAuthorization } from '@modelcontextprotocol/client';
import type { TrestleError } from '../../base/index.ts';
import { type Challenge, exceeds, joinScopes } from './challenge.ts';
import { configuredClient } from './client.ts';
import { type AuthorizationServer, findAuthorizationServer } from './discover.ts';
import { type BoundKey, createDpopKey } from './dpop.ts';
import { notStored } from './failures.ts';
import { requestMachineToken } from './grants.ts';
import type { Keeper, Renewal } from './keeper.ts';
import { boundUrl, type SignInRecord, tokensFrom } from './record.ts';
import { type AuthRequests, openAuthRequests } from './request.ts';
import { isMachine, machineOf } from './resolved-auth.ts';
import { revokeTokens } from './revoke.ts';
import type { SignInSubject } from './subject.ts';
import { isGrantOver, translateAuthError } from './translate-auth-error.ts';

/** Whether there are new tokens, which are kept. To be called while nobody else renews them. Rejects with why they could not be asked for. */
export async function renewTokens(keeper: Keeper, renewal: Renewal): Promise<boolean> {
  const { subject, record, challenge } = renewal;
  if (record?.tokens?.refresh !== undefined && !needsMore(renewal)) {
    if (await refresh(keeper, { subject, record, token: record.tokens.refresh })) return true;
  }
  if (!isMachine(subject.auth)) return false;
  await mintTokens(keeper, subject, challenge);
  return true;
}

/** A token that is renewed has the scopes of before at most (RFC 6749, section 6). */
function needsMore({ record, challenge }: Renewal): boolean {
  const isWanted = challenge?.error === 'insufficient_scope';
  return isWanted && exceeds(challenge.scope, joinScopes(record?.scope, record?.tokens?.scope));
}

interface Refresh {
  readonly subject: SignInSubject;
  readonly record: SignInRecord;
  readonly token: string;
}

/** Whether there are new tokens; a grant that is over is forgotten, so that nobody asks with it again. */
async function refresh(keeper: Keeper, { subject, record, token }: Refresh): Promise<boolean> {
  const { server } = subject;
  const { metadata, client, resource, authorizationServerUrl } = record;
  const requests = authRequests(keeper, subject);
  const dpop = await keeper.dpopOf(record);
  try {
    const answer = await refreshAuthorization(authorizationServerUrl, {
      refreshToken: token,
      clientInformation: client ?? { client_id: '' },
      ...(metadata === undefined ? {} : { metadata }),
      ...(resource === undefined ? {} : { resource }),
      ...(dpop === undefined ? {} : { dpop }),
      fetchFn: requests.fetch,
    });
    const tokens = tokensFrom(answer, keeper.options.clock.now());
    keeper.made(tokens.access);
    const renewed = { ...record, tokens: { ...tokens, scope: tokens.scope ?? record.tokens?.scope } };
    if ((await keeper.save(renewed, false)) !== 'signed out') return true;
    // Nobody else knows of these any more.
    await revokeTokens(renewed, requests);
    return false;
  } catch (error) {
    if (!isGrantOver(error)) throw translateAuthError(error, { server, last: requests.last() });
    // A client that the authorization server has forgotten is of no use to the next sign-in either.
    const isClientGone = OAuthError.isInstance(error) && error.code === 'invalid_client';
    await keeper.save({ ...record, tokens: undefined, client: isClientGone ? undefined : client }, false);
    return false;
  }
}

/** As a person's command asks for it: what could not be stored is a failure there, though it works as long as the process. */
export async function signInMachine(
  keeper: Keeper,
  subject: SignInSubject,
  challenge: Challenge | undefined,
): Promise<SignInRecord> {
  const { record, unsaved } = await mintTokens(keeper, subject, challenge);
  if (unsaved !== undefined) throw notStored(subject.server, unsaved);
  return record;
}

interface Minted {
  readonly record: SignInRecord;
  /** Why it could not be stored, if it could not. */
  readonly unsaved: TrestleError | undefined;
}

/** A token for a client that acts for itself; kept. Rejects with `sign_in_failed`, or what the way there says. */
async function mintTokens(keeper: Keeper, subject: SignInSubject, challenge: Challenge | undefined): Promise<Minted> {
  const { server, endpoint, auth } = subject;
  if (!isMachine(auth)) throw new TypeError('a person signs in to this server');
  const { clock, onSecret } = keeper.options;
  const key = keeper.key(subject);
  const before = await keeper.read(key);
  const requests = authRequests(keeper, subject);
  try {
    // A credential goes to the one authorization server that it was used with first.
    const issuer = auth.values.issuer ?? before?.issuer;
    const serverUrl = boundUrl(endpoint.url);
    const found = await findAuthorizationServer({ server, serverUrl, challenge, issuer, requests });
    const client = configuredClient({ server, auth, found, record: before });
    const scope = joinScopes(auth.values.scope, challenge?.scope, keeper.entry(key)?.wanted) ?? found.scopes;
    const bound = await boundKey(keeper, { subject, found, before });
    const grant = { server, serverUrl, auth, found, client, scope, dpop: bound?.session, requests, onSecret };
    const tokens = tokensFrom(await requestMachineToken(grant), clock.now());
    const record = recordOf(keeper, subject, { found, client, scope, tokens, dpopKey: bound?.jwk });
    keeper.made(tokens.access);
    const unsaved = await keeper.save(record, true);
    return { record, unsaved: typeof unsaved === 'object' ? unsaved : undefined };
  } catch (error) {
    throw translateAuthError(error, { server, last: requests.last() });
  }
}

/** Requests for a sign-in of the subject. */
export function authRequests(keeper: Keeper, subject: SignInSubject, signal?: AbortSignal): AuthRequests {
  const { http, clock, onSecret } = keeper.options;
  const { server, endpoint, auth } = subject;
  const { issuer, idpTokenEndpoint } = auth?.values ?? {};
  const named = [endpoint.url, issuer, idpTokenEndpoint].filter((url) => url !== undefined);
  return openAuthRequests({ server, named, proxies: endpoint.proxies, http, clock, onSecret, signal });
}

interface Binding {
  readonly subject: SignInSubject;
  readonly found: AuthorizationServer;
  readonly before: SignInRecord | undefined;
}

/** A key to bind tokens to, where that is wanted: the one of before, else a new one. */
export async function boundKey(keeper: Keeper, { subject, found, before }: Binding): Promise<BoundKey | undefined> {
  if (subject.auth?.dpop !== true && !found.wantsDpop) return undefined;
  const jwk = before?.dpopKey;
  const kept = await keeper.dpopOf(before);
  if (jwk !== undefined && kept !== undefined) return { session: kept, jwk };
  const made = await createDpopKey();
  keeper.keepDpop(made.jwk, made.session);
  return made;
}

/** What is kept of a sign-in that was made. */
export function recordOf(
  keeper: Keeper,
  subject: SignInSubject,
  facts: Pick<SignInRecord, 'client' | 'scope' | 'tokens' | 'dpopKey'> & { readonly found: AuthorizationServer },
): SignInRecord {
  const { found, ...rest } = facts;
  return {
    serverUrl: boundUrl(subject.endpoint.url),
    account: keeper.account(subject),
    machine: machineOf(subject.auth),
    issuer: found.issuer,
    authorizationServerUrl: found.url,
    metadata: found.metadata,
    resource: found.resource,
    ...rest,
  };
}
