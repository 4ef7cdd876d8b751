/** Where requests are dispatched: one agent for what is dialled plainly, one for each proxy that tunnels. */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { type Clock, limits } from '../../base/index.ts';
import { addressRefused, isReachable, type Reach } from './address-rule.ts';
import type { Proxy, Route } from './proxy-route.ts';
import { tunnelConnector } from './proxy-tunnel.ts';

export interface HttpWays {
  /** The dispatcher of a route. Proxies with other credentials share no connection, nor do requests of another reach. */
  dispatcher(route: Route, reach: Reach): Dispatcher;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** As `dns.lookup`, with all addresses of a name. */
export type ResolveName = (
  name: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly FoundAddress[]) => void,
) => void;

interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** Loads undici. */
export async function openHttpWays(clock: Clock, resolveName: ResolveName = lookup) {
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
  const guarded = (reach: Reach): typeof connector =>
    undici.buildConnector({ allowH2: false, timeout: limits.connectMs, lookup: judgedLookup(reach, resolveName) });
  const timeless = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  const direct = (connect: typeof connector): Agent =>
    new undici.Agent({
      ...timeless,
      // TLS is spoken with the host that is dialled, whatever host a request names.
      connect: ({ servername: _servername, ...target }, callback) => connect(target, callback),
    });
  const plain = direct(connector);
  /** Made when they are needed: most homes have no use for them. */
  const byReach = new Map<Reach, Agent>([['any', plain]]);
  const withinReach = (reach: Reach): Agent => {
    const agent = byReach.get(reach) ?? direct(guarded(reach));
    byReach.set(reach, agent);
    return agent;
  };
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
    dispatcher(route, reach) {
      if (route.kind === 'tunnel') return tunnelled(route.proxy);
      return route.kind === 'forward' ? plain.compose(forward(route.proxy)) : withinReach(reach);
    },
    async close() {
      closing.abort();
      await Promise.all([...byReach.values(), ...tunnels.values()].map((agent) => agent.destroy()));
    },
  };
  return { undici, ways };
}

/**
 * Resolves a name once for each connection, and judges what will be connected to: between a judgement and a second resolution a name
 * could change its address. One address out of reach refuses the name.
 */
function judgedLookup(reach: Reach, resolveName: ResolveName): LookupFunction {
  return (name, options, callback) => {
    resolveName(name, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? unresolved(name), '', 4);
      const refused = addresses.find(({ address }) => !isReachable(address, reach));
      if (refused !== undefined) return callback(addressRefused(name, refused.address), '', 4);
      return options.all === true ? callback(null, [...addresses]) : callback(null, first.address, first.family);
    });
  };
}

function unresolved(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
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
