/** URIs of the virtual server `registry`: one a descriptor, and one a search. */
import { TrestleError } from '../../base/index.ts';

/** The server's name; R4 keeps it from being configured. */
export const registryServer = 'registry';

export const searchTemplate = 'registry://search{?q,server,limit,cursor}';
export const descriptorTemplate = 'registry://{server}/{tool}';

export type RegistryAddress =
  | { readonly kind: 'descriptor'; readonly server: string; readonly tool: string }
  /** The members of a search, as the tool `search` takes them, still unchecked. */
  | { readonly kind: 'search'; readonly members: Readonly<Record<string, unknown>> };

export function descriptorUri(server: string, tool: string): string {
  return `registry://${server}/${encodeURIComponent(tool)}`;
}

export function searchUri(members: Readonly<Record<string, string | number | undefined>>): string {
  const { query, ...rest } = members;
  const parameters = Object.entries({ q: query, ...rest }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `registry://search?${parameters.join('&')}`;
}

/** Throws `unknown_resource`. */
export function readAddress(uri: string): RegistryAddress {
  const [, place, tool, parameters] = /^registry:\/\/([^/?#]+)(?:\/([^/?#]+))?(?:\?([^#]*))?$/i.exec(uri) ?? [];
  if (place === undefined) throw unknownResource(uri);
  if (tool !== undefined && parameters === undefined) {
    return { kind: 'descriptor', server: place, tool: decoded(tool) };
  }
  if (place !== 'search' || tool !== undefined) throw unknownResource(uri);
  const { q: query, limit, ...rest } = Object.fromEntries(new URLSearchParams(parameters));
  const number = limit === undefined || !/^\d+$/.test(limit) ? limit : Number(limit);
  return { kind: 'search', members: { ...rest, query, ...(limit === undefined ? {} : { limit: number }) } };
}

/** `near`: URIs of descriptors that may be meant. */
export function unknownResource(uri: string, near: readonly string[] = []): TrestleError {
  return new TrestleError({
    code: 'unknown_resource',
    message: `The registry has no resource ${JSON.stringify(uri)}.`,
    hint: `${near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `}Find tools with registry://search?q=WORDS; a descriptor is ${descriptorTemplate}.`,
    server: registryServer,
    execution: 'not-sent',
  });
}

/** A name that is not encoded may be meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
