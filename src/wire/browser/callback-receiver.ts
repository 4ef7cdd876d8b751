/** Where a browser brings the answer of a sign-in: a page on the loopback address, for as long as the sign-in takes (RFC 8252, section 7.3). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { limits, TrestleError } from '../../base/index.ts';

export interface CallbackReceiver {
  /** Bound already: nobody else on this machine can take the answer. */
  readonly redirectUrl: string;
  /** Resolves with the parameters of the first call that `accepts` them; others are turned away and waited past. */
  receive(accepts: (parameters: URLSearchParams) => boolean): Promise<URLSearchParams>;
  /** Resolves when the port is free again. */
  close(): Promise<void>;
}

const path = '/callback';

/** Binds the loopback address; `port` 0 means any. Rejects with `sign_in_failed` when the port is taken. */
export async function openCallbackReceiver({ port }: { readonly port: number }): Promise<CallbackReceiver> {
  const server = createServer({ requestTimeout: limits.signIn.requestMs });
  // Several windows at once, and a browser's own guesses, are all that come.
  server.maxConnections = limits.signIn.callbackConnections;
  const idle = new Set<Socket>();
  server.on('connection', (socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  await listen(server, port);
  const { port: bound } = server.address() as AddressInfo;
  // As browsers write it: without the port where that is the usual one.
  const { host } = new URL(`http://127.0.0.1:${bound}`);
  const answer = Promise.withResolvers<URLSearchParams>();
  let accepts: (parameters: URLSearchParams) => boolean = () => false;
  server.on('request', (request, response) => {
    // The connection ends by itself when what is said next has been written.
    idle.delete(request.socket);
    const parameters = parametersOf(request, host);
    if (parameters === undefined) return say(response, 404, 'There is nothing here.');
    if (!accepts(parameters)) return say(response, 400, 'This is not the answer to a sign-in that is under way.');
    say(response, 200, 'Trestle has the answer. You can close this window and go back to where you came from.');
    return answer.resolve(parameters);
  });
  return {
    redirectUrl: `http://${host}${path}`,
    receive(judge) {
      accepts = judge;
      return answer.promise;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of idle) socket.destroy();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portTaken(port, error)));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
  });
}

/** What a GET of the page carries. A call by another name comes from a page that had this machine's address given to its own name. */
function parametersOf(request: IncomingMessage, host: string): URLSearchParams | undefined {
  const url = URL.parse(request.url ?? '', `http://${host}`);
  const isOurs = request.method === 'GET' && request.headers.host === host && url?.pathname === path;
  return isOurs ? url.searchParams : undefined;
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // The address holds a code: it goes nowhere else.
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'",
    connection: 'close',
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>Trestle</title><p>${text}</p>\n`);
}

function portTaken(port: number, cause: NodeJS.ErrnoException): TrestleError {
  return new TrestleError({
    code: 'sign_in_failed',
    message: `The answer of a sign-in cannot be received on port ${port} (${cause.code ?? cause.message}).`,
    hint: 'End what uses that port, or set "redirectPort" of the server\'s "auth" to another one that is registered for the client.',
    details: { reason: 'port_in_use', port },
    cause,
  });
}
