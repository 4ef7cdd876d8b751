/** Which headers go with a message: what the definition sets, then what the protocol demands. */
import { Buffer } from 'node:buffer';
import { isObject, limits, TrestleError } from '../../base/index.ts';
import type { Message } from '../message.ts';

export interface HeaderFacts {
  /** The definition's headers, and those the session adds to one message. */
  readonly configured: Readonly<Record<string, string>>;
  readonly added?: Readonly<Record<string, string>> | undefined;
  /** Of a legacy session, from its initialize answer. */
  readonly sessionId?: string | undefined;
  /** What was agreed on in a legacy handshake. */
  readonly protocolVersion?: string | undefined;
}

/** What a message is, to those who carry it. */
export interface MessageNature {
  readonly method: string | undefined;
  /** The version a modern message names for itself; undefined for a legacy one. */
  readonly modernVersion: string | undefined;
}

const versionMember = 'io.modelcontextprotocol/protocolVersion';

/** A message is modern (2026-07-28) when its `_meta` names the protocol version; the era is in the message, not in the link. */
export function natureOf(message: Message): MessageNature {
  const method = typeof message['method'] === 'string' ? message['method'] : undefined;
  const params = message['params'];
  const meta = isObject(params) ? params['_meta'] : undefined;
  const version = isObject(meta) ? meta[versionMember] : undefined;
  return { method, modernVersion: typeof version === 'string' ? version : undefined };
}

/** Headers of the POST that carries `message`. Names are lower case. */
export function postHeaders(message: Message, facts: HeaderFacts): Record<string, string> {
  const headers = {
    ...configuredHeaders(facts),
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const { method, modernVersion } = natureOf(message);
  if (modernVersion !== undefined) return { ...headers, ...modernHeaders(message, modernVersion) };
  // An initialize begins a session: it names neither an older session nor a version that is not agreed on yet.
  return method === 'initialize' ? headers : { ...headers, ...sessionHeaders(facts) };
}

/** Headers of a GET for an event stream; `lastEventId` (see {@link eventIdValue}) makes it the rest of a stream that was cut. */
export function streamHeaders(facts: HeaderFacts, lastEventId?: string): Record<string, string> {
  return {
    ...configuredHeaders(facts),
    accept: 'text/event-stream',
    ...sessionHeaders(facts),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
}

/**
 * An event id as a header value, in UTF-8 (HTML standard, section 9.2.4). Undefined where it cannot be told unchanged, and for the
 * empty id, by which a server takes back the ones before it.
 */
export function eventIdValue(id: string): string | undefined {
  const value = Buffer.from(id).toString('latin1');
  const isSendable = /^[\t\u0020-\u007E\u0080-\u00FF]+$/.test(value) && id.trim() === id;
  return isSendable && value.length <= limits.eventIdBytes ? value : undefined;
}

/** Headers of the DELETE that ends a legacy session. */
export function deleteHeaders(facts: HeaderFacts): Record<string, string> {
  return { ...configuredHeaders(facts), ...sessionHeaders(facts) };
}

/** Throws `config_entry_invalid` for a configured header that cannot be sent; its value is not named. */
export function checkHeaders(headers: Readonly<Record<string, string>>, server: string): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\u0020-\u007E\u0080-\u00FF]*$/.test(value)) continue;
    throw new TrestleError({
      code: 'config_entry_invalid',
      message: `Server "${server}": the header ${JSON.stringify(name)} cannot be sent, its name or value has characters HTTP does not allow.`,
      hint: 'Look for line breaks and characters outside Latin-1 in "headers" of the definition.',
      server,
      execution: 'not-sent',
    });
  }
}

/** Not to be set by a definition: what the protocol or the connection itself decides. */
const ownNames: ReadonlySet<string> = new Set(
  `accept content-type content-length transfer-encoding connection keep-alive upgrade expect last-event-id
  proxy-authorization proxy-connection`.split(/\s+/),
);

function configuredHeaders({ configured, added }: HeaderFacts): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'trestle' };
  for (const [name, value] of Object.entries(configured)) {
    const lower = name.toLowerCase();
    if (!ownNames.has(lower) && !lower.startsWith('mcp-')) headers[lower] = value;
  }
  for (const [name, value] of Object.entries(added ?? {})) headers[name.toLowerCase()] = value;
  return headers;
}

function sessionHeaders({ sessionId, protocolVersion }: HeaderFacts): Record<string, string> {
  return {
    ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
    ...(protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion }),
  };
}

function modernHeaders(message: Message, version: string): Record<string, string> {
  const { method } = natureOf(message);
  const name = subjectOf(message);
  return {
    'mcp-protocol-version': version,
    ...(method === undefined ? {} : { 'mcp-method': headerValue(method) }),
    ...(name === undefined ? {} : { 'mcp-name': headerValue(name) }),
  };
}

/** What a request is about, where the revision (2026-07-28, transports, standard headers) wants it in `Mcp-Name`. */
function subjectOf(message: Message): string | undefined {
  const { method } = natureOf(message);
  const params = message['params'];
  if (method === undefined || !isObject(params)) return undefined;
  const member = method.startsWith('tasks/') ? 'taskId' : subjectMembers[method];
  const subject = member === undefined ? undefined : params[member];
  return typeof subject === 'string' ? subject : undefined;
}

const subjectMembers: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * `text` as a header value. What is not plain ASCII, is empty, would lose white space at its ends, or looks encoded already, is
 * encoded as the revision says: `=?base64?…?=` over UTF-8.
 */
export function headerValue(text: string): string {
  const looksEncoded = text.startsWith('=?base64?') && text.endsWith('?=');
  // An empty value is legal, and dropped by some of what stands between.
  const isPlain = /^[\t\u0020-\u007E]+$/.test(text) && text.trim() === text && !looksEncoded;
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
