/** Where requests are dispatched: one agent for what is dialled plainly, one for each proxy that tunnels. */
import type { Agent, Dispatcher } from 'undici';
import { type Clock, limits } from '../base/index.ts';
import type { Proxy, Route } from './proxy-route.ts';
import { tunnelConnector } from './proxy-tunnel.ts';

export interface HttpWays {
  /** The dispatcher of a route. Proxies with other credentials share no connection. */
  dispatcher(route: Route): Dispatcher;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Loads undici. */
export async function openHttpWays(clock: Clock) {
  const undici = await import('undici');
  const closing = new AbortController();
  const connector = undici.buildConnector({
    allowH2: false,
    timeout: limits.connectMs,
    // Streams have no time limit here, so a half-open connection has to be noticed by the system: it asks a silent other side for a
    // sign of life and breaks the connection when none comes. A call also has its own deadline; the standby stream has only this.
    keepAlive: true,
    keepAliveInitialDelay: limits.tcpKeepAliveMs,
  });
  const timeless = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  const plain = new undici.Agent({
    ...timeless,
    // TLS is spoken with the host that is dialled, whatever host a request names.
    connect: ({ servername: _servername, ...target }, callback) => connector(target, callback),
  });
  /** By proxy; the one used longest ago comes first. */
  const tunnels = new Map<string, Agent>();
  const openTunnel = (proxy: Proxy): Agent =>
    new undici.Agent({
      ...timeless,
      connect: tunnelConnector({ proxy, clock, connector, closing: closing.signal }),
    });
  const tunnelled = (proxy: Proxy): Agent => {
    const key = `${proxy.url.origin} ${proxy.authorization ?? ''}`;
    const tunnel = tunnels.get(key) ?? openTunnel(proxy);
    tunnels.delete(key);
    tunnels.set(key, tunnel);
    const [[oldestKey, oldest] = []] = tunnels;
    if (tunnels.size > limits.tunnelProxies && oldestKey !== undefined) {
      tunnels.delete(oldestKey);
      // What is under way on it may end in peace.
      void oldest?.close();
    }
    return tunnel;
  };
  const ways: HttpWays = {
    dispatcher(route) {
      if (route.kind === 'tunnel') return tunnelled(route.proxy);
      return route.kind === 'forward' ? plain.compose(forward(route.proxy)) : plain;
    },
    async close() {
      closing.abort();
      await Promise.all([plain, ...tunnels.values()].map((agent) => agent.destroy()));
    },
  };
  return { undici, ways };
}

/** Turns a request into one to the proxy, for the whole URL. */
function forward(proxy: Proxy): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const target = new URL(options.path, options.origin);
    const headers = {
      host: target.host,
      // fetch hands them on as an object.
      ...(options.headers as Readonly<Record<string, string>>),
      ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
    };
    const { origin, hostname: servername } = proxy.url;
    const path = `${target.origin}${options.path}`;
    // One name for all targets: undici would take it from the Host header, and ends its connections when it changes.
    const forwarded = { ...options, origin, servername, path, headers };
    return dispatch(forwarded, handler);
  };
}
