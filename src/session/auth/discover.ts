/** Who signs people in for a server: its own description (RFC 9728), then that of its authorization server (RFC 8414, OpenID Connect). */
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type OAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import { TrestleError } from '../../base/index.ts';
import type { Challenge } from './challenge.ts';
import { httpError, issuerChanged, originOf, signInFailed } from './failures.ts';
import { isSameIssuer } from './record.ts';
import type { AuthRequests } from './request.ts';

export interface AuthorizationServer {
  /** As it names itself, else where it was looked for. */
  readonly issuer: string;
  readonly url: string;
  /** Undefined for a server of 2025-03-26 that describes nothing: its endpoints have fixed places then. */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** The resource that tokens are asked for (RFC 8707); undefined where the server describes nothing. */
  readonly resource: string | undefined;
  /** Scopes that the server says it has. */
  readonly scopes: string | undefined;
  /** Whether it takes only tokens that are bound to a key (RFC 9449). */
  readonly wantsDpop: boolean;
}

export interface Search {
  readonly server: string;
  readonly serverUrl: string;
  readonly challenge: Challenge | undefined;
  /** The only issuer that is wanted, if one is. */
  readonly issuer: string | undefined;
  readonly requests: AuthRequests;
}

/** Finds it anew: nothing of an earlier search is believed, since servers move. */
export async function findAuthorizationServer(search: Search): Promise<AuthorizationServer> {
  const { serverUrl, requests, server } = search;
  const described = await describe(search);
  // A server of 2025-03-26 is its own authorization server.
  const url = described === undefined ? new URL('/', serverUrl).href : chosenServer(described, search);
  const metadata = await discoverAuthorizationServerMetadata(url, { fetchFn: requests.fetch }).catch(
    (error: unknown) => {
      const last = requests.last();
      throw isStatusError(error) && last !== undefined ? httpError(server, last.origin, last.status) : error;
    },
  );
  const named = described?.authorization_servers?.length ?? 0;
  if (metadata === undefined && named > 0) {
    throw signInFailed({
      server,
      reason: 'bad_answer',
      says: `the authorization server ${originOf(url)} does not describe itself.`,
      hint: 'Ask the operator of the server.',
      details: { issuer: url },
    });
  }
  const issuer = metadata?.issuer ?? url;
  checkEndpoints(metadata, requests);
  if (search.issuer !== undefined && !isSameIssuer(search.issuer, issuer)) {
    throw issuerChanged(server, search.issuer, issuer);
  }
  const scopes = described?.scopes_supported?.join(' ');
  return {
    issuer,
    url,
    metadata,
    resource: described?.resource,
    scopes: scopes === '' ? undefined : scopes,
    wantsDpop: described?.dpop_bound_access_tokens_required === true,
  };
}

/** Before a person is sent anywhere: what they would bring back could not be used. */
function checkEndpoints(metadata: AuthorizationServerMetadata | undefined, requests: AuthRequests): void {
  const { authorization_endpoint: page, token_endpoint: tokens, registration_endpoint: clients } = metadata ?? {};
  for (const endpoint of [page, tokens, clients]) if (endpoint !== undefined) requests.allow(endpoint);
}

async function describe(search: Search): Promise<OAuthProtectedResourceMetadata | undefined> {
  const { serverUrl, challenge, requests, server } = search;
  const resourceMetadataUrl = challenge?.resourceMetadataUrl;
  const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
  try {
    const found = await discoverOAuthProtectedResourceMetadata(serverUrl, options, requests.fetch);
    checkResource(found.resource, search);
    return found;
  } catch (error) {
    if (error instanceof TrestleError) throw error;
    const last = requests.last();
    if (last !== undefined && last.status >= 500) throw httpError(server, last.origin, last.status);
    // What was found and cannot be read is no reason to look elsewhere: whoever answers elsewhere was not named.
    if (!isStatusError(error)) throw error;
    return undefined;
  }
}

/** The SDK's plain errors are those of statuses; its others say that a document is broken. */
function isStatusError(error: unknown): boolean {
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
}

/** Somebody else's description would have us ask for tokens to somebody else (RFC 9728, section 3.3). */
function checkResource(resource: string, { server, serverUrl }: Search): void {
  const requestedResource = resourceUrlFromServerUrl(serverUrl);
  if (URL.canParse(resource) && checkResourceAllowed({ requestedResource, configuredResource: resource })) return;
  throw signInFailed({
    server,
    reason: 'resource_mismatch',
    says: `its description is that of another server (${originOf(resource)}).`,
    hint: 'Check the URL of the server, or ask its operator.',
    details: { resource },
  });
}

/** The wanted one, where it is listed; whether the chosen one is it is judged by its own description. */
function chosenServer(described: OAuthProtectedResourceMetadata, { issuer, serverUrl }: Search): string {
  const listed = described.authorization_servers ?? [];
  const wanted = issuer === undefined ? undefined : listed.find((candidate) => isSameIssuer(candidate, issuer));
  return wanted ?? listed[0] ?? new URL('/', serverUrl).href;
}
