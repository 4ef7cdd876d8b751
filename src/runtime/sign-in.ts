/** Sign-in, as a person's command asks for it. */
import { type Core, shownText } from './core.ts';
import { findServer } from './find-server.ts';
import type { SignInRequest, SignInValue, SignOutRequest, SignOutValue } from './runtime.ts';

/** Signs in and stores what came of it. Rejects with a TrestleError. */
export async function signIn(core: Core, request: SignInRequest): Promise<SignInValue> {
  const { account, scopes, person, signal, caller = core.caller } = request;
  const definition = findServer(core, request.server, { caller: request.caller });
  const signedIn = await core.connections.signIn({ definition, caller }, { account, scope: scopes, person, signal });
  const { issuer, scope: granted, expiresAtMs, renews, place, account: used } = signedIn;
  return {
    server: definition.name,
    account: used,
    issuer: shownText(core, issuer),
    ...(granted === undefined ? {} : { scopes: shownText(core, granted) }),
    ...(expiresAtMs === undefined ? {} : { expiresAt: new Date(expiresAtMs).toISOString() }),
    renews,
    place,
  };
}

/** Forgets sign-ins, and tells the authorization server where it can be told. Rejects with a TrestleError. */
export async function signOut(core: Core, request: SignOutRequest): Promise<SignOutValue> {
  const definition = findServer(core, request.server, { caller: request.caller });
  const accounts = await core.connections.signOut(
    { definition, caller: request.caller ?? core.caller },
    request.account,
  );
  return { server: definition.name, accounts };
}
