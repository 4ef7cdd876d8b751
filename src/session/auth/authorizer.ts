/** What goes with the requests to one server, and what becomes of those that it refuses. Never asks a person anything. */
import type { DpopSession } from '@modelcontextprotocol/client';
import type { AuthorizedAnswer, AuthorizedRequest, Authorization } from '../../wire/index.ts';
import { type Challenge, exceeds, joinScopes, otherScheme, readChallenge } from './challenge.ts';
import { authRequired, type SignInWanted } from './failures.ts';
import type { Keeper } from './keeper.ts';
import { defaultAccount, isStale, type Tokens } from './record.ts';
import { isMachine } from './resolved-auth.ts';
import type { SignInSubject } from './subject.ts';

export interface AuthorizerOptions {
  readonly subject: SignInSubject;
  readonly keeper: Keeper;
  /** Told what the server wants, for the person who signs in. */
  readonly onChallenge: (challenge: Challenge) => void;
}

/** The authorization of one server's requests. */
export function createAuthorizer(options: AuthorizerOptions): Authorization {
  const { subject, keeper } = options;
  return {
    async headersFor(request) {
      const found = await keeper.current(subject);
      const tokens = found?.tokens;
      if (tokens !== undefined && !isStale(tokens, keeper.options.clock.now())) {
        return await headersOf(tokens, { dpop: await keeper.dpopOf(found), request });
      }
      // Without any token the server is asked what it wants first; one that has ended is renewed before it is refused.
      if (tokens !== undefined && canRenew(tokens, subject)) {
        await waited(keeper.renew(subject, tokens.access, undefined), request.signal);
        const renewed = await keeper.current(subject);
        if (renewed?.tokens === undefined) throw signInAgain(options);
        return await headersOf(renewed.tokens, { dpop: await keeper.dpopOf(renewed), request });
      }
      return tokens === undefined ? {} : await headersOf(tokens, { dpop: await keeper.dpopOf(found), request });
    },
    async answered(answer) {
      const used = usedToken(answer);
      const dpop = await dpopFor(options, answer);
      if (dpop !== undefined && learnsNonce(dpop, answer)) return true;
      if (answer.status === 401) return await afterUnauthorized(options, answer, used);
      if (answer.status === 403) return await afterForbidden(options, answer, used);
      if (used !== undefined) keeper.worked(used);
      return false;
    },
  };
}

function canRenew(tokens: Tokens, { auth }: SignInSubject): boolean {
  return tokens.refresh !== undefined || isMachine(auth);
}

async function headersOf(
  tokens: Tokens,
  { dpop, request }: { readonly dpop: DpopSession | undefined; readonly request: AuthorizedRequest },
): Promise<Readonly<Record<string, string>>> {
  if (dpop === undefined || tokens.type.toLowerCase() !== 'dpop') return { authorization: `Bearer ${tokens.access}` };
  const proof = await dpop.buildProof({ htm: request.method, htu: request.url, accessToken: tokens.access });
  return { authorization: `DPoP ${tokens.access}`, dpop: proof };
}

/** The token that went with a request; undefined where none did. */
function usedToken({ sent }: AuthorizedAnswer): string | undefined {
  return sent['authorization']?.replace(/^\S+ /, '');
}

/** The key that the request was signed with; undefined where it was not, as nearly none is. */
async function dpopFor(
  { keeper, subject }: AuthorizerOptions,
  { sent }: AuthorizedAnswer,
): Promise<DpopSession | undefined> {
  return sent['dpop'] === undefined ? undefined : await keeper.dpopOf(await keeper.current(subject));
}

/** Takes note of a nonce (RFC 9449, section 8.2). Whether the request was refused for the lack of it. */
function learnsNonce(dpop: DpopSession, { status, headers, url }: AuthorizedAnswer): boolean {
  const nonce = headers.get('dpop-nonce');
  if (nonce === null || nonce === dpop.nonceFor(url)) return false;
  dpop.rememberNonce(url, nonce);
  return status === 401 && readChallenge(headers).error === 'use_dpop_nonce';
}

async function afterUnauthorized(
  options: AuthorizerOptions,
  answer: AuthorizedAnswer,
  used: string | undefined,
): Promise<boolean> {
  const { subject, keeper } = options;
  // A server that wants another scheme wants no sign-in of this kind.
  if (used === undefined && otherScheme(answer.headers) !== undefined) return false;
  const challenge = readChallenge(answer.headers);
  options.onChallenge(challenge);
  if (!subject.isStored) throw signInFirst(options, answer);
  // What was refused the first time it was used is refused the next time, too.
  const mayRenew = used === undefined ? isMachine(subject.auth) : !keeper.isNew(used);
  if (mayRenew && (await waited(keeper.renew(subject, used, challenge), answer.signal))) return true;
  throw used === undefined ? signInFirst(options, answer) : signInAgain(options, answer);
}

/** The server wants more than the token has (step-up). A person has to sign in for it once; what it was asked for once is enough. */
async function afterForbidden(
  options: AuthorizerOptions,
  answer: AuthorizedAnswer,
  used: string | undefined,
): Promise<boolean> {
  const { subject, keeper } = options;
  const challenge = readChallenge(answer.headers);
  const record = await keeper.current(subject);
  if (challenge.error !== 'insufficient_scope' || used === undefined || record === undefined) return false;
  const asked = joinScopes(record.scope, record.tokens?.scope);
  if (!exceeds(challenge.scope, asked)) return false;
  const wanted = joinScopes(asked, challenge.scope);
  options.onChallenge({ ...challenge, scope: wanted });
  if (isMachine(subject.auth)) {
    return await waited(keeper.renew(subject, used, { ...challenge, scope: wanted }), answer.signal);
  }
  await keeper.options.store.amend(keeper.key(subject), { wanted });
  throw authRequired({
    server: subject.server,
    command: subject.command,
    says: `wants more than the sign-in allows (${challenge.scope}).`,
    signIn: signInWanted(options, wanted),
    details: { status: 403, scope: wanted },
  });
}

function signInFirst(options: AuthorizerOptions, answer: AuthorizedAnswer): Error {
  const { server, command } = options.subject;
  return authRequired({
    server,
    command,
    says: `asks for a sign-in (HTTP ${answer.status}).`,
    signIn: signInWanted(options, readChallenge(answer.headers).scope),
    isUnsaid: !answer.headers.has('www-authenticate'),
    details: saidBy(answer),
  });
}

function saidBy({ status, headers }: AuthorizedAnswer): Readonly<Record<string, unknown>> {
  const challenge = headers.get('www-authenticate');
  return { status, ...(challenge === null ? {} : { wwwAuthenticate: challenge }) };
}

function signInAgain(options: AuthorizerOptions, answer?: AuthorizedAnswer): Error {
  const { server, command } = options.subject;
  return authRequired({
    server,
    command,
    says: 'does not take the stored sign-in any more.',
    signIn: signInWanted(options, answer === undefined ? undefined : readChallenge(answer.headers).scope),
    details: answer === undefined ? {} : saidBy(answer),
  });
}

/** What a person would sign in to, for scopes that the server has named; undefined where none signs in. */
function signInWanted({ subject, keeper }: AuthorizerOptions, scope: string | undefined): SignInWanted | undefined {
  const { auth, isStored, endpoint } = subject;
  if (!isStored || isMachine(auth)) return undefined;
  const entry = keeper.entryOf(subject);
  const issuer = auth?.values.issuer ?? entry?.issuer;
  const scopes = joinScopes(auth?.values.scope, scope, entry?.wanted);
  const account = keeper.account(subject);
  return {
    host: new URL(endpoint.url).host,
    ...(issuer === undefined ? {} : { issuer }),
    ...(account === defaultAccount ? {} : { account }),
    ...(scopes === undefined ? {} : { scopes }),
  };
}

/** What is shared goes on when one of those who wait for it has to leave. */
async function waited<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
