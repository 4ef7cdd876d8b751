/** The proxies that an environment names (H8), as they stand there; which of them a request takes is decided in proxy-route.ts. */

/** One proxy, and the variable to look at when it does not work. */
export interface ProxySetting {
  readonly variable: string;
  /** As written: a URL, or only host and port; may hold a password. */
  readonly address: string;
}

export interface Proxies {
  /** For `http:` URLs. */
  readonly http: ProxySetting | undefined;
  /** For `https:` URLs. */
  readonly https: ProxySetting | undefined;
  /** Hosts that are reached without a proxy, as written in NO_PROXY. */
  readonly exempt: string;
}

export const noProxies: Proxies = { http: undefined, https: undefined, exempt: '' };

/** For each purpose, names in their order: small letters first, as everywhere; a variable for one protocol before the one for all. */
const names = {
  http: ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  exempt: ['no_proxy', 'NO_PROXY'],
} as const;

/** Every variable that decides about proxies. */
export const proxyVariables: readonly string[] = [...new Set(Object.values(names).flat())];

/** The proxies of an environment. The first variable that is set decides; an empty one means: no proxy. */
export function readProxies(lookUp: (name: string) => string | undefined): Proxies {
  const first = (candidates: readonly string[]): ProxySetting | undefined => {
    const variable = candidates.find((name) => lookUp(name) !== undefined);
    if (variable === undefined) return undefined;
    const address = (lookUp(variable) ?? '').trim();
    return address === '' ? undefined : { variable, address };
  };
  return { http: first(names.http), https: first(names.https), exempt: first(names.exempt)?.address ?? '' };
}

/** What must be kept secret of them: whole addresses with a password, and the password alone, as written and as sent. */
export function proxySecrets(proxies: Proxies): readonly string[] {
  return [proxies.http, proxies.https].flatMap((setting) => {
    const url = setting === undefined ? null : proxyUrl(setting);
    if (url === null || url.password === '') return [];
    const { password, pair } = proxyCredentials(url);
    return [setting?.address ?? '', url.password, password, pair, Buffer.from(pair).toString('base64')];
  });
}

/** The address as a URL; plain HTTP where it names no protocol. Null when it is none. */
export function proxyUrl({ address }: ProxySetting): URL | null {
  return URL.parse(address.includes('://') ? address : `http://${address}`);
}

/** User and password as the proxy gets them. */
export function proxyCredentials(url: URL): { readonly password: string; readonly pair: string } {
  const password = decoded(url.password);
  return { password, pair: `${decoded(url.username)}:${password}` };
}

/** People forget to encode a percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
