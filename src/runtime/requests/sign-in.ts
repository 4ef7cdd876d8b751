/** Sign-in, as a person's command asks for it. */
import { asTrestleError } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import { type Asker, askerOf } from '../asker.ts';
import { permit } from '../consent/permission.ts';
import { type Core, shownText } from '../core.ts';
import { findServer, findServerToSignOut } from '../servers/find-server.ts';
import type { SignInRequest, SignInValue, SignOutRequest, SignOutValue } from './sign-in-request.ts';

/** Signs in and stores what came of it. Rejects with a TrestleError. */
export async function signIn(core: Core, request: SignInRequest): Promise<SignInValue> {
  const { account, scopes, person, signal, caller = core.caller } = request;
  const definition = findServer(core, request.server, askerOf(request));
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
  if (request.withdraw === false) return await forgetAll(core, request);
  const { server, account, signal, caller = core.caller } = request;
  const definition = findServerToSignOut(core, server, { caller: request.caller });
  const done = await core.connections.signOut({ definition: addressOf(definition), caller }, { account, signal });
  return { server: definition.name, ...done };
}

/**
 * Forgets the sign-ins to a configured server, given by its name in the registry, on this machine. Never rejects: whoever forgets a server
 * does so whatever became of them.
 */
export async function forgetSignIns(core: Core, server: string): Promise<void> {
  try {
    const { servers } = core.config();
    const definition = [...servers.values()].find(({ registryName }) => registryName === server);
    if (definition !== undefined) await forgetAll(core, { server: definition });
  } catch (error) {
    core.log.warn(`What is stored of sign-ins to ${server} stays: ${asTrestleError(error).message}`, server);
  }
}

/** Nothing of it but where it is: variables and secrets that its requests need may be gone by now. */
function addressOf(definition: Definition): Definition {
  const { transport, auth } = definition;
  if (transport.kind === 'stdio') return definition;
  const { issuer } = auth?.values ?? {};
  const named = {
    kind: 'oauth',
    values: issuer === undefined ? {} : { issuer },
    redirectPort: undefined,
    dpop: false,
  } as const;
  return { ...definition, transport: { ...transport, headers: {} }, auth: named };
}

async function forgetAll(core: Core, { server, caller }: SignOutRequest): Promise<SignOutValue> {
  const asker = { caller };
  const definition = typeof server === 'string' ? findServer(core, server, asker) : server;
  // A project may name any URL: nobody is signed out of it by what nobody has approved.
  permit(core, { ...asker, definition, need: { kind: 'connect' } });
  const isKept = definition.transport.kind === 'stdio' || isUrlOfAnother(core, definition, asker);
  const accounts = isKept ? [] : await core.connections.forgetSignIns({ definition, caller: caller ?? core.caller });
  return { server: definition.name, accounts: accounts.map((account) => ({ account, revoked: undefined })), left: [] };
}

function isUrlOfAnother(core: Core, { registryName, transport }: Definition, asker: Asker): boolean {
  const others = [...core.config(asker).servers.values()].filter((other) => other.registryName !== registryName);
  return others.some(
    (other) => other.transport.kind === 'http' && transport.kind === 'http' && other.transport.url === transport.url,
  );
}
