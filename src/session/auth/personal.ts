/** A person signs in to a server: found, asked, kept. */
import { asTrestleError, type TrestleError } from '../../base/index.ts';
import { type Challenge, joinScopes } from './challenge.ts';
import { type Person, signInByCode } from './code-flow.ts';
import { findAuthorizationServer } from './discover.ts';
import { notStorable, notStored, signInFailed } from './failures.ts';
import type { Keeper } from './keeper.ts';
import { boundUrl, type SignInRecord, tokensFrom } from './record.ts';
import { authRequests, boundKey, recordOf } from './renew.ts';
import type { SignInSubject } from './subject.ts';
import { translateAuthError } from './translate-auth-error.ts';

export interface PersonalSignIn {
  readonly subject: SignInSubject;
  readonly person: Person;
  /** Beyond what the server asks for. */
  readonly scope: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly challenge: Challenge | undefined;
}

/** Resolves with what is kept. Rejects with `sign_in_failed`, or what the way there says; nothing that was kept before is lost then. */
export async function signInPerson(keeper: Keeper, signIn: PersonalSignIn): Promise<SignInRecord> {
  const { subject, challenge, person, signal } = signIn;
  const { server, endpoint, auth } = subject;
  const { clock, onSecret, store } = keeper.options;
  const key = keeper.key(subject);
  const before = await keeper.read(key);
  const requests = authRequests(keeper, subject, signal);
  try {
    const serverUrl = boundUrl(endpoint.url);
    const issuer = auth?.values.issuer;
    const found = await findAuthorizationServer({ server, serverUrl, challenge, issuer, requests });
    if (challenge === undefined && found.resource === undefined) throw nothingAsked(server);
    const asked = joinScopes(auth?.values.scope, challenge?.scope, keeper.entry(key)?.wanted, signIn.scope);
    const bound = await boundKey(keeper, { subject, found, before });
    // A person who has been through all the pages would else hear of it then.
    await store.check().catch((error: unknown) => {
      throw notStorable(server, asTrestleError(error));
    });
    const { tokens, client, scope } = await signInByCode({
      server,
      auth,
      found,
      record: before,
      scope: asked ?? found.scopes,
      dpop: bound?.session,
      requests,
      person,
      clock,
      onSecret,
      signal,
    });
    const record = recordOf(keeper, subject, {
      found,
      client,
      scope,
      tokens: tokensFrom(tokens, clock.now()),
      dpopKey: bound?.jwk,
    });
    // Whoever renews what there was keeps that first: the new one stands over it.
    const unsaved = await store.alone(key, () => keeper.save(record, true));
    if (typeof unsaved === 'object') throw notStored(server, unsaved);
    return record;
  } catch (error) {
    throw translateAuthError(error, { server, last: requests.last(), signal });
  }
}

function nothingAsked(server: string): TrestleError {
  const says = 'it asks for no sign-in, and describes none.';
  return signInFailed({ server, reason: 'not_asked', says, hint: `Use it: trestle sync ${server}` });
}
