/**
 * The gate between a link and its session: every message of one connection passes here once.
 *
 * The link delivers JSON values as they came. Here it is decided what belongs to which request: an answer, by its id and the type of
 * its id ({@link Awaited}), a fault of the link, progress. Whatever ends a request badly is a TrestleError from here on. What the server
 * asks of its own accord is answered beside ({@link ServerRequests}); what belongs to nothing is counted and ends here.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import {
  asTrestleError,
  cutLevels,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  TrestleError,
} from '../base/index.ts';
import type { JsonRpcId, Link, LinkSendOptions } from '../wire/index.ts';
import { type Answer, type Answered, Awaited } from './awaited.ts';
import type { Call } from './call.ts';
import { changedList } from './lists/list-changes.ts';
import { type Answering, ServerRequests } from './server-requests.ts';
import type { ChangedList } from './session.ts';

/** A request that stays open: see {@link Gate.hold}. */
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

/** How requests are made and answered once the handshake has been spoken. */
export type Manner =
  | { readonly era: 'legacy'; readonly answering: Answering }
  /** `meta`: what every request and notice carries in `_meta`. */
  | { readonly era: 'modern'; readonly meta: JsonObject };

export class Gate {
  /** Told when the link is over; whoever waits for an answer has been told before. */
  onclose?: () => void;
  /** Told of `notifications/subscriptions/acknowledged`, which concerns a held request. */
  onacknowledged?: (params: JsonObject) => void;
  /** Told of `list_changed`. */
  onlistchanged?: (list: ChangedList) => void;
  /** Resolves when the link is over. */
  readonly over: Promise<void>;
  readonly #link: Link;
  readonly #server: string;
  readonly #awaited: Awaited;
  readonly #serverRequests: ServerRequests;
  #manner: Manner | undefined;
  #lastId = 0;
  #requestsSent = 0;

  /** Takes over the callbacks of a link, before it is started. */
  constructor(options: GateOptions) {
    this.#link = options.link;
    this.#server = options.server;
    this.#serverRequests = new ServerRequests((answer) => this.#tell(answer as unknown as JSONRPCMessage));
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

  /** The handshake has been spoken: a legacy server is told so, and may ask from then on. */
  async open(manner: Manner): Promise<void> {
    this.#manner = manner;
    if (manner.era === 'modern') return;
    this.#awaited.noticeSent();
    await this.#link.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    this.#serverRequests.open(manner.answering);
  }

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
   * Sends a request that stays open until the server answers or `signal` aborts; then it is taken back in the way of the transport.
   * Resolves with its result; rejects with the TrestleError of the answer or of the link, or with the signal's reason.
   */
  hold({ id, method, params, signal }: HeldRequest): Promise<JsonObject> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const end = (): void => {
      if (this.#awaited.remove(id) === undefined) return;
      if (!this.#hasStreams) this.#tellCancelled({ requestId: id, reason: 'no longer wanted' });
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

  /**
   * Sends the one request of `call` and resolves with its result. Rejects with the TrestleError of the answer or of the link, or with the
   * reason of its deadline, which also takes it back in the way of the transport.
   */
  request(call: Call, params: JsonObject): Promise<JsonObject> {
    if (this.#link.ended !== undefined) return Promise.reject(this.#link.ended.with({ execution: 'not-sent' }));
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const { signal } = call.control.deadline;
    const id = (this.#lastId += 1);
    const takeBack = (): void => {
      if (this.#awaited.remove(id) === undefined) return;
      const reason = call.timedOut() ? 'timed out' : 'cancelled';
      const hasNotice = call.sent && !call.quiet && !this.#hasStreams;
      if (hasNotice) this.#tellCancelled({ requestId: id, reason, ...this.#envelope() });
      reject(signal.reason);
    };
    const settle = (answer: Answer): void => {
      signal.removeEventListener('abort', takeBack);
      if (answer instanceof TrestleError) reject(answer);
      else resolve(answer);
    };
    this.#awaited.add(id, { method: call.method, call, settle });
    signal.addEventListener('abort', takeBack, { once: true });
    this.#requestsSent += 1;
    const message = { ...params, ...this.#envelope({ progressToken: id }) };
    call.handover = this.#link
      .send({ jsonrpc: '2.0', id, method: call.method, params: message }, this.#sendingOf(call))
      .catch((error: unknown) => {
        const failure = asTrestleError(error);
        if (failure.execution === 'not-sent') call.sent = false;
        if (this.#awaited.remove(id) !== undefined) settle(failure);
      });
    return promise;
  }

  /** The member `_meta` of what is sent; modern servers are told in all of it who asks. */
  #envelope(own?: JsonObject): { readonly _meta?: JsonObject } {
    if (this.#manner?.era === 'modern') return { _meta: { ...this.#manner.meta, ...own } };
    return own === undefined ? {} : { _meta: own };
  }

  #sendingOf(call: Call): LinkSendOptions {
    const onSending = (): void => {
      call.sent = true;
    };
    const { headers } = call;
    return {
      onSending,
      ...(this.#endsBySignal(call) ? { requestSignal: call.control.deadline.signal } : {}),
      ...(headers === undefined ? {} : { headers }),
    };
  }

  /**
   * Over stdio what still waits to be written is not written once the call is over, and in the event dialect, as over modern HTTP, a
   * call is cancelled by nothing else. Over other links of HTTP the link ends the request itself, when the cancel notice is out; a quiet
   * call has no notice.
   */
  #endsBySignal(call: Call): boolean {
    const { kind } = this.#link;
    return kind === 'stdio' || kind === 'events' || this.#hasStreams || call.quiet;
  }

  /** Whether each request has a stream of its own, whose end takes it back without a notice. */
  get #hasStreams(): boolean {
    return this.#link.kind === 'streamable' && this.#manner?.era === 'modern';
  }

  #tellCancelled(params: JsonObject): void {
    this.#awaited.noticeSent();
    this.#tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  /** Sends what nobody waits for: that it could not be sent is no news beside the end of the link. */
  #tell(message: JSONRPCMessage): void {
    this.#link.send(message).catch(() => {});
  }

  #receive(sent: JsonValue): void {
    if (!isObject(sent)) return;
    const message = cutLevels(sent, limits.messageLevels);
    if (typeof message['method'] === 'string') this.#receiveFromServer(message, message['method']);
    else this.#settle(this.#awaited.answer(message));
  }

  /** Hands an answer to whoever waits for it. */
  #settle(answered: Answered | undefined): void {
    answered?.waiting.settle(answered.answer);
  }

  #receiveFromServer(message: JsonObject, method: string): void {
    const { id, params } = message;
    if (id !== undefined) {
      // Modern servers have no requests of their own, and are never sent a response.
      if (this.#manner?.era !== 'modern') this.#serverRequests.receive(message);
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
    if (isObject(params)) this.#awaited.find(token)?.call?.progressed(params);
  }

  /** The server takes a request of its own back, or ends one of ours that is held. */
  #receiveCancel(id: JsonValue | undefined): void {
    this.#serverRequests.withdraw(id);
    if (this.#awaited.find(id)?.isHeld === true) this.#awaited.remove(id)?.settle({});
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
