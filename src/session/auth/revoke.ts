/** Tells an authorization server that tokens are not wanted any more (RFC 7009). */
import { selectClientAuthMethod } from '@modelcontextprotocol/client';
import type { SignInRecord } from './record.ts';
import type { AuthRequests } from './request.ts';

/** Whether it agreed to each; undefined where it offers no way. Never rejects: whoever signs out is signed out here in any case. */
export async function revokeTokens(record: SignInRecord, requests: AuthRequests): Promise<boolean | undefined> {
  // Not every kind of description has the member in its type.
  const { revocation_endpoint: endpoint } = (record.metadata ?? {}) as { readonly revocation_endpoint?: unknown };
  if (typeof endpoint !== 'string' || record.tokens === undefined) return undefined;
  const { refresh, access } = record.tokens;
  // With the refresh token most servers end all that came of it, so it goes first.
  const tokens = [
    ...(refresh === undefined ? [] : [{ token: refresh, token_type_hint: 'refresh_token' }]),
    { token: access, token_type_hint: 'access_token' },
  ];
  let hasAgreed = true;
  try {
    for (const token of tokens) {
      const { body, headers } = authenticated(new URLSearchParams(token), record);
      const response = await requests.fetch(endpoint, { method: 'POST', headers, body: body.toString() });
      // Some end one kind of token only, and refuse the other (RFC 7009, section 2.2.1).
      hasAgreed &&= response.ok;
    }
    return hasAgreed;
  } catch {
    return false;
  }
}

function authenticated(
  body: URLSearchParams,
  { client, metadata }: SignInRecord,
): { readonly body: URLSearchParams; readonly headers: Record<string, string> } {
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (client === undefined) return { body, headers };
  const { client_id: id, client_secret: secret } = client;
  const method = selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []);
  if (method === 'client_secret_basic' && secret !== undefined) {
    const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
    return { body, headers: { ...headers, authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
  }
  body.set('client_id', id);
  if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
  return { body, headers };
}
