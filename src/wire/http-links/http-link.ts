/** What all HTTP links share: the way to the server, the delivery of what comes in, the counters, work in the background and the end. */
import { Buffer } from 'node:buffer';
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { asTrestleError, delay, type JsonObject, limits, stringifyJson, TrestleError } from '../../base/index.ts';
import type { HttpEndpoint } from '../endpoint.ts';
import { isHtml, mediaType, readStart } from '../http/http-body.ts';
import type { HttpRequest } from '../http/http-client.ts';
import { forwardingProxy } from '../http/proxy-route.ts';
import { type RefusedRequest, type Refusal, readRefusal } from '../http/refusal.ts';
import { fetchWithinOrigin, type Reached } from '../http/same-origin.ts';
import type { JsonRpcId, Link, LinkKind, LinkSendOptions, LinkStats, WireContext } from '../link.ts';
import type { Message } from '../message.ts';
import { createExchanges, type Exchange } from './exchange.ts';
import * as reasons from './http-reasons.ts';
import { Inbox } from './inbox.ts';
import { checkHeaders, natureOf, type HeaderFacts } from './message-headers.ts';

/** The body of a POST, and its size. */
export interface MessageBody {
  readonly text: string;
  readonly bytes: number;
}

export abstract class HttpLink implements Link {
  abstract readonly kind: LinkKind;
  readonly pid = undefined;
  readonly firstByte = Promise.resolve();
  onmessage?: Link['onmessage'];
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  onfault?: ((id: JsonRpcId, error: TrestleError) => void) | undefined;
  onnoise?: ((sample: string) => void) | undefined;

  protected readonly endpoint: HttpEndpoint;
  protected readonly server: string;
  protected readonly context: WireContext;
  /** Aborted with the reason when the link is over. */
  protected readonly running = new AbortController();
  protected protocolVersion: string | undefined;
  protected readonly inbox: Inbox;
  protected readonly exchanges = createExchanges();
  readonly #tasks = new Set<Promise<void>>();
  readonly #counters = { messagesOut: 0, bytesOut: 0 };
  #isOpen = false;
  #ended: TrestleError | undefined;
  #closing: Promise<void> | undefined;

  constructor(endpoint: HttpEndpoint, server: string, context: WireContext) {
    this.endpoint = endpoint;
    this.server = server;
    this.context = context;
    this.inbox = new Inbox({
      server,
      context,
      exchanges: this.exchanges,
      isOver: () => this.#ended !== undefined,
      onMessage: (message) => this.hand(message),
      onNoise: (sample) => this.onnoise?.(sample),
      onFault: (exchange, error) => this.#fault(exchange, error),
      onAnswer: (exchange, reply) => this.answered(exchange, reply),
    });
  }

  /** Connects as far as the transport does that before the first message. */
  protected abstract open(): Promise<void>;
  protected abstract headerFacts(): HeaderFacts;
  /** An answer to `exchange` is about to be delivered. */
  protected abstract answered(exchange: Exchange, reply: Message): void;
  /** Says goodbye to the server, within a bound of its own; never rejects. */
  protected abstract farewell(): Promise<void>;

  get ended(): TrestleError | undefined {
    return this.#ended;
  }

  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  stderrTail(): string {
    return '';
  }

  stats(): LinkStats {
    return { ...this.#counters, ...this.inbox.stats() };
  }

  async start(): Promise<void> {
    try {
      if (this.#ended !== undefined) throw this.#ended;
      const url = URL.parse(this.endpoint.url);
      if (url === null || !/^https?:$/.test(url.protocol)) throw reasons.badUrl(this.server);
      if (url.username !== '' || url.password !== '') throw reasons.credentialsInUrl(this.server);
      checkHeaders(this.endpoint.headers, this.server);
      await this.open();
      if (this.ended !== undefined) throw this.ended;
      this.#isOpen = true;
    } catch (error) {
      const reason = asTrestleError(error);
      this.finish(reason);
      throw reason;
    }
  }

  abstract send(message: JSONRPCMessage, options?: LinkSendOptions): Promise<void>;

  /** `content` as the body of a POST. Throws when the link is not open or the message too large. */
  protected bodyOf(content: JsonObject): MessageBody {
    if (this.#ended !== undefined) throw this.#ended.with({ execution: 'not-sent' });
    if (!this.#isOpen) throw reasons.notStarted(this.server);
    const text = stringifyJson(content);
    const bytes = Buffer.byteLength(text);
    if (bytes > limits.messageBytes) throw reasons.requestTooLarge(this.server, bytes);
    return { text, bytes };
  }

  protected countSent({ bytes }: MessageBody): void {
    this.#counters.messagesOut += 1;
    this.#counters.bytesOut += bytes;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.finish(reasons.closed(this.server));
    await Promise.all([this.farewell(), this.#tasksOver()]);
  }

  /** The tasks end by the abort; the bound holds should one of them be stuck in something that does not listen. */
  async #tasksOver(): Promise<void> {
    const over = new AbortController();
    const all = Promise.all(this.#tasks).then(() => over.abort());
    await Promise.race([all, delay(this.context.clock, limits.sessionDeleteMs, over.signal)]);
  }

  /** The one way to the end: the reason is set, everything under way is aborted, and whoever waits is told. */
  protected finish(reason: TrestleError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.running.abort(reason);
    this.exchanges.abortAll(reason);
    this.onclose?.();
  }

  protected readRefusal(response: Response, request: Pick<RefusedRequest, 'id' | 'namedSession'>): Promise<Refusal> {
    const { server, endpoint } = this;
    const proxy = forwardingProxy(endpoint.url, endpoint.proxies);
    const hasCredential = Object.keys(endpoint.headers).some((name) => name.toLowerCase() === 'authorization');
    return readRefusal(response, { ...request, server, proxy, hasCredential, clock: this.context.clock });
  }

  protected reach(url: string, init: Omit<HttpRequest, 'proxies'>): Promise<Reached> {
    const { server, context, endpoint } = this;
    const { redirects, proxies, reach } = endpoint;
    return fetchWithinOrigin(url, { ...init, proxies, reach }, { server, context, redirects });
  }

  /** Throws unless the answer to a GET is an event stream. */
  protected async checkStream(response: Response): Promise<void> {
    const { server, context } = this;
    if (!response.ok) {
      const refusal = await this.readRefusal(response, { id: undefined, namedSession: false });
      if ('error' in refusal) throw refusal.error.with({ execution: 'not-sent' });
    }
    if (mediaType(response) === 'text/event-stream') return;
    const body = await readStart(response, context.clock);
    if (isHtml(response, body)) throw reasons.htmlPage(server, response.status).with({ execution: 'not-sent' });
    throw reasons.noEventStream(server, mediaType(response));
  }

  /** Work in the background, which `close` waits for; a failure in it is a fault of our own. */
  protected task(work: () => Promise<void>): void {
    const task = work()
      .catch((error: unknown) => this.onerror?.(asTrestleError(error, { server: this.server })))
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  /** The exchange of a message that is to be sent, under its caller's signal. */
  protected begin(message: Message, options: TransportSendOptions | undefined): Exchange {
    const abort = new AbortController();
    const nature = natureOf(message);
    const id = nature.method === undefined ? undefined : message['id'];
    const isRequest = typeof id === 'string' || typeof id === 'number';
    const signal = options?.requestSignal;
    const onAbort = (): void => {
      const reason: unknown = signal?.reason;
      abort.abort(reason instanceof TrestleError ? reason : reasons.aborted(this.server, reason));
    };
    // A request has its caller's deadline; nobody waits for a notification, so it has one of its own.
    const timer = isRequest
      ? undefined
      : this.context.clock.after(limits.requestIdleMs, () => abort.abort(reasons.noticeIgnored(this.server)), {
          keepAlive: false,
        });
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    const exchange = this.exchanges.open({
      id: isRequest ? id : undefined,
      nature,
      abort,
      onStreamEnd: options?.onRequestStreamEnd,
      release() {
        timer?.cancel();
        signal?.removeEventListener('abort', onAbort);
      },
    });
    abort.signal.addEventListener('abort', () => this.exchanges.close(exchange), { once: true });
    return exchange;
  }

  /** Hands a message to the session. */
  protected hand(message: Message): void {
    try {
      this.onmessage?.(message as unknown as JSONRPCMessage);
    } catch (error) {
      // What one message does to its receiver must not lose the ones behind it.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Tells whoever waits for the answer, and stops reading for it. */
  #fault(exchange: Exchange, error: TrestleError): void {
    if (exchange.id !== undefined) this.onfault?.(exchange.id, error);
    exchange.abort.abort(error);
  }

  /** The exchange is over: nothing more is read for it. */
  protected over(exchange: Exchange): void {
    this.exchanges.close(exchange);
  }
}
