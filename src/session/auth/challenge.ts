/** What a server says of the sign-in that it wants (RFC 6750, section 3; RFC 9728, section 5.1; RFC 9449, section 7.1). */
export interface Challenge {
  /** Scopes that the request needs. */
  readonly scope: string | undefined;
  /** Where the server describes itself. */
  readonly resourceMetadataUrl: string | undefined;
  /** `invalid_token`, `insufficient_scope`, `use_dpop_nonce`, … */
  readonly error: string | undefined;
}

/** The challenge in an answer's headers; one without members where there is none for a sign-in. */
export function readChallenge(headers: Headers): Challenge {
  const header = headers.get('www-authenticate') ?? '';
  // Others may stand before it, and after it.
  const ours = /(?:^|,)\s*(?:bearer|dpop)(?:\s+(.*))?$/is.exec(header)?.[1] ?? '';
  const url = URL.parse(parameter(ours, 'resource_metadata') ?? '');
  return {
    scope: parameter(ours, 'scope'),
    resourceMetadataUrl: url?.href,
    error: parameter(ours, 'error'),
  };
}

/** The scheme that the header wants where it is another one, and none of ours; undefined else. */
export function otherScheme(headers: Headers): string | undefined {
  const header = headers.get('www-authenticate');
  if (header === null || /(?:^|,)\s*(?:bearer|dpop)(?:[\s,]|$)/i.test(header)) return undefined;
  return /^\s*([\w-]+)/.exec(header)?.[1] ?? 'unknown';
}

/** The value of a parameter, quoted or not; undefined where it is absent or empty. What looks like one within quotes is none. */
function parameter(text: string, wanted: string): string | undefined {
  for (const [, name, quoted, plain] of text.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)) {
    if (name?.toLowerCase() !== wanted) continue;
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
    return value === '' ? undefined : value;
  }
  return undefined;
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
