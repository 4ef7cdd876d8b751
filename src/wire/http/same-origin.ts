/** The redirect rule (H6): a request stays within its origin, with method, body and headers kept, or it is refused. */
import { asTrestleError, type ErrorCode, limits, TrestleError } from '../../base/index.ts';
import type { HttpEndpoint } from '../endpoint.ts';
import type { WireContext } from '../link.ts';
import { fetchAuthorized } from './authorized-fetch.ts';
import { readStart } from './http-body.ts';
import type { HttpRequest } from './http-client.ts';

export interface Reached {
  readonly response: Response;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

export interface Journey {
  readonly server: string;
  readonly redirects: HttpEndpoint['redirects'];
  readonly context: WireContext;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The statuses that promise to keep method and body (RFC 9110, section 15.4). */
const keepingStatuses: ReadonlySet<number> = new Set([307, 308]);

/** Sends a request and follows what the rule allows. Rejects with the error of the connection or `redirect_refused`. */
export async function fetchWithinOrigin(url: string, init: HttpRequest, journey: Journey): Promise<Reached> {
  const { server, redirects, context } = journey;
  let at = url;
  for (let hops = 0; ; hops += 1) {
    const response = await fetchNamed(at, init, journey);
    const location = response.headers.get('location');
    if (!redirectStatuses.has(response.status) || location === null) return { response, url: at };
    await readStart(response, context.clock);
    const target = URL.parse(location, at);
    const refuse = (why: string): TrestleError =>
      redirectRefused({ server, status: response.status, target, location, why });
    if (target === null) throw refuse('which is no URL');
    if (redirects === 'none') throw refuse('and redirects are not allowed here');
    if (target.origin !== new URL(at).origin) throw refuse('which is another origin');
    if (!keepingStatuses.has(response.status)) throw refuse('and a redirect of this kind may lose the request');
    if (hops === limits.redirects) throw refuse(`after ${limits.redirects} redirects already`);
    at = withoutUser(target).href;
  }
}

/** What the client fails with by itself. */
const clientCodes: ReadonlySet<ErrorCode> = new Set(['connection_failed', 'unsupported_setting', 'address_refused']);

async function fetchNamed(url: string, init: HttpRequest, { server, context }: Journey): Promise<Response> {
  try {
    return await fetchAuthorized(url, init, context);
  } catch (error) {
    const failure = asTrestleError(error, { server });
    // The client does not know for whom it works; what an abort says is its owner's sentence.
    throw clientCodes.has(failure.code) ? failure.with({ message: `Server "${server}": ${failure.message}` }) : failure;
  }
}

function redirectRefused(facts: {
  readonly server: string;
  readonly status: number;
  readonly target: URL | null;
  readonly location: string;
  readonly why: string;
}): TrestleError {
  const { server, status, why } = facts;
  const target = facts.target === null ? JSON.stringify(facts.location.slice(0, 200)) : shownUrl(facts.target);
  return new TrestleError({
    code: 'redirect_refused',
    message: `Server "${server}" redirects (HTTP ${status}) to ${target}, ${why}.`,
    hint: 'If that is where the server lives now, set "url" of the definition to it.',
    server,
    execution: 'unknown',
    details: { status, target },
  });
}

/** A URL as shown to people: credentials and query may hold secrets. */
export function shownUrl(url: URL): string {
  return url.origin === 'null' ? `${url.protocol}…` : `${url.origin}${url.pathname}`;
}

function withoutUser(url: URL): URL {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain;
}
