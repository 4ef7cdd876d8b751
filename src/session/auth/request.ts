/** Requests of a sign-in: over the one way out that Trestle has, within limits, and only to whom a sign-in may go. */
import type { FetchLike } from '@modelcontextprotocol/client';
import { type Clock, isObject, type JsonObject, limits, type Proxies } from '../../base/index.ts';
import { checkHost, type HttpClient, isLoopback, type Reach, readText } from '../../wire/index.ts';
import { insecure, isSecure, type LastAnswer, originOf, signInFailed } from './failures.ts';

export interface AuthRequests {
  /** For the SDK's functions. Rejects with `sign_in_failed`, `address_refused`, `connection_failed` or the signal's reason. */
  readonly fetch: FetchLike;
  /** Throws `sign_in_failed` or `address_refused` for a URL that no part of a sign-in may go to, a person's browser no more than we. */
  readonly allow: (url: string) => void;
  /** The last answer that came. */
  readonly last: () => LastAnswer | undefined;
}

export interface AuthRequestOptions {
  readonly server: string;
  /** URL of the server, and others that the definition itself names: their hosts may be anywhere. */
  readonly named: readonly string[];
  readonly proxies: Proxies;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly onSecret: (secret: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** Members of answers that nobody else may learn. */
const secretMembers = ['access_token', 'refresh_token', 'id_token', 'client_secret', 'registration_access_token'];

/** The requests of one sign-in. */
export function openAuthRequests(options: AuthRequestOptions): AuthRequests {
  const { server, http, proxies } = options;
  let last: LastAnswer | undefined;
  const allow = (url: string): void => {
    if (!isSecure(url)) throw insecure(server, url);
    checkHost(url, reachOf(new URL(url), options));
  };
  const fetch: FetchLike = async (target, init = {}) => {
    const url = new URL(String(target));
    allow(url.href);
    const { origin } = url;
    using limit = limitOf(options, origin);
    const response = await http.fetch(url.href, {
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: { 'user-agent': 'trestle', ...Object.fromEntries(new Headers(init.headers)) },
      ...(init.body === undefined || init.body === null ? {} : { body: String(init.body as string | URLSearchParams) }),
      proxies,
      reach: reachOf(url, options),
      signal: limit.signal,
    });
    const { status } = response;
    last = { origin, status, isOAuthError: false };
    const text = await readText(response, { limitBytes: limits.signIn.bodyBytes, onBytes() {} }).catch(
      (error: unknown) => {
        limit.signal.throwIfAborted();
        throw badAnswer(options, origin, error);
      },
    );
    if (text === undefined) throw badAnswer(options, origin);
    const body = parsed(text);
    last = { origin, status, isOAuthError: typeof body?.['error'] === 'string' };
    for (const member of secretMembers) {
      const secret = body?.[member];
      if (typeof secret === 'string') options.onSecret(secret);
    }
    if (response.ok && body === undefined && text.trim() !== '') {
      // Many sites answer every path with their page: such a one describes nothing.
      if (url.pathname.includes('/.well-known/')) return new Response(null, { status: 404 });
      throw badAnswer(options, origin);
    }
    const told = body === undefined ? text : JSON.stringify(withoutNulls(body));
    return new Response(bodiless.has(status) ? null : told, { status, headers: response.headers });
  };
  return { fetch, allow, last: () => last };
}

const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Hosts that the definition names may be anywhere; those of documents only where anybody could be, and beside a server on this machine. */
function reachOf(url: URL, { named }: AuthRequestOptions): Reach {
  const [server = ''] = named;
  if (named.some((known) => URL.parse(known)?.hostname === url.hostname)) return 'any';
  return isLoopback(URL.parse(server)?.hostname ?? '') ? 'public-or-loopback' : 'public';
}

function limitOf(
  { server, clock, signal }: AuthRequestOptions,
  origin: string,
): Disposable & { readonly signal: AbortSignal } {
  const abort = new AbortController();
  const says = `${origin} did not answer within ${limits.signIn.requestMs / 1000} s.`;
  const timer = clock.after(limits.signIn.requestMs, () => {
    abort.abort(signInFailed({ server, reason: 'no_answer', says, hint: 'Try again later.', details: { origin } }));
  });
  return {
    signal: signal === undefined ? abort.signal : AbortSignal.any([abort.signal, signal]),
    [Symbol.dispose]: () => timer.cancel(),
  };
}

function badAnswer({ server }: AuthRequestOptions, origin: string, cause?: unknown): Error {
  return signInFailed({
    server,
    reason: 'bad_answer',
    says: `${originOf(origin)} answered what is no answer to a sign-in.`,
    hint: 'Check the URL of the server, or ask its operator.',
    details: { origin },
    cause,
  });
}

/** Many servers write null for what they do not have; the SDK knows such members only as absent. */
function withoutNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
