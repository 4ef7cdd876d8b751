/**
 * The gate between a link and the SDK's Client: every message of one connection passes here once.
 *
 * The link delivers JSON values as they came; the Client, which reads ids with Number(), rejects whole results for one odd
 * member and knows no failure of a single request, gets only well-formed messages:
 *
 * - a good result, of whatever type, travels inside a stand-in that satisfies every schema of the Client ({@link standIn});
 * - whatever else ends a request (an error of the server, a broken reply, a fault of the link) travels as a JSON-RPC error whose `data`
 *   is the TrestleError itself, which no server can forge;
 * - replies that belong to nothing, late progress, and the server's own requests and notifications end here: for the Client each
 *   costs a hundred times as much, and some servers send them in floods.
 *
 * The handshake is spoken through {@link Gate.ask} before a Client is attached.
 */
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { cutLevels, isObject, type JsonObject, type JsonValue, limits, TrestleError } from '../base/index.ts';
import type { JsonRpcId, Link } from '../wire/index.ts';
import { type Answer, type Answered, Awaited } from './awaited.ts';
import type { Call } from './call.ts';
import { changedList } from './list-changes.ts';
import { type Answering, ServerRequests } from './server-requests.ts';
import type { ChangedList } from './session.ts';
import { standIn } from './stand-in.ts';

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

/** What the Client is told instead of a handshake of its own. */
export type Attachment =
  | { readonly era: 'legacy'; readonly initializeResult: object; readonly answering: Answering }
  | { readonly era: 'modern' };

export class Gate implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Told of `notifications/subscriptions/acknowledged`, which concerns a held request. */
  onacknowledged?: (params: JsonObject) => void;
  /** Told of `list_changed`. */
  onlistchanged?: (list: ChangedList) => void;
  /** Over HTTP a modern request is cancelled by ending its stream, without a notification. */
  readonly hasPerRequestStream: boolean;
  /** Resolves when the link is over. */
  readonly over: Promise<void>;
  readonly #link: Link;
  readonly #server: string;
  readonly #awaited: Awaited;
  readonly #serverRequests: ServerRequests;
  #attached: Attachment | undefined;
  #opening: Call | undefined;
  #requestsSent = 0;

  /** Takes over the callbacks of a link, before it is started. */
  constructor(options: GateOptions) {
    this.#link = options.link;
    this.#server = options.server;
    this.hasPerRequestStream = options.link.kind === 'streamable';
    this.#serverRequests = new ServerRequests((answer) => {
      this.#link.send(answer as unknown as JSONRPCMessage).catch((error: unknown) => this.onerror?.(error as Error));
    });
    this.#link.onmessage = (message) => this.#receive(message as unknown as JsonValue);
    this.#awaited = new Awaited(options.server);
    this.#link.onfault = (id, error) => this.#settle(this.#awaited.fault(id, error));
    this.#link.onframing = () => this.#awaited.repeatHandshake();
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
      strayReplies: this.#awaited.strayReplies,
      requestsSent: this.#requestsSent,
      requestsAnswered: this.#serverRequests.answered(),
    };
  }

  /** Ends every answer that is still awaited here, since nobody will look at it any more. */
  forget(id: JsonRpcId): void {
    this.#awaited.remove(id);
  }

  /**
   * Sends one request of the handshake and resolves with its result. Rejects with the TrestleError of the answer or of the link.
   * The caller bounds the wait and calls {@link forget} when it gives up.
   */
  ask(id: JsonRpcId, method: string, params: JsonObject): Promise<JsonObject> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const send = (): void => this.#post({ jsonrpc: '2.0', id, method, params }, reject);
    this.#awaited.add(id, { method, settle: settler(resolve, reject), repeat: send });
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
      if (this.#awaited.remove(id) === undefined) return;
      if (!this.hasPerRequestStream) {
        this.#awaited.noticeSent();
        const notice = { method: 'notifications/cancelled', params: { requestId: id, reason: 'no longer wanted' } };
        this.#link.send({ jsonrpc: '2.0', ...notice }).catch(() => {});
      }
      reject(signal.reason);
    };
    this.#awaited.add(id, { method, settle: settler(resolve, reject), isHeld: true });
    signal.addEventListener('abort', end, { once: true });
    this.#post({ jsonrpc: '2.0', id, method, params }, reject, signal);
    return promise.finally(() => signal.removeEventListener('abort', end));
  }

  #post(message: JSONRPCMessage & { id: JsonRpcId }, reject: (error: unknown) => void, signal?: AbortSignal): void {
    this.#requestsSent += 1;
    this.#link.send(message, signal === undefined ? undefined : { requestSignal: signal }).catch((error: unknown) => {
      this.#awaited.remove(message.id);
      reject(error);
    });
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
    if (!('method' in message)) return this.#link.send(message);
    if ('id' in message) return this.#sendRequest(message, options);
    this.#awaited.noticeSent();
    if (message.method === 'notifications/cancelled') return this.#sendCancel(message);
    return message.method === 'notifications/initialized' ? this.#sendInitialized(message) : this.#link.send(message);
  }

  /** From here on the server may ask. */
  async #sendInitialized(message: JSONRPCMessage): Promise<void> {
    await this.#link.send(message);
    if (this.#attached?.era === 'legacy') this.#serverRequests.open(this.#attached.answering);
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
    this.#awaited.add(id, { method, call });
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
    options?.requestSignal?.addEventListener('abort', () => this.#awaited.remove(id), { once: true });
    try {
      await this.#link.send(message, sending);
    } catch (error) {
      this.#awaited.remove(id);
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
    const waiting = this.#awaited.remove(id);
    if (waiting === undefined || waiting.call?.quiet === true) return;
    const reason = waiting.call?.timedOut() === true ? 'timed out' : 'cancelled';
    await this.#link.send({ ...message, params: { ...params, reason } });
  }

  #receive(sent: JsonValue): void {
    if (!isObject(sent)) return;
    const message = cutLevels(sent, limits.messageLevels);
    if (typeof message['method'] === 'string') this.#receiveFromServer(message, message['method']);
    else this.#settle(this.#awaited.answer(message));
  }

  /** Hands an answer to whoever waits for it. */
  #settle(answered: Answered | undefined): void {
    if (answered === undefined) return;
    const { id, waiting, answer } = answered;
    if (waiting.settle !== undefined) waiting.settle(answer);
    else if (answer instanceof TrestleError) {
      // The code is of no account: whoever reads this error reads `data`.
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32603, message: answer.code, data: answer } });
    } else {
      const told = standIn(answer, this.#attached?.era ?? 'legacy');
      this.onmessage?.({ jsonrpc: '2.0', id, result: told } as JSONRPCMessage);
    }
  }

  #receiveFromServer(message: JsonObject, method: string): void {
    const { id, params } = message;
    if (id !== undefined) {
      // Modern servers have no requests of their own, and are never sent a response.
      if (this.#attached?.era !== 'modern') this.#serverRequests.receive(message);
    } else if (method === 'notifications/progress') this.#receiveProgress(message);
    else if (method === 'notifications/cancelled') {
      this.#receiveCancel(isObject(params) ? params['requestId'] : undefined);
    } else if (method === 'notifications/subscriptions/acknowledged') {
      this.onacknowledged?.(isObject(params) ? params : {});
    } else {
      const list = changedList(method);
      if (list !== undefined) this.onlistchanged?.(list);
    }
  }

  #receiveProgress(message: JsonObject): void {
    const { params } = message;
    const token = isObject(params) ? params['progressToken'] : undefined;
    const waiting = this.#awaited.find(token);
    if (waiting === undefined || !isObject(params)) return;
    // Told here and now: the Client would tell it a turn later, when the answer in the same packet has ended the call.
    if (waiting.call === undefined) this.onmessage?.(message as unknown as JSONRPCMessage);
    else waiting.call.progressed(params);
  }

  /** The server takes a request of its own back, or ends one of ours that is held. */
  #receiveCancel(id: JsonValue | undefined): void {
    this.#serverRequests.withdraw(id);
    if (this.#awaited.find(id)?.isHeld === true) this.#awaited.remove(id)?.settle?.({});
  }

  #ended(): void {
    this.#awaited.endAll(this.#link.ended ?? connectionClosed(this.#server));
    this.#serverRequests.end();
    this.onclose?.();
  }
}

function settler(
  resolve: (result: JsonObject) => void,
  reject: (error: TrestleError) => void,
): (answer: Answer) => void {
  return (answer) => (answer instanceof TrestleError ? reject(answer) : resolve(answer));
}

function connectionClosed(server: string): TrestleError {
  return new TrestleError({
    code: 'connection_closed',
    message: `The connection to server "${server}" is over.`,
    server,
  });
}
