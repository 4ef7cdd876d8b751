import type { Dispatcher } from 'undici';
import { limits, TrestleError } from '../base/index.ts';
import { connectionFailure } from './connection-failure.ts';
import type { HttpClient, HttpRequest } from './http-client.ts';

/** What is known about one request on its way. */
interface Attempt {
  dispatches: number;
  /** Whether bytes of it went to a socket. */
  started: boolean;
}

/**
 * The HTTP client on undici, which is loaded at the first request. HTTP/1.1 only: undici sends a request again by itself when
 * an HTTP/2 server says GOAWAY, and no call may be executed twice.
 */
export function createHttpClient(): HttpClient {
  let closed = false;
  let loading: ReturnType<typeof load> | undefined;
  return {
    async fetch(url, init) {
      if (closed) throw clientClosed();
      loading ??= load();
      const { undici, agent } = await loading;
      const attempt: Attempt = { dispatches: 0, started: false };
      try {
        init.signal?.throwIfAborted();
        const request = { ...init, signal: init.signal ?? null, redirect: 'manual' as const };
        return await undici.fetch(url, { ...request, dispatcher: agent.compose(watch(attempt)) });
      } catch (error) {
        if (attempt.dispatches > 1) return new Response(null, { status: misdirected });
        throw failure(error, { url, init, attempt });
      }
    },
    async close() {
      closed = true;
      const opened = await loading;
      await opened?.agent.destroy();
    },
  };
}

async function load() {
  const undici = await import('undici');
  const agent = new undici.Agent({
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    // Streams have no time limit here, so a half-open connection has to be noticed by the system: it asks a silent other side for a
    // sign of life and breaks the connection when none comes. A call also has its own deadline; the standby stream has only this.
    connect: { timeout: limits.connectMs, keepAlive: true, keepAliveInitialDelay: limits.tcpKeepAliveMs },
  });
  return { undici, agent };
}

/** The one status after which fetch sends a request a second time by itself (Fetch standard, HTTP-network-or-cache fetch). */
const misdirected = 421;

/** Notes whether a request reached a socket, and lets it go out once only. */
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
    return dispatch(options, watched);
  };
}

function failure(
  error: unknown,
  facts: { readonly url: string; readonly init: HttpRequest; readonly attempt: Attempt },
): unknown {
  const { signal } = facts.init;
  const execution = facts.attempt.started ? 'unknown' : 'not-sent';
  if (signal?.aborted === true) {
    const reason: unknown = signal.reason;
    return reason instanceof TrestleError ? reason.with({ execution }) : reason;
  }
  return connectionFailure(error, { url: facts.url, execution });
}

function clientClosed(): TrestleError {
  return new TrestleError({
    code: 'connection_failed',
    message: 'The HTTP client is closed.',
    execution: 'not-sent',
  });
}
