/** Which client we are to an authorization server: one that somebody registered, a document of ours, or one registered on the way. */
import { type OAuthClientMetadata, registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client';
import type { TrestleError } from '../../base/index.ts';
import type { AuthorizationServer } from './discover.ts';
import { headersHint, issuerChanged, originOf, registerByHand, signInFailed } from './failures.ts';
import { type Client, isSameIssuer, type SignInRecord } from './record.ts';
import type { AuthRequests } from './request.ts';
import type { ResolvedAuth } from './resolved-auth.ts';

export interface ClientSearch {
  readonly server: string;
  readonly auth: ResolvedAuth | undefined;
  readonly found: AuthorizationServer;
  /** Of an earlier sign-in. */
  readonly record: SignInRecord | undefined;
  readonly redirectUrl: string;
  readonly scope: string | undefined;
  readonly requests: AuthRequests;
}

/** The client in the order of the specification: registered by hand, a metadata document, registered now. */
export async function findClient(search: ClientSearch): Promise<Client> {
  const { auth, found, record, redirectUrl } = search;
  const configured = configuredClient(search);
  if (configured !== undefined) return configured;
  const documentUrl = auth?.values.clientMetadataUrl;
  if (documentUrl !== undefined && found.metadata?.client_id_metadata_document_supported === true) {
    return { client_id: documentUrl, issuer: found.issuer };
  }
  const known = record?.client;
  const isOurs = known?.issuer !== undefined && isSameIssuer(known.issuer, found.issuer);
  if (known !== undefined && isOurs && known.redirectUrl === redirectUrl) return known;
  return await register(search);
}

/**
 * The client that the definition names. Its secret goes to one authorization server only: the one that the definition names, else the
 * first that it was used with.
 */
export function configuredClient({
  server,
  auth,
  found,
  record,
}: Pick<ClientSearch, 'server' | 'auth' | 'found' | 'record'>): Client | undefined {
  const { clientId, clientSecret } = auth?.values ?? {};
  if (clientId === undefined) return undefined;
  const used = record?.client?.client_id === clientId ? record.client.issuer : undefined;
  const bound = auth?.values.issuer ?? (clientSecret === undefined ? undefined : used);
  if (bound !== undefined && !isSameIssuer(bound, found.issuer)) throw issuerChanged(server, bound, found.issuer);
  return {
    client_id: clientId,
    issuer: found.issuer,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
  };
}

async function register({ server, found, redirectUrl, scope, requests }: ClientSearch): Promise<Client> {
  const { metadata, url, issuer } = found;
  if (metadata !== undefined && metadata.registration_endpoint === undefined) {
    throw signInFailed({
      server,
      reason: 'no_client',
      says: `${new URL(url).origin} registers no clients by itself.`,
      hint: registerByHand,
      details: { issuer },
    });
  }
  const clientMetadata: OAuthClientMetadata = {
    client_name: 'Trestle',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    ...authMethod(metadata?.token_endpoint_auth_methods_supported),
  };
  const registered = await registerClient(url, {
    ...(metadata === undefined ? {} : { metadata }),
    clientMetadata,
    ...(scope === undefined ? {} : { scope }),
    fetchFn: requests.fetch,
  }).catch((error: unknown) => {
    // A server of 2025-03-26 needs to describe nothing; whoever has not even the fixed place for this is no such server.
    const isThere = metadata !== undefined || !RegistrationRejectedError.isInstance(error) || error.status !== 404;
    throw isThere ? error : describesNothing(server, url);
  });
  return { ...registered, issuer, redirectUrl };
}

function describesNothing(server: string, url: string): TrestleError {
  return signInFailed({
    server,
    reason: 'no_client',
    says: `${originOf(url)} describes no sign-in, and registers no clients.`,
    hint: `Where it takes a token of its own, give that in ${headersHint}. Else ask its operator.`,
  });
}

/** A program on a person's machine keeps no secret from that person, so it needs none where it is not made to have one. */
function authMethod(supported: readonly string[] | undefined): Pick<OAuthClientMetadata, 'token_endpoint_auth_method'> {
  const chosen = ['none', 'client_secret_basic', 'client_secret_post'].find((method) => supported?.includes(method));
  return chosen === undefined ? {} : { token_endpoint_auth_method: chosen };
}
