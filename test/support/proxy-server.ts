/** A proxy on a free port of the loopback address, for one test: it forwards, tunnels, refuses and notes what passes. */
import { createServer, request, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Certificate } from './certificate.ts';

export interface PassedRequest {
  readonly method: string;
  /** What was asked for: the whole URL, or host and port of a tunnel. */
  readonly target: string;
  readonly host: string | undefined;
  readonly authorization: string | undefined;
}

export interface TestProxy {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly passed: readonly PassedRequest[];
  /** Connections of clients that are open now. */
  readonly open: () => number;
  /** Destroys every connection of clients. */
  readonly cut: () => void;
}

export interface TestProxyOptions {
  /** Ports of this machine by the names under which the proxy knows them: `{ 'mcp.test': 1234 }`. */
  readonly hosts?: Readonly<Record<string, number>>;
  /** Answers everything with this status. */
  readonly refuses?: number;
  /** Wants this value of Proxy-Authorization, and answers 407 to others. */
  readonly wants?: string;
  /** Takes what is asked of it and never answers. */
  readonly isSilent?: boolean;
  /** The proxy speaks TLS itself. */
  readonly certificate?: Certificate;
}

export async function serveProxy(options: TestProxyOptions = {}): Promise<TestProxy> {
  const { hosts = {}, isSilent = false } = options;
  const passed: PassedRequest[] = [];
  const sockets = new Set<Socket>();
  /** The status it refuses with; undefined when it does not. */
  const refusalOf = (incoming: IncomingMessage, hostname: string): number | undefined => {
    const { method = '', url = '', headers } = incoming;
    const authorization = headers['proxy-authorization'];
    passed.push({ method, target: url, host: headers.host, authorization });
    if (options.wants !== undefined && authorization !== options.wants) return 407;
    return options.refuses ?? (hosts[hostname] === undefined ? 502 : undefined);
  };
  const server = options.certificate === undefined ? createServer() : createTlsServer(options.certificate);
  server.on('request', (incoming: IncomingMessage, response) => {
    const target = new URL(incoming.url ?? '');
    const status = refusalOf(incoming, target.hostname);
    if (isSilent) return;
    if (status !== undefined) {
      response.writeHead(status, { 'content-type': 'text/plain' }).end('from the proxy');
      return;
    }
    const { 'proxy-authorization': _secret, ...headers } = incoming.headers;
    const { method } = incoming;
    const path = `${target.pathname}${target.search}`;
    const onward = request({ host: '127.0.0.1', port: hosts[target.hostname], method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers).flushHeaders();
      answer.pipe(response);
      answer.on('close', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const status = refusalOf(incoming, incoming.url?.replace(/:\d+$/, '') ?? '');
    socket.on('error', () => {});
    if (isSilent) {
      socket.on('end', () => socket.destroy()).resume();
      return;
    }
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(hosts[incoming.url?.replace(/:\d+$/, '') ?? ''] ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    onward.on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    cut();
    await closed;
  });
  const scheme = options.certificate === undefined ? 'http' : 'https';
  return {
    origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    open: () => sockets.size,
    cut,
  };
}
