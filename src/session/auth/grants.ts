/** Tokens for a client that acts for itself, without a person (SEP-1046, RFC 7523, ID-JAG). */
import {
  type AddClientAuthentication,
  createPrivateKeyJwtAuth,
  fetchToken,
  type DpopSession,
  type OAuthClientProvider,
  type OAuthTokens,
  requestJwtAuthorizationGrant,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import { limits, readNamedTextSync, TrestleError } from '../../base/index.ts';
import type { AuthorizationServer } from './discover.ts';
import type { Client } from './record.ts';
import type { AuthRequests } from './request.ts';
import type { MachineKind, ResolvedAuth } from './resolved-auth.ts';

export interface MachineGrant {
  readonly server: string;
  readonly serverUrl: string;
  readonly auth: ResolvedAuth & { readonly kind: MachineKind };
  readonly found: AuthorizationServer;
  readonly client: Client | undefined;
  readonly scope: string | undefined;
  readonly dpop: DpopSession | undefined;
  readonly requests: AuthRequests;
  readonly onSecret: (secret: string) => void;
}

/** How an assertion of ours is signed unless the entry says otherwise. */
export const standardAlgorithm = 'ES256';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Asks for a token. Rejects with what the SDK's functions throw, or `config_entry_invalid` for a file that holds none. */
export async function requestMachineToken(grant: MachineGrant): Promise<OAuthTokens> {
  const { found, client, dpop, requests, scope } = grant;
  const parameters = await grantParameters(grant);
  if (scope !== undefined) parameters.set('scope', scope);
  const { metadata, resource } = found;
  const addClientAuthentication = clientAuthentication(grant);
  // The SDK asks for tokens on behalf of a provider; ours knows this one request.
  const provider: OAuthClientProvider = {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => client,
    prepareTokenRequest: () => parameters,
    ...(addClientAuthentication === undefined ? {} : { addClientAuthentication }),
    dpop: () => dpop,
    tokens: () => undefined,
    saveTokens() {},
    redirectToAuthorization() {},
    saveCodeVerifier() {},
    codeVerifier: () => '',
  };
  return await fetchToken(provider, found.url, {
    ...(metadata === undefined ? {} : { metadata }),
    ...(resource === undefined ? {} : { resource }),
    fetchFn: requests.fetch,
  });
}

async function grantParameters(grant: MachineGrant): Promise<URLSearchParams> {
  switch (grant.auth.kind) {
    case 'client-credentials':
    case 'private-key-jwt':
      return new URLSearchParams({ grant_type: 'client_credentials' });
    case 'workload':
      return new URLSearchParams({ grant_type: jwtBearer, assertion: supplied(grant, 'assertion') });
    case 'enterprise':
    default:
      return new URLSearchParams({ grant_type: jwtBearer, assertion: await identityAssertion(grant) });
  }
}

/** What the organisation's own sign-in says of who asks, for this one authorization server. */
async function identityAssertion(grant: MachineGrant): Promise<string> {
  const { auth, found, scope, requests, serverUrl, onSecret } = grant;
  const { idpTokenEndpoint = '', idpClientId = '', idpClientSecret } = auth.values;
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
    tokenEndpoint: idpTokenEndpoint,
    audience: found.issuer,
    resource: found.resource ?? resourceUrlFromServerUrl(serverUrl),
    idToken: supplied(grant, 'idToken'),
    clientId: idpClientId,
    ...(idpClientSecret === undefined ? {} : { clientSecret: idpClientSecret }),
    ...(scope === undefined ? {} : { scope }),
    fetchFn: requests.fetch,
  });
  onSecret(jwtAuthGrant);
  return jwtAuthGrant;
}

function clientAuthentication(grant: MachineGrant): AddClientAuthentication | undefined {
  const { auth } = grant;
  if (auth.kind !== 'private-key-jwt') return undefined;
  const { clientId = '', algorithm = standardAlgorithm } = auth.values;
  const sign = createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey: supplied(grant, 'privateKey'),
    alg: algorithm,
    lifetimeSeconds: limits.signIn.assertionSeconds,
  });
  return async (...request) => {
    try {
      await sign(...request);
    } catch (cause) {
      throw unfitKey(grant, algorithm, cause);
    }
  };
}

/** Nothing was sent: it is the key that is wrong, and nobody's answer. */
function unfitKey({ server, auth }: MachineGrant, algorithm: string, cause: unknown): TrestleError {
  const field = auth.values.privateKey === undefined ? 'auth.privateKeyFile' : 'auth.privateKey';
  return new TrestleError({
    code: 'config_entry_invalid',
    message: `Server "${server}": nothing can be signed by ${algorithm} with the key of ${field}.`,
    hint: 'It has to be a private key as PKCS #8 (PEM, "BEGIN PRIVATE KEY") of the kind that "algorithm" says: ES256 unless the entry names another.',
    server,
    details: { field, algorithm },
    cause,
  });
}

/** A value of the definition, else what its file holds now: such files are written anew while we run. */
function supplied({ auth, server, onSecret }: MachineGrant, member: 'assertion' | 'idToken' | 'privateKey'): string {
  const value = auth.values[member];
  if (value !== undefined) return value;
  const file = auth.values[`${member}File`] ?? '';
  const text = readNamedTextSync(file, limits.signIn.bodyBytes)?.trim();
  if (text === undefined || text === '') {
    throw new TrestleError({
      code: 'config_entry_invalid',
      message: `Server "${server}": the file of auth.${member}File ${text === undefined ? 'is not there' : 'is empty'}: ${file}`,
      hint: 'Whoever gives this machine its identity writes it; check the path.',
      server,
      details: { field: `auth.${member}File`, file },
    });
  }
  onSecret(text);
  return text;
}
