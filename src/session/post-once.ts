/** One raw JSON-RPC request over HTTP, outside of any session: one POST, its answer, and nothing left of it. */
import {
  asTrestleError,
  cutLevels,
  type Execution,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  shorten,
  stringifyJson,
  within,
} from '../base/index.ts';
import { type HttpEndpoint, type JsonRpcId, openStreamable, type WireContext } from '../wire/index.ts';
import { Call } from './call.ts';
import { brokenReply, envelopeProblem, executionOfRpcError } from './reply.ts';
import type { RequestControl } from './session.ts';

export interface RawRequest {
  readonly id: JsonRpcId;
  readonly method: string;
  /** Sent as it is. Where its `_meta` names a protocol version (2026-07-28), the headers of that revision go with it. */
  readonly params: JsonValue;
}

export interface RawReply {
  /** The whole response object; one that holds an `error` is a response like any other. */
  readonly response: JsonObject;
  /** `done` for a result; for an error what the protocol says of its code. */
  readonly execution: Execution;
}

export interface PostOptions {
  /** Who answers, for messages. */
  readonly server: string;
  readonly endpoint: HttpEndpoint;
  readonly wire: WireContext;
  readonly control: RequestControl;
  /** Default `none`: what somebody wrote by hand goes where it was sent, or nowhere. */
  readonly redirects?: HttpEndpoint['redirects'] | undefined;
}

/**
 * Sends one request, and no initialize before it. Redirects are refused, also within the origin, unless `redirects` says otherwise. Rejects with a TrestleError: also
 * for an answer with another id, of another type of id, or that is no JSON-RPC response.
 */
export async function postOnce(request: RawRequest, options: PostOptions): Promise<RawReply> {
  const { server, endpoint, wire, control, redirects = 'none' } = options;
  const call = new Call({ method: request.method, control });
  const reply = Promise.withResolvers<RawReply>();
  // Whoever waits for it may have given up before.
  reply.promise.catch(() => {});
  const link = openStreamable({ ...endpoint, redirects }, server, wire);
  link.onmessage = (message) => {
    const { method, params } = message as { readonly method?: string; readonly params?: JsonValue };
    if (method === undefined) settle(message as unknown as JsonObject);
    else if (method === 'notifications/progress' && isObject(params)) call.progressed(params);
  };
  link.onfault = (_id, error) => reply.reject(error);
  const settle = (message: JsonObject): void => {
    const why = replyProblem(message, request.id);
    if (why !== undefined) reply.reject(brokenReply({ server, method: request.method }, why));
    else reply.resolve({ response: cutLevels(message, limits.messageLevels), execution: executionOf(message) });
  };
  try {
    await link.start();
    await link.send({ jsonrpc: '2.0', ...request } as Parameters<typeof link.send>[0], {
      requestSignal: control.deadline.signal,
    });
    call.sent = true;
    return await within(control.deadline, reply.promise);
  } catch (thrown) {
    const error = asTrestleError(thrown);
    throw error.with({ server, execution: error.execution ?? (call.sent ? 'unknown' : 'not-sent') });
  } finally {
    // An initialize has begun a session that nobody will use: this ends it, too.
    await link.close();
  }
}

function replyProblem(message: JsonObject, asked: JsonRpcId): string | undefined {
  const { id } = message;
  return id === asked ? envelopeProblem(message) : `has ${inWords(id)} instead of ${stringifyJson(asked)}`;
}

function inWords(id: JsonValue | undefined): string {
  const isId = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint';
  return isId ? `the id ${shorten(stringifyJson(id), limits.quotedCharacters)}` : 'no usable id';
}

function executionOf({ error }: JsonObject): Execution {
  if (error === undefined) return 'done';
  const code = isObject(error) ? error['code'] : undefined;
  return typeof code === 'number' ? executionOfRpcError(code) : 'unknown';
}
