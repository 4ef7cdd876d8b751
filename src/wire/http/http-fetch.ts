import type { Dispatcher } from 'undici';
import { type Clock, TrestleError } from '../../base/index.ts';
import { checkHost } from './address-rule.ts';
import { connectionFailure } from './connection-failure.ts';
import type { HttpClient, HttpRequest } from './http-client.ts';
import { openHttpWays, type ResolveName } from './http-ways.ts';
import { clientClosed, credentialsWanted } from './proxy-reasons.ts';
import { type Route, routeOf } from './proxy-route.ts';

/** What is known about one request on its way. */
interface Attempt {
  dispatches: number;
  /** Whether bytes of it went to a socket. */
  started: boolean;
  /** Of the answer, once it came. */
  status: number | undefined;
}

export interface HttpClientOptions {
  readonly clock: Clock;
  /** How names become addresses; default: as the system does. */
  readonly resolveName?: ResolveName | undefined;
}

/**
 * The HTTP client on undici, which is loaded at the first request. HTTP/1.1 only: undici sends a request again by itself when
 * an HTTP/2 server says GOAWAY, and no call may be executed twice.
 */
export function createHttpClient({ clock, resolveName }: HttpClientOptions): HttpClient {
  let closed = false;
  let loading: ReturnType<typeof openHttpWays> | undefined;
  return {
    async fetch(url, init) {
      if (closed) throw clientClosed();
      const { proxies, signal = null, reach = 'any', ...rest } = init;
      checkHost(url, reach);
      const route = routeOf(url, proxies);
      loading ??= openHttpWays(clock, resolveName);
      const { undici, ways } = await loading;
      const attempt: Attempt = { dispatches: 0, started: false, status: undefined };
      try {
        signal?.throwIfAborted();
        const dispatcher = ways.dispatcher(route, reach).compose(watch(attempt));
        return await undici.fetch(url, { ...rest, signal, redirect: 'manual', dispatcher });
      } catch (error) {
        if (attempt.dispatches > 1) return new Response(null, { status: misdirected });
        throw failure(error, { url, init, attempt, route });
      }
    },
    async close() {
      closed = true;
      const opened = await loading;
      await opened?.ways.close();
    },
  };
}

/** The one status after which fetch sends a request a second time by itself (Fetch standard, HTTP-network-or-cache fetch). */
const misdirected = 421;

/** Notes what becomes of a request, and lets it go out once only. */
function watch(attempt: Attempt): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    attempt.dispatches += 1;
    if (attempt.dispatches > 1) throw new Error('a request goes out once');
    // fetch's handler keeps its state on itself: inheriting from it lets every other step work unchanged.
    const watched = Object.create(handler) as Dispatcher.DispatchHandler;
    watched.onRequestStart = function onRequestStart(controller, context) {
      attempt.started = true;
      handler.onRequestStart?.call(this, controller, context);
    };
    watched.onResponseStart = function onResponseStart(...given) {
      [, attempt.status] = given;
      handler.onResponseStart?.apply(this, given);
    };
    return dispatch(options, watched);
  };
}

interface Failed {
  readonly url: string;
  readonly init: HttpRequest;
  readonly attempt: Attempt;
  readonly route: Route;
}

function failure(error: unknown, { url, init, attempt, route }: Failed): unknown {
  const { signal } = init;
  const execution = attempt.started ? 'unknown' : 'not-sent';
  if (signal?.aborted === true) {
    const reason: unknown = signal.reason;
    return reason instanceof TrestleError ? reason.with({ execution }) : reason;
  }
  // A proxy answers so in its own name and has passed nothing on (RFC 9110, section 15.5.8); fetch hands no such answer over.
  if (route.kind === 'forward' && attempt.status === 407) return credentialsWanted(route.proxy, 'rejected');
  const proxy = route.kind === 'direct' ? undefined : route.proxy;
  // Whom a proxy cannot reach it tells in an answer.
  const isAtProxy = route.kind === 'forward' && !attempt.started;
  return connectionFailure(error, { url, execution, proxy, isAtProxy });
}
