/** What a server says of the sign-in that it wants (RFC 6750, section 3; RFC 9728, section 5.1; RFC 9449, section 7.1). */
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';

export interface Challenge {
  /** Scopes that the request needs. */
  readonly scope: string | undefined;
  /** Where the server describes itself. */
  readonly resourceMetadataUrl: string | undefined;
  /** `invalid_token`, `insufficient_scope`, `use_dpop_nonce`, … */
  readonly error: string | undefined;
}

/** The challenge in an answer's headers; one without members where there is none. */
export function readChallenge(headers: Headers): Challenge {
  const all = headers.get('www-authenticate') ?? '';
  // Others may stand before it, which the SDK does not skip.
  const at = /(?:^|,)\s*(?=(?:bearer|dpop)(?:\s|,|$))/i.exec(all);
  const ours = at === null ? '' : all.slice(at.index + at[0].length);
  const read = extractWWWAuthenticateParams(new Response(null, { headers: { 'www-authenticate': ours } }));
  return { scope: read.scope, resourceMetadataUrl: read.resourceMetadataUrl?.href, error: read.error };
}

/** Scopes of several lists, each once, in their order; undefined where there are none. */
export function joinScopes(...lists: readonly (string | undefined)[]): string | undefined {
  const scopes = new Set(lists.flatMap((list) => (list ?? '').split(/\s+/)).filter((scope) => scope !== ''));
  return scopes.size === 0 ? undefined : [...scopes].join(' ');
}

/** Whether `wanted` holds a scope that `had` does not. */
export function exceeds(wanted: string | undefined, had: string | undefined): boolean {
  const known = new Set((had ?? '').split(/\s+/));
  return (wanted ?? '').split(/\s+/).some((scope) => scope !== '' && !known.has(scope));
}
