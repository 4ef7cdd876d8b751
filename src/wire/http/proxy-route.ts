/** The way a request takes: directly, or through a proxy. Pure. */
import { type Proxies, proxyCredentials, type ProxySetting, proxyUrl, TrestleError } from '../../base/index.ts';
import { isLoopback } from './loopback.ts';
import { isExempt } from './proxy-exempt.ts';

/** A proxy that can be dialled. */
export interface Proxy {
  /** For people: the address without its credentials, and the variable that names it. */
  readonly shown: string;
  readonly variable: string;
  readonly url: URL;
  /** Value of Proxy-Authorization; undefined when the address holds no credentials. */
  readonly authorization: string | undefined;
}

export type Route =
  | { readonly kind: 'direct' }
  /** The proxy is asked for the whole URL (RFC 9112, section 3.2.2). */
  | { readonly kind: 'forward'; readonly proxy: Proxy }
  /** The proxy connects us to the host, and TLS is spoken through it (RFC 9110, section 9.3.6). */
  | { readonly kind: 'tunnel'; readonly proxy: Proxy };

const direct: Route = { kind: 'direct' };

/**
 * How `url` is reached. This machine itself is never reached through a proxy. Throws `unsupported_setting` when the proxy that
 * would have to be used cannot be: going around it could tell a name or a token to a network that must not see it.
 */
export function routeOf(url: string, proxies: Proxies): Route {
  if (proxies.http === undefined && proxies.https === undefined) return direct;
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  const setting = isSecure ? proxies.https : proxies.http;
  if (setting === undefined || isLoopback(target.hostname) || isExempt(target, proxies.exempt)) return direct;
  return { kind: isSecure ? 'tunnel' : 'forward', proxy: usable(setting) };
}

/** The proxy that is asked for the URL in the server's place, and may answer in it. */
export function forwardingProxy(url: string, proxies: Proxies): Proxy | undefined {
  const route = routeOf(url, proxies);
  return route.kind === 'forward' ? route.proxy : undefined;
}

function usable(setting: ProxySetting): Proxy {
  const { variable } = setting;
  const url = proxyUrl(setting);
  if (url === null || url.hostname === '') throw unusable(variable, 'holds no address of a proxy');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw unusable(variable, `names a proxy of the kind ${url.protocol.slice(0, -1)}, which Trestle cannot use`);
  }
  const { pair } = proxyCredentials(url);
  const authorization = pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
  return { shown: `${url.origin} (${variable})`, variable, url, authorization };
}

/** The address itself is not repeated: it may hold a password, in a place where nobody looks for one. */
function unusable(variable: string, problem: string): TrestleError {
  return new TrestleError({
    code: 'unsupported_setting',
    message: `The environment variable ${variable} ${problem}.`,
    hint: 'Name a proxy such as http://user:password@host:port, or exempt the host with NO_PROXY.',
    execution: 'not-sent',
    details: { variable },
  });
}

/** Where to look when a proxy does not work. */
export const proxyHint = ({ variable }: Proxy): string =>
  `Check ${variable} in the environment; NO_PROXY names hosts that are reached without a proxy.`;

/** The proxy that had a part in a failure, without its credentials. */
export function proxyDetails(proxy: Proxy | undefined): Readonly<Record<string, string>> {
  return proxy === undefined ? {} : { proxy: proxy.url.origin, variable: proxy.variable };
}
