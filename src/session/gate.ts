/**
 * The gate between a link and the SDK's Client: every message of one connection passes here once.
 *
 * The link delivers JSON values as they came; the Client, which reads ids with Number(), rejects whole results for one odd
 * member and knows no failure of a single request, gets only well-formed messages:
 *
 * - a good result, of whatever type, travels inside a stand-in that satisfies every schema of the Client ({@link standIn});
 * - whatever else ends a request (an error of the server, a broken reply, a fault of the link) travels as a JSON-RPC error whose `data`
 *   is the TrestleError itself, which no server can forge;
 * - replies that belong to nothing, and late progress, end here.
 *
 * The handshake is spoken through {@link Gate.ask} before a Client is attached.
 */
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { isObject, type JsonObject, type JsonValue, stringifyJson, TrestleError } from '../base/index.ts';
import type { JsonRpcId, Link } from '../wire/index.ts';
import type { Call } from './call.ts';
import { brokenReply, judgeReply, otherwiseTyped, rpcError } from './reply.ts';
import { createServerRequestGuard } from './server-request-guard.ts';
import { standIn } from './stand-in.ts';

/** A request of ours that waits for its answer. */
interface Waiting {
  readonly method: string;
  /** Undefined for what is asked by {@link Gate.ask}. */
  readonly call: Call | undefined;
  /** Set for what is asked by {@link Gate.ask}: the answer goes there instead of to the Client. */
  readonly settle: ((answer: JsonObject | TrestleError) => void) | undefined;
  /** Set for the handshake: sends it once more. */
  readonly repeat?: (() => void) | undefined;
  /** Stays open: see {@link Gate.hold}. */
  readonly isHeld?: boolean;
}

/** A request that is not the Client's and stays open: see {@link Gate.hold}. */
export interface HeldRequest {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params: JsonObject;
  /** Ends it. */
  readonly signal: AbortSignal;
}

export interface GateOptions {
  readonly link: Link;
  readonly server: string;
}

export interface GateCounters {
  readonly strayReplies: number;
  readonly requestsSent: number;
  readonly requestsAnswered: Readonly<Record<string, number>>;
}

const parseErrorCode = -32700;
const invalidRequestCode = -32600;

/** What the Client is told instead of a handshake of its own. */
export type Attachment = { readonly era: 'legacy'; readonly initializeResult: object } | { readonly era: 'modern' };

export class Gate implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Told of `notifications/subscriptions/acknowledged`, which concerns a held request. */
  onacknowledged?: (params: JsonObject) => void;
  /** Over HTTP a modern request is cancelled by ending its stream, without a notification. */
  readonly hasPerRequestStream: boolean;
  /** Resolves when the link is over. */
  readonly over: Promise<void>;
  readonly #link: Link;
  readonly #server: string;
  readonly #waiting = new Map<JsonRpcId, Waiting>();
  readonly #guard = createServerRequestGuard();
  #attached: Attachment | undefined;
  /** Whether the server's own requests go through: once the handshake is over. */
  #open = false;
  #opening: Call | undefined;
  #strayReplies = 0;
  #requestsSent = 0;
  /** Notices that were sent since the last answer. */
  #recentNotices = 0;

  /** Takes over the callbacks of a link, before it is started. */
  constructor(options: GateOptions) {
    this.#link = options.link;
    this.#server = options.server;
    this.hasPerRequestStream = options.link.kind === 'streamable';
    this.#link.onmessage = (message) => this.#receive(message as unknown as JsonValue);
    this.#link.onfault = (id, error) => {
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) this.#strayReplies += 1;
      else this.#fail(id, waiting, error);
    };
    this.#link.onframing = () => this.#repeatHandshake();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.#link.onclose = () => {
      this.#ended();
      resolve();
    };
  }

  /** Called before a Client is connected: the handshake has been spoken. */
  attach(attachment: Attachment): void {
    this.#attached = attachment;
  }

  /** Nothing to do: the link was started before. */
  async start(): Promise<void> {}

  close(): Promise<void> {
    return this.#link.close();
  }

  counters(): GateCounters {
    return {
      strayReplies: this.#strayReplies,
      requestsSent: this.#requestsSent,
      requestsAnswered: this.#guard.answered(),
    };
  }

  /** Ends every answer that is still awaited here, since nobody will look at it any more. */
  forget(id: JsonRpcId): void {
    this.#waiting.delete(id);
  }

  /**
   * Sends one request of the handshake and resolves with its result. Rejects with the TrestleError of the answer or of the link.
   * The caller bounds the wait and calls {@link forget} when it gives up.
   */
  ask(id: JsonRpcId, method: string, params: JsonObject): Promise<JsonObject> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const send = (): void => this.#post({ jsonrpc: '2.0', id, method, params }, reject);
    this.#waiting.set(id, { method, call: undefined, settle: settler(resolve, reject), repeat: send });
    send();
    return promise;
  }

  /**
   * Sends a request beside those of the Client, which stays open until the server answers or `signal` aborts; then it is taken
   * back in the way of the transport. Resolves with its result; rejects with the TrestleError of the answer or of the link, or with
   * the signal's reason.
   */
  hold({ id, method, params, signal }: HeldRequest): Promise<JsonObject> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const end = (): void => {
      if (!this.#waiting.delete(id)) return;
      if (!this.hasPerRequestStream) {
        this.#recentNotices += 1;
        const notice = { method: 'notifications/cancelled', params: { requestId: id, reason: 'no longer wanted' } };
        this.#link.send({ jsonrpc: '2.0', ...notice }).catch(() => {});
      }
      reject(signal.reason);
    };
    this.#waiting.set(id, { method, call: undefined, settle: settler(resolve, reject), isHeld: true });
    signal.addEventListener('abort', end, { once: true });
    this.#post({ jsonrpc: '2.0', id, method, params }, reject, signal);
    return promise.finally(() => signal.removeEventListener('abort', end));
  }

  #post(message: JSONRPCMessage & { id: JsonRpcId }, reject: (error: unknown) => void, signal?: AbortSignal): void {
    this.#requestsSent += 1;
    this.#link.send(message, signal === undefined ? undefined : { requestSignal: signal }).catch((error: unknown) => {
      this.#waiting.delete(message.id);
      reject(error);
    });
  }

  /** The server may not have understood how it was spoken to. What belongs to no handshake is never sent twice. */
  #repeatHandshake(): void {
    for (const { repeat } of this.#waiting.values()) repeat?.();
  }

  /** Runs `send`, which makes the Client send one request at once; that request belongs to `call`. */
  during<T>(call: Call, send: () => T): T {
    this.#opening = call;
    try {
      return send();
    } finally {
      this.#opening = undefined;
    }
  }

  /** The Client's way out. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) {
      this.#guard.answering(message.id);
      return this.#link.send(message);
    }
    if ('id' in message) return this.#sendRequest(message, options);
    this.#recentNotices += 1;
    if (message.method === 'notifications/cancelled') return this.#sendCancel(message);
    return message.method === 'notifications/initialized' ? this.#sendInitialized(message) : this.#link.send(message);
  }

  /** From here on the server may ask; what it asked too early is handed over. */
  async #sendInitialized(message: JSONRPCMessage): Promise<void> {
    await this.#link.send(message);
    this.#open = true;
    for (const early of this.#guard.releaseEarly()) this.onmessage?.(early);
  }

  async #sendRequest(message: JSONRPCMessage & { id: JsonRpcId; method: string }, options?: TransportSendOptions) {
    const { id, method } = message;
    const call = this.#opening;
    this.#opening = undefined;
    if (method === 'initialize' && this.#attached?.era === 'legacy') {
      const result = this.#attached.initializeResult;
      queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', id, result } as JSONRPCMessage));
      return;
    }
    if (this.#link.ended !== undefined) throw this.#link.ended.with({ execution: 'not-sent' });
    this.#waiting.set(id, { method, call, settle: undefined });
    this.#requestsSent += 1;
    const onSending = (): void => {
      if (call !== undefined) call.sent = true;
    };
    const requestSignal = options?.requestSignal ?? this.#legacySignal(call);
    const sending = {
      onSending,
      ...(requestSignal === undefined ? {} : { requestSignal }),
      ...(call?.headers === undefined ? {} : { headers: call.headers }),
    };
    // The Client sends no notice for a request with a stream of its own; for others the notice ends the wait.
    options?.requestSignal?.addEventListener('abort', () => this.#waiting.delete(id), { once: true });
    try {
      await this.#link.send(message, sending);
    } catch (error) {
      this.#waiting.delete(id);
      if (call !== undefined && error instanceof TrestleError && error.execution === 'not-sent') call.sent = false;
      throw error;
    }
  }

  /**
   * Over stdio what still waits to be written is not written once the call is over, and in the event dialect a call is cancelled by
   * nothing else. Over other links of HTTP the link ends the request itself, when the cancel notice is out; a quiet call has no notice.
   */
  #legacySignal(call: Call | undefined): AbortSignal | undefined {
    const { kind } = this.#link;
    return kind === 'stdio' || kind === 'events' || call?.quiet === true ? call?.control.deadline.signal : undefined;
  }

  /** One notice for a request that is still awaited, with a reason of our own: the Client would send the text of an error. */
  async #sendCancel(message: JSONRPCMessage): Promise<void> {
    const params = (message as { params?: { readonly requestId?: JsonRpcId } }).params;
    const id = params?.requestId;
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (waiting.call?.quiet === true) return;
    const reason = waiting.call?.timedOut() === true ? 'timed out' : 'cancelled';
    await this.#link.send({ ...message, params: { ...params, reason } });
  }

  #receive(message: JsonValue): void {
    if (!isObject(message)) return;
    if (typeof message['method'] === 'string') this.#receiveFromServer(message, message['method']);
    else this.#receiveReply(message);
  }

  #receiveReply(message: JsonObject): void {
    const id = message['id'];
    const waiting = typeof id === 'number' || typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (waiting === undefined || id === undefined || id === null) {
      this.#receiveUnmatched(message);
      return;
    }
    this.#recentNotices = 0;
    const asked = { server: this.#server, method: waiting.method };
    const judged = judgeReply(message);
    if (judged.kind === 'result') this.#deliver(id as JsonRpcId, waiting, judged.result);
    else if (judged.kind === 'error') this.#fail(id as JsonRpcId, waiting, rpcError(asked, judged));
    else this.#fail(id as JsonRpcId, waiting, brokenReply(asked, judged.why));
  }

  /** An id that differs only in its type fails the call it was meant for; anything else belongs to nothing. */
  #receiveUnmatched(message: JsonObject): void {
    const id = message['id'];
    const meant = otherwiseTyped(id);
    const waiting = meant === undefined ? undefined : this.#waiting.get(meant);
    if (waiting !== undefined && meant !== undefined) {
      const why = `has the id ${stringifyJson(id)} instead of ${stringifyJson(meant)}`;
      this.#fail(meant, waiting, brokenReply({ server: this.#server, method: waiting.method }, why));
      return;
    }
    this.#strayReplies += 1;
    if (id === null || id === undefined) this.#failUnread(message);
  }

  /**
   * A server that cannot read a message answers without an id. During the handshake it is about our oldest request, since servers
   * answer in order. Later only about the one that waits, and never for certain: its fate is not known.
   */
  #failUnread(message: JsonObject): void {
    const judged = judgeReply(message);
    if (judged.kind !== 'error') return;
    const waiting = [...this.#waiting].filter(([, { isHeld }]) => isHeld !== true);
    const handshake = waiting.find(([, { repeat }]) => repeat !== undefined);
    const only = waiting.length === 1 && this.#isAboutRequest(judged.code) ? waiting[0] : undefined;
    const [id, meant] = handshake ?? only ?? [];
    if (id === undefined || meant === undefined) return;
    const error = rpcError({ server: this.#server, method: meant.method }, judged);
    this.#fail(id, meant, handshake === undefined ? error.with({ execution: 'unknown' }) : error);
  }

  /** Some servers refuse notices, which have no id, as invalid requests; none finds one that it cannot parse. */
  #isAboutRequest(code: number | bigint): boolean {
    if (code === parseErrorCode) return true;
    const isAboutNotice = this.#recentNotices > 0;
    if (isAboutNotice) this.#recentNotices -= 1;
    return code === invalidRequestCode && !isAboutNotice;
  }

  #deliver(id: JsonRpcId, waiting: Waiting, result: JsonObject): void {
    this.#waiting.delete(id);
    if (waiting.settle !== undefined) {
      waiting.settle(result);
      return;
    }
    const told = standIn(result, this.#attached?.era ?? 'legacy');
    this.onmessage?.({ jsonrpc: '2.0', id, result: told } as JSONRPCMessage);
  }

  #fail(id: JsonRpcId, waiting: Waiting, error: TrestleError): void {
    this.#waiting.delete(id);
    if (waiting.settle !== undefined) {
      waiting.settle(error);
      return;
    }
    // The code is of no account: whoever reads this error reads `data`.
    this.onmessage?.({
      jsonrpc: '2.0',
      id,
      error: { code: -32603, message: error.code, data: error },
    });
  }

  #receiveFromServer(message: JsonObject, method: string): void {
    const { id, params } = message;
    if (id !== undefined) {
      this.#receiveRequest(message as unknown as JSONRPCMessage & { id: JsonRpcId }, method);
      return;
    }
    if (method !== 'notifications/progress') {
      const told = isObject(params) ? params : {};
      if (method === 'notifications/cancelled') this.#receiveCancel(told['requestId']);
      if (method === 'notifications/subscriptions/acknowledged') this.onacknowledged?.(told);
      this.onmessage?.(message as unknown as JSONRPCMessage);
      return;
    }
    const token = isObject(params) ? params['progressToken'] : undefined;
    const waiting = typeof token === 'number' || typeof token === 'string' ? this.#waiting.get(token) : undefined;
    if (waiting === undefined || !isObject(params)) return;
    // Told here and now: the Client would tell it a turn later, when the answer in the same packet has ended the call.
    if (waiting.call === undefined) this.onmessage?.(message as unknown as JSONRPCMessage);
    else waiting.call.progressed(params);
  }

  /** The server takes a request of its own back, or ends one of ours that is held. */
  #receiveCancel(id: JsonValue | undefined): void {
    this.#guard.withdraw(id);
    const waiting = typeof id === 'number' || typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (waiting?.isHeld !== true) return;
    this.#waiting.delete(id as JsonRpcId);
    waiting.settle?.({});
  }

  #receiveRequest(message: JSONRPCMessage & { id: JsonRpcId }, method: string): void {
    // Modern servers have no requests of their own, and are never sent a response.
    if (this.#attached?.era === 'modern') return;
    const reply = this.#guard.admit(message, method, this.#open);
    if (reply === 'pass') this.onmessage?.(message);
    else if (reply !== 'hold') this.#link.send(reply).catch((error: unknown) => this.onerror?.(error as Error));
  }

  #ended(): void {
    const reason = this.#link.ended ?? connectionClosed(this.#server);
    for (const waiting of this.#waiting.values()) waiting.settle?.(reason);
    this.#waiting.clear();
    this.onclose?.();
  }
}

function settler(
  resolve: (result: JsonObject) => void,
  reject: (error: TrestleError) => void,
): (answer: JsonObject | TrestleError) => void {
  return (answer) => (answer instanceof TrestleError ? reject(answer) : resolve(answer));
}

function connectionClosed(server: string): TrestleError {
  return new TrestleError({
    code: 'connection_closed',
    message: `The connection to server "${server}" is over.`,
    server,
  });
}
