import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The JSON-RPC message in the body; an empty object when there is none. */
  readonly message: Readonly<Record<string, unknown>>;
}

export interface TestHttpServer {
  /** `http://127.0.0.1:port`, without a path. */
  readonly origin: string;
  readonly seen: readonly SeenRequest[];
  /** Connections ever made, and those open now. */
  readonly connections: { readonly made: number; readonly open: number };
  /** Destroys every connection. */
  readonly cut: () => void;
}

/** A server on a free port of the loopback address, for one test. */
export async function serveHttp(
  handle: (request: SeenRequest, response: ServerResponse) => void,
): Promise<TestHttpServer> {
  const seen: SeenRequest[] = [];
  const open = new Set<Socket>();
  let made = 0;
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const { method = '', url = '', headers } = incoming;
      const message = body.startsWith('{') ? (JSON.parse(body) as Readonly<Record<string, unknown>>) : {};
      const request: SeenRequest = { method, path: url, headers, body, message };
      seen.push(request);
      handle(request, response);
    });
  });
  server.on('connection', (socket) => {
    made += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    cut();
    await closed;
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    connections: {
      get made() {
        return made;
      },
      get open() {
        return open.size;
      },
    },
    cut,
  };
}

/** Ends `response` with `value` as JSON. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** Begins an event stream. */
export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }).flushHeaders();
}

/** One event with a JSON-RPC message. */
export function eventOf(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** The reply to `request` with `result`. */
export function replyTo(request: SeenRequest, result: unknown): unknown {
  return { jsonrpc: '2.0', id: request.message['id'], result };
}

/**
 * What a plain legacy server answers to everything a test is not about: initialize begins the session `s1`, notifications are
 * accepted, there is no stream, requests echo their parameters.
 */
export function answerAsUsual(request: SeenRequest, response: ServerResponse): void {
  if (request.method === 'DELETE') response.writeHead(200).end();
  else if (request.method !== 'POST') response.writeHead(405).end();
  else if (request.message['id'] === undefined) response.writeHead(202).end();
  else if (request.message['method'] === 'initialize') {
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'usual', version: '1' } };
    sendJson(response, replyTo(request, result), { headers: { 'mcp-session-id': 's1' } });
  } else sendJson(response, replyTo(request, request.message['params'] ?? {}));
}
