/**
 * A connection to an `https:` server through a proxy: CONNECT, then TLS (RFC 9110, section 9.3.6). Our own connector and not undici's
 * ProxyAgent, which tells the proxy's refusals only in words and waits for its answer without an end.
 */
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import type { buildConnector } from 'undici';
import { type Clock, limits } from '../../base/index.ts';
import { connectionFailure } from './connection-failure.ts';
import * as reasons from './proxy-reasons.ts';
import type { Proxy } from './proxy-route.ts';

type Connector = ReturnType<typeof buildConnector>;
type Target = Parameters<Connector>[0];

export interface TunnelOptions {
  readonly proxy: Proxy;
  readonly clock: Clock;
  /** Connects to the proxy, and speaks TLS over a tunnel; each within limits.connectMs. */
  readonly connector: Connector;
  /** Aborted when the client is closed: nobody waits for a tunnel then. */
  readonly closing: AbortSignal;
}

/** Connects to targets through the proxy. Failures of the proxy are TrestleErrors, those of TLS with the target are its own. */
export function tunnelConnector(options: TunnelOptions): Connector {
  const connect = callbackify((target: Target) => connectThrough(options, target));
  return (target, callback) => {
    connect(target, (error, socket) => (error === null ? callback(null, socket) : callback(error, null)));
  };
}

async function connectThrough(options: TunnelOptions, target: Target): Promise<Socket> {
  const { connector, closing } = options;
  const socket = await connectToProxy(options);
  const end = (): void => void socket.destroy(reasons.clientClosed());
  closing.addEventListener('abort', end, { once: true });
  try {
    if (closing.aborted) throw reasons.clientClosed();
    await askForTunnel(socket, options, authorityOf(target));
    return await connected(connector, { ...target, httpSocket: socket });
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    closing.removeEventListener('abort', end);
  }
}

async function connectToProxy({ proxy, connector }: TunnelOptions): Promise<Socket> {
  const { protocol, host, hostname, port, href } = proxy.url;
  try {
    return await connected(connector, { protocol, host, port, hostname: hostname.replace(/^\[(.*)\]$/, '$1') });
  } catch (error) {
    throw connectionFailure(error, { url: href, execution: 'not-sent', proxy, isAtProxy: true });
  }
}

/** Resolves when what is written to the socket goes to the target. */
function askForTunnel(socket: Socket, { proxy, clock }: TunnelOptions, target: string): Promise<void> {
  const journey = { proxy, target };
  const headers = {
    host: target,
    connection: 'keep-alive',
    'proxy-connection': 'keep-alive',
    ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const asking = request({ method: 'CONNECT', path: target, headers, createConnection: () => socket });
  const timer = clock.after(limits.connectMs, () => reject(reasons.tunnelSilent(journey)), { keepAlive: false });
  asking.once('connect', ({ statusCode = 0 }, _socket, head) => {
    if (statusCode < 200 || statusCode > 299) reject(reasons.tunnelRefused(journey, statusCode));
    socket.unshift(head);
    resolve();
  });
  asking.on('error', (error) => reject(reasons.tunnelBroken(journey, error)));
  asking.end();
  return promise.finally(() => timer.cancel());
}

function connected(connector: Connector, target: Target): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  connector(target, (error, socket) => (error === null ? resolve(socket) : reject(error)));
  return promise;
}

/** Host and port, the port always: CONNECT has no default. */
function authorityOf({ host, hostname, port }: Target): string {
  const name = hostname.includes(':') ? `[${hostname}]` : hostname;
  return host !== undefined && /:\d+$/.test(host) ? host : `${name}:${port === '' ? '443' : port}`;
}
