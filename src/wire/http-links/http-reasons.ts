/** Why an HTTP link, or one request on it, failed although the connection and the status were fine: the sentences. */
import { formatBytes, limits, TrestleError } from '../../base/index.ts';
import { shownUrl } from '../http/same-origin.ts';
import { messageLimit } from '../link-reasons.ts';
import { plainText } from '../plain-text.ts';

export { closed, requestTooLarge } from '../link-reasons.ts';

export const notStarted = (server: string): TrestleError =>
  new TrestleError({
    code: 'connection_closed',
    message: `Server "${server}" is not connected yet.`,
    server,
    execution: 'not-sent',
  });

export const credentialsInUrl = (server: string): TrestleError =>
  new TrestleError({
    code: 'config_entry_invalid',
    message: `Server "${server}": "url" holds a user name or password, which would end up in logs and error messages.`,
    hint: 'Take them out of the URL and set "headers": {"Authorization": "Basic …"} instead.',
    server,
    execution: 'not-sent',
  });

export const badUrl = (server: string): TrestleError =>
  new TrestleError({
    code: 'config_entry_invalid',
    message: `Server "${server}": "url" is no http: or https: URL.`,
    hint: 'Write the whole URL of the MCP endpoint, such as https://example.org/mcp.',
    server,
    execution: 'not-sent',
  });

export const replyTooLarge = (server: string): TrestleError =>
  new TrestleError({
    code: 'message_too_large',
    message: `The answer of server "${server}" is larger than the ${messageLimit} that can be received.`,
    hint: 'Ask for less: a filter, a page, a smaller range.',
    server,
    // It answered, but whether with a result or an error was not read.
    execution: 'unknown',
  });

export const flooded = (server: string): TrestleError =>
  new TrestleError({
    code: 'flooded',
    message: `Server "${server}" sent ${formatBytes(limits.unbrokenBytes)} without the end of an event and was cut off.`,
    hint: 'Check that the URL is the one of the MCP endpoint.',
    server,
    execution: 'unknown',
  });

export const htmlPage = (server: string, status: number): TrestleError =>
  new TrestleError({
    code: 'not_mcp',
    message: `Server "${server}" answered with an HTML page (HTTP ${status}), so this URL is no MCP endpoint.`,
    hint: 'Check the URL; many servers have their endpoint under /mcp. A sign-in page may also stand before it.',
    server,
    execution: 'unknown',
    details: { status },
  });

export const noEventStream = (server: string, type: string): TrestleError =>
  new TrestleError({
    code: 'not_mcp',
    message: `Server "${server}" answered with ${type === '' ? 'no content type' : plainText(type, 80)} instead of an event stream.`,
    hint: 'Check that the URL is the one of the HTTP+SSE endpoint, often /sse.',
    server,
    execution: 'not-sent',
  });

export const emptyAnswer = (server: string, status: number): TrestleError =>
  new TrestleError({
    code: 'broken_reply',
    message: `Server "${server}" answered a request with nothing (HTTP ${status}).`,
    hint: 'This is a fault of the server, or the URL is not the one of its MCP endpoint.',
    server,
    execution: 'unknown',
    details: { status },
  });

export const noJson = (server: string, text: string): TrestleError =>
  new TrestleError({
    code: 'broken_reply',
    message: `The answer of server "${server}" is no JSON-RPC message: ${plainText(text, limits.noiseSampleCharacters)}`,
    hint: 'This is a fault of the server, or the URL is not the one of its MCP endpoint.',
    server,
    execution: 'unknown',
  });

export const otherAnswer = (server: string): TrestleError =>
  new TrestleError({
    code: 'broken_reply',
    message: `Server "${server}" answered a request with messages among which its answer is not.`,
    hint: 'This is a fault of the server; report it there.',
    server,
    execution: 'unknown',
  });

/** The answer's stream is over before the answer: it ended (no cause) or broke. */
export const cutOff = (server: string, cause?: unknown): TrestleError =>
  new TrestleError({
    code: 'connection_closed',
    message: `Server "${server}" ${cause === undefined ? 'ended the connection' : 'lost the connection'} before its answer was there.`,
    hint: 'The server, or what stands before it, may bound how long an answer takes; its log may say more.',
    server,
    execution: 'unknown',
    cause,
  });

export const streamOver = (server: string, cause?: unknown): TrestleError =>
  new TrestleError({
    code: 'connection_closed',
    message: `The event stream of server "${server}" ${cause === undefined ? 'ended' : 'broke'}.`,
    hint: 'The next call connects anew.',
    server,
    cause,
  });

/** What this address speaks is told in `details.speaks`. */
export const eventDialect = (server: string): TrestleError =>
  new TrestleError({
    code: 'not_mcp',
    message: `Server "${server}" speaks the event dialect here, not HTTP+SSE.`,
    hint: 'Set "transport": "events" in its definition.',
    server,
    execution: 'not-sent',
    details: { speaks: 'events' },
  });

export const slowRedial = (server: string): TrestleError =>
  new TrestleError({
    code: 'connection_closed',
    message: `Server "${server}" did not greet on a new event stream within ${limits.dialect.redialMs / 1000} s.`,
    hint: 'The next call connects anew.',
    server,
  });

export const tooManyCalls = (server: string): TrestleError =>
  new TrestleError({
    code: 'connection_failed',
    message: `Server "${server}" runs one call at a time, and ${limits.dialect.waitingCalls} wait already.`,
    hint: 'Wait for running calls to end.',
    server,
    execution: 'not-sent',
  });

export const foreignEndpoint = (server: string, target: URL): TrestleError =>
  new TrestleError({
    code: 'origin_refused',
    message: `Server "${server}" wants its messages sent to ${shownUrl(target)}, which is another origin.`,
    hint: 'If that is the server, set "url" of the definition to its own origin.',
    server,
    execution: 'not-sent',
    details: { target: shownUrl(target) },
  });

export const badEndpoint = (server: string, data: string): TrestleError =>
  new TrestleError({
    code: 'broken_reply',
    message: `Server "${server}" named an address for messages that is no URL: ${plainText(data, limits.noiseSampleCharacters)}`,
    hint: 'This is a fault of the server; report it there.',
    server,
    execution: 'not-sent',
  });

export const aborted = (server: string, cause: unknown): TrestleError =>
  new TrestleError({
    code: 'cancelled',
    message: `A request to server "${server}" was cancelled.`,
    server,
    cause,
  });

export const noticeIgnored = (server: string): TrestleError =>
  new TrestleError({
    code: 'timed_out',
    message: `Server "${server}" did not accept a message within ${limits.requestIdleMs / 1000} s.`,
    server,
    execution: 'unknown',
  });
