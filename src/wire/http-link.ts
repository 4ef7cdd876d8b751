/**
 * What both HTTP links share: one POST for each message, its refusals, the delivery of what comes in, the counters and the end.
 * The transports differ in where a POST goes and in what its success means.
 */
import { Buffer } from 'node:buffer';
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { asTrestleError, delay, isObject, limits, stringifyJson, TrestleError, type JsonValue } from '../base/index.ts';
import type { HttpEndpoint } from './endpoint.ts';
import { createEventReader, type DroppedEvent, type ServerEvent } from './event-reader.ts';
import { createExchanges, type Exchange } from './exchange.ts';
import { readChunks } from './http-body.ts';
import type { HttpRequest } from './http-client.ts';
import * as reasons from './http-reasons.ts';
import type { JsonRpcId, Link, LinkKind, LinkStats, WireContext } from './link.ts';
import { checkHeaders, natureOf, postHeaders, type HeaderFacts } from './message-headers.ts';
import { readLine } from './message-line.ts';
import type { Message } from './message.ts';
import { plainText } from './plain-text.ts';
import { readRefusal } from './refusal.ts';
import { findReplyId } from './reply-id.ts';
import { fetchWithinOrigin, type Reached } from './same-origin.ts';

/** How one event stream is read. */
export interface StreamReading {
  readonly onEvent: (event: ServerEvent) => void;
  readonly onDropped: (event: DroppedEvent) => void;
  readonly onRetry?: (pauseMs: number) => void;
}

export abstract class HttpLink implements Link {
  abstract readonly kind: LinkKind;
  readonly pid = undefined;
  readonly firstByte = Promise.resolve();
  onmessage?: Link['onmessage'];
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  onfault?: ((id: JsonRpcId, error: TrestleError) => void) | undefined;

  protected readonly endpoint: HttpEndpoint;
  protected readonly server: string;
  protected readonly context: WireContext;
  /** Aborted with the reason when the link is over. */
  protected readonly running = new AbortController();
  protected protocolVersion: string | undefined;
  /** The server no longer knows the session: there is nothing left to say goodbye to. */
  protected sessionIsLost = false;
  readonly #exchanges = createExchanges();
  readonly #tasks = new Set<Promise<void>>();
  readonly #counters = { messagesIn: 0, messagesOut: 0, bytesIn: 0, bytesOut: 0, noise: 0 };
  #noiseSample: string | undefined;
  #lastInMs: number | undefined;
  #ended: TrestleError | undefined;
  #closing: Promise<void> | undefined;

  constructor(endpoint: HttpEndpoint, server: string, context: WireContext) {
    this.endpoint = endpoint;
    this.server = server;
    this.context = context;
  }

  /** Connects as far as the transport does that before the first message. */
  protected abstract open(): Promise<void>;
  /** Where messages are posted; throws before that is known. */
  protected abstract postUrl(): string;
  protected abstract headerFacts(): HeaderFacts;
  /** A 2xx came for `exchange`; whatever takes time goes on in a task. */
  protected abstract accept(response: Response, exchange: Exchange): void;
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
    return { ...this.#counters, noiseSample: this.#noiseSample, lastInMs: this.#lastInMs };
  }

  async start(): Promise<void> {
    try {
      if (this.#ended !== undefined) throw this.#ended;
      const url = URL.parse(this.endpoint.url);
      if (url === null || !/^https?:$/.test(url.protocol)) throw reasons.badUrl(this.server);
      if (url.username !== '' || url.password !== '') throw reasons.credentialsInUrl(this.server);
      checkHeaders(this.endpoint.headers, this.server);
      await this.open();
    } catch (error) {
      const reason = asTrestleError(error);
      this.finish(reason);
      throw reason;
    }
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended.with({ execution: 'not-sent' });
    const url = this.postUrl();
    const body = stringifyJson(message);
    const bytes = Buffer.byteLength(body);
    if (bytes > limits.messageBytes) throw reasons.requestTooLarge(this.server, bytes);
    const content = message as unknown as Message;
    const exchange = this.#begin(content, options);
    const forgetCancelled = this.#dropCancelled(content);
    try {
      const headers = postHeaders(content, { ...this.headerFacts(), added: options?.headers });
      const { response } = await this.reach(url, { method: 'POST', headers, body, signal: exchange.abort.signal });
      this.#counters.messagesOut += 1;
      this.#counters.bytesOut += bytes;
      if (response.ok) this.accept(response, exchange);
      else await this.#refuse(response, exchange, headers);
    } catch (error) {
      this.#exchanges.close(exchange);
      throw asTrestleError(error);
    } finally {
      forgetCancelled();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.finish(reasons.closed(this.server));
    // The tasks end by the abort; the bound holds should one of them be stuck in something that does not listen.
    await Promise.all([this.farewell(), Promise.race([Promise.all(this.#tasks), this.#closeLimit()])]);
  }

  async #closeLimit(): Promise<void> {
    if (this.#tasks.size > 0) await delay(this.context.clock, limits.sessionDeleteMs);
  }

  /** The one way to the end: the reason is set, everything under way is aborted, and whoever waits is told. */
  protected finish(reason: TrestleError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.running.abort(reason);
    this.#exchanges.abortAll(reason);
    this.onclose?.();
  }

  protected reach(url: string, init: HttpRequest): Promise<Reached> {
    const { server, context, endpoint } = this;
    return fetchWithinOrigin(url, init, { server, context, redirects: endpoint.redirects });
  }

  /** Work in the background, which `close` waits for; a failure in it is a fault of our own. */
  protected task(work: () => Promise<void>): void {
    const task = work()
      .catch((error: unknown) => this.onerror?.(asTrestleError(error, { server: this.server })))
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  #begin(message: Message, options: TransportSendOptions | undefined): Exchange {
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
      : this.context.clock.after(
          limits.requestIdleMs,
          () => abort.abort(reasons.noticeIgnored(this.server, 'unknown')),
          { keepAlive: false },
        );
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    const exchange = this.#exchanges.open({
      id: isRequest ? id : undefined,
      nature,
      abort,
      onStreamEnd: options?.onRequestStreamEnd,
      release() {
        timer?.cancel();
        signal?.removeEventListener('abort', onAbort);
      },
    });
    abort.signal.addEventListener('abort', () => this.#exchanges.close(exchange), { once: true });
    return exchange;
  }

  /** When `message` cancels a request: drops that request's POST once the notice has arrived. Returns what to do then. */
  #dropCancelled(message: Message): () => void {
    const params = message['params'];
    const isCancel = message['method'] === 'notifications/cancelled' && isObject(params);
    const exchange = isCancel ? this.#exchanges.find(params['requestId']) : undefined;
    if (exchange === undefined) return () => {};
    const drop = (): void => {
      timer.cancel();
      exchange.settled = true;
      exchange.abort.abort(reasons.aborted(this.server, undefined));
    };
    const timer = this.context.clock.after(limits.cancelNoticeMs, drop, { keepAlive: false });
    return drop;
  }

  async #refuse(response: Response, exchange: Exchange, headers: Readonly<Record<string, string>>): Promise<void> {
    const namedSession = headers['mcp-session-id'] !== undefined;
    const { server, context } = this;
    const refusal = await readRefusal(response, { server, id: exchange.id, namedSession, clock: context.clock });
    if ('error' in refusal) {
      if (refusal.error.code === 'session_lost') this.sessionIsLost = true;
      throw refusal.error;
    }
    this.deliver([refusal.reply]);
    this.over(exchange);
  }

  /** The exchange is over: nothing more is read for it. */
  protected over(exchange: Exchange): void {
    this.#exchanges.close(exchange);
  }

  /** Ends one request, unless it was answered or given up. */
  protected fault(exchange: Exchange, error: TrestleError): void {
    if (exchange.settled || exchange.id === undefined || exchange.abort.signal.aborted) return;
    exchange.settled = true;
    this.onfault?.(exchange.id, error);
  }

  /** Reads an event stream to its end. Rejects when it breaks, or when the server sends an event without end. */
  protected async readEvents(response: Response, reading: StreamReading): Promise<void> {
    let flood = false;
    const reader = createEventReader({
      eventBytes: limits.messageBytes,
      unbrokenBytes: limits.unbrokenBytes,
      keptBytes: limits.droppedLineHeadBytes,
      onFlood: () => {
        flood = true;
      },
      ...reading,
    });
    await readChunks(response, (chunk) => {
      this.countBytes(chunk.length);
      reader.push(chunk);
      return !flood && this.#ended === undefined;
    });
    if (flood) throw reasons.flooded(this.server);
    reader.end();
  }

  /** Delivers the messages in the data of an event, or in a JSON body. False when there are none. */
  protected deliverText(text: string, own?: Exchange): boolean {
    const line = readLine(text);
    if (line.kind === 'messages') this.deliver(line.messages, own);
    else if (line.kind === 'noise') this.countNoise(text);
    else if (line.kind === 'broken') {
      this.countNoise(text);
      const exchange = this.#exchanges.find(line.id);
      if (exchange !== undefined) this.fault(exchange, reasons.noJson(this.server, 200, text));
    }
    return line.kind === 'messages';
  }

  /** Delivers messages in order; `own` is the request on whose stream they came. */
  protected deliver(messages: readonly Message[], own?: Exchange): void {
    for (const sent of messages) {
      if (this.#ended !== undefined) return;
      this.#lastInMs = this.context.clock.monotonicMs();
      this.#counters.messagesIn += 1;
      const message = own === undefined ? sent : withOwnId(sent, own);
      this.#settle(message, own);
      try {
        this.onmessage?.(message as unknown as JSONRPCMessage);
      } catch (error) {
        // What one message does to its receiver must not lose the ones behind it.
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #settle(message: Message, own: Exchange | undefined): void {
    if (Object.hasOwn(message, 'method')) return;
    const id = message['id'];
    // An id of the wrong type ends that call (the session does so); nothing more will come for it on its own stream.
    const exchange = this.#exchanges.find(id) ?? (own !== undefined && isNearly(id, own.id) ? own : undefined);
    if (exchange === undefined) return;
    this.answered(exchange, message);
    exchange.settled = true;
  }

  /** An answer to `exchange` is about to be delivered. */
  protected answered(_exchange: Exchange, _reply: Message): void {}

  /** An event over the limit fails the request it answers; else it is noise. */
  protected dropped({ head, tail }: DroppedEvent): void {
    const exchange = this.#exchanges.find(findReplyId(head, tail));
    if (exchange === undefined) this.countNoise(Buffer.from(head).toString());
    else this.fault(exchange, reasons.replyTooLarge(this.server));
  }

  protected countBytes(count: number): void {
    this.#counters.bytesIn += count;
  }

  protected countNoise(text: string): void {
    this.#counters.noise += 1;
    if (this.#noiseSample !== undefined) return;
    this.#noiseSample = plainText(text, limits.noiseSampleCharacters);
    this.context.log.info(`sends what is no MCP message; it is skipped: ${this.#noiseSample}`, this.server);
  }
}

/** An error without an id, on a request's own stream, can only be that request's. */
function withOwnId(message: Message, own: Exchange): Message {
  const isAnonymous = (message['id'] ?? null) === null && Object.hasOwn(message, 'error');
  return isAnonymous && own.id !== undefined && !Object.hasOwn(message, 'method')
    ? { ...message, id: own.id }
    : message;
}

/** Whether two ids differ in type at most. */
function isNearly(id: JsonValue | undefined, own: JsonRpcId | undefined): boolean {
  return (typeof id === 'string' || typeof id === 'number') && String(id) === String(own);
}
