/** What an HTTP answer that is no success means (H7): a JSON-RPC error of the request, or one error in one line. */
import { isObject, limits, parseJson, TrestleError, type Clock, type JsonValue } from '../../base/index.ts';
import type { JsonRpcId } from '../link.ts';
import { readMessages, type Message } from '../message.ts';
import { plainText } from '../plain-text.ts';
import { isHtml, readStart } from './http-body.ts';
import { type Proxy, proxyDetails, proxyHint } from './proxy-route.ts';

export interface RefusedRequest {
  readonly server: string;
  /** Undefined for notifications and replies, to which no JSON-RPC error can belong. */
  readonly id: JsonRpcId | undefined;
  /** Whether the request named a session. */
  readonly namedSession: boolean;
  /** Whether the definition gives a credential. */
  readonly hasCredential: boolean;
  readonly clock: Clock;
  /** What was asked for the URL in the server's place, and may have answered in it. */
  readonly proxy: Proxy | undefined;
}

/** Either the server's own JSON-RPC error, or ours. */
export type Refusal = { readonly reply: Message } | { readonly error: TrestleError };

/** Reads what is needed of the answer's body and releases it. */
export async function readRefusal(response: Response, request: RefusedRequest): Promise<Refusal> {
  const { status } = response;
  const body = await readStart(response, request.clock);
  const { server, proxy, hasCredential } = request;
  const answer: RefusingAnswer = { response, body, server, proxy, hasCredential, nowMs: request.clock.now() };
  if (status === 401) return { error: authRequired(answer) };
  if (status === 403) return { error: forbidden(answer) };
  const rpcError = readRpcError(body);
  if (status === 404 && request.namedSession && !isUnknownMethod(rpcError, request)) {
    return { error: sessionLost(answer) };
  }
  // 429 speaks for a gatekeeper before the server: its Retry-After counts, not what its body looks like.
  const isRequestsOwn = status >= 400 && status < 500 && status !== 429 && request.id !== undefined;
  if (isRequestsOwn && rpcError !== undefined) return { reply: { ...rpcError, id: request.id } };
  return { error: httpError(answer) };
}

interface RefusingAnswer {
  readonly response: Response;
  readonly body: string;
  readonly server: string;
  readonly proxy: Proxy | undefined;
  readonly hasCredential: boolean;
  readonly nowMs: number;
}

/** What a proxy says in its own name, and a server may say too. */
const proxyStatuses: ReadonlySet<number> = new Set([403, 502, 503, 504]);

/** The proxy, where the answer may be its own. */
function speakingProxy({ response, proxy }: RefusingAnswer): Proxy | undefined {
  return proxyStatuses.has(response.status) ? proxy : undefined;
}

/** Who answered; begins a sentence. */
function whoAnswered(answer: RefusingAnswer): string {
  const proxy = speakingProxy(answer);
  return `Server "${answer.server}"${proxy === undefined ? '' : ` or the proxy ${proxy.shown} before it`}`;
}

/**
 * The JSON-RPC error that is the whole body. Servers that could not or did not read the request's id give null or one of their
 * own; the answer to a POST can only concern the one message it carried.
 */
function readRpcError(body: string): Message | undefined {
  const [message, ...others] = readMessages(parsed(body)) ?? [];
  return message !== undefined && others.length === 0 && isObject(message['error']) ? message : undefined;
}

function parsed(body: string): JsonValue {
  try {
    return parseJson(body);
  } catch {
    return null;
  }
}

/** A live session's server may say with 404 that it does not know the method; that names the request's id. */
function isUnknownMethod(rpcError: Message | undefined, request: RefusedRequest): boolean {
  const error = rpcError?.['error'];
  return isObject(error) && error['code'] === -32_601 && rpcError?.['id'] === request.id;
}

function authRequired(answer: RefusingAnswer): TrestleError {
  const challenge = answer.response.headers.get('www-authenticate');
  return new TrestleError({
    code: 'auth_required',
    message: answer.hasCredential
      ? `Server "${answer.server}" does not take the credential that its definition gives (HTTP 401).`
      : `Server "${answer.server}" needs authentication (HTTP 401).`,
    hint: answer.hasCredential
      ? 'Check "Authorization" in the "headers" of the definition, or the "token" of its "auth": it may have ended.'
      : 'Give the credential in "headers" of the definition, e.g. "Authorization": "Bearer ${TOKEN}".',
    server: answer.server,
    execution: 'rejected',
    details: { ...detailsOf(answer), ...(challenge === null ? {} : { wwwAuthenticate: challenge }) },
  });
}

function forbidden(answer: RefusingAnswer): TrestleError {
  const challenge = answer.response.headers.get('www-authenticate');
  return new TrestleError({
    code: 'forbidden',
    message: `${whoAnswered(answer)} refuses access (HTTP 403)${said(answer)}.`,
    hint: 'Check that the credential in "headers" of the definition is allowed to do this.',
    server: answer.server,
    execution: 'rejected',
    details: { ...detailsOf(answer), ...(challenge === null ? {} : { wwwAuthenticate: challenge }) },
  });
}

function sessionLost(answer: RefusingAnswer): TrestleError {
  return new TrestleError({
    code: 'session_lost',
    message: `Server "${answer.server}" no longer knows this session (HTTP 404), so it did not execute the request.`,
    hint: 'The next call begins a new session.',
    server: answer.server,
    execution: 'rejected',
    details: detailsOf(answer),
  });
}

function httpError(answer: RefusingAnswer): TrestleError {
  const { response, server, nowMs } = answer;
  const proxy = speakingProxy(answer);
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'), nowMs);
  const later = retryAfterSeconds === undefined ? '' : `, to be tried again in ${retryAfterSeconds} s`;
  return new TrestleError({
    code: 'http_error',
    message: `${whoAnswered(answer)} answered HTTP ${response.status}${later}${said(answer)}.`,
    hint: proxy === undefined ? hintFor(response.status) : proxyHint(proxy),
    server,
    execution: 'unknown',
    details: { ...detailsOf(answer), ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  });
}

function hintFor(status: number): string {
  // 501: nothing there knows what a POST is, and waiting does not teach it.
  if (status === 404 || status === 405 || status === 501) return 'Check that the URL is the one of the MCP endpoint.';
  if (status === 429 || status >= 500) return 'The server or what stands before it is in trouble; try again later.';
  return 'Check the URL and the headers of the definition.';
}

function detailsOf(answer: RefusingAnswer): Readonly<Record<string, unknown>> {
  const excerpt = excerptOf(answer);
  const proxy = proxyDetails(speakingProxy(answer));
  return { status: answer.response.status, ...(excerpt === '' ? {} : { body: excerpt }), ...proxy };
}

function said(answer: RefusingAnswer): string {
  const excerpt = excerptOf(answer).replace(/[.\s]+$/, '');
  return excerpt === '' ? '' : ` and said ${JSON.stringify(excerpt)}`;
}

/** The body in one short line; of a page only its title. */
export function excerptOf({ response, body }: Pick<RefusingAnswer, 'response' | 'body'>): string {
  const text = isHtml(response, body) ? (/<title[^>]*>([^<]*)/i.exec(body)?.[1] ?? '') : body;
  return plainText(text, limits.errorExcerptCharacters);
}

/** Seconds from a Retry-After header, which is a number or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
