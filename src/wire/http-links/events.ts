import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import {
  asTrestleError,
  delay,
  isObject,
  limits,
  stringifyJson,
  type Timer,
  type TrestleError,
} from '../../base/index.ts';
import type { HttpEndpoint } from '../endpoint.ts';
import { isHtml, readStart } from '../http/http-body.ts';
import type { Reached } from '../http/same-origin.ts';
import type { JsonRpcId, Link, LinkSendOptions, WireContext } from '../link.ts';
import type { Message } from '../message.ts';
import { type DialectStream, openDialectStream } from './dialect-stream.ts';
import * as dialect from './event-dialect.ts';
import type { ServerEvent } from './event-reader.ts';
import type { Exchange } from './exchange.ts';
import { HttpLink, type MessageBody } from './http-link.ts';
import * as reasons from './http-reasons.ts';
import { type HeaderFacts, natureOf, postHeaders, streamHeaders } from './message-headers.ts';

/**
 * A link over the event dialect (event-dialect.ts), which it presents as JSON-RPC: the handshake, `ping` and `tools/list` are answered
 * here, a `tools/call` becomes a POST and the next `result` or `error` event its reply. `start` waits for the session's id and
 * the list of tools until `close`.
 */
export function openEvents(endpoint: HttpEndpoint, server: string, context: WireContext): Link {
  return new EventsLink(endpoint, server, context);
}

/** Id of what answers no call. Not null: an error with that may be taken for the answer to a request that could not be read. */
const nobody = 'nobody';

interface Call {
  readonly exchange: Exchange;
  /** The call without the session, which is known when its turn comes. */
  readonly body: MessageBody;
  readonly headers: Readonly<Record<string, string>>;
  readonly onSending: LinkSendOptions['onSending'];
  /** Settled when the server has taken the call, or it has failed. */
  readonly handedOver: PromiseWithResolvers<void>;
  /** Aborted when its answer came. */
  readonly answered: AbortController;
}

/**
 * Lives from `start` to the end of its stream or `close`. Nothing says to which call a result belongs, so one call runs at a time
 * and the others wait; after a call whose result may still come, the stream is dropped and a new one opened before the next: the
 * new session cannot get the old one's results.
 */
class EventsLink extends HttpLink {
  readonly kind = 'events';
  sessionId: string | undefined;
  #stream: DialectStream | undefined;
  /** Resolves when a stream that was dropped is replaced, or never will be. */
  #replaced = Promise.withResolvers<void>();
  /** Data of the last `tools` event. */
  #tools: string | undefined;
  readonly #waiting: Call[] = [];
  #running: Call | undefined;

  protected override async open(): Promise<void> {
    this.#use(await this.#connect());
  }

  protected override headerFacts(): HeaderFacts {
    return { configured: this.endpoint.headers };
  }

  protected override async farewell(): Promise<void> {}

  protected override finish(reason: TrestleError): void {
    super.finish(reason);
    this.#replaced.resolve();
  }

  override async send(message: JSONRPCMessage, options?: LinkSendOptions): Promise<void> {
    const content = message as unknown as Message;
    const { method } = natureOf(content);
    const id = content['id'];
    // The dialect has no notifications; a call is cancelled by ending its stream.
    if (method === undefined || (typeof id !== 'string' && typeof id !== 'number')) return;
    if (method === 'tools/call') await this.#call(content, options);
    else await this.#answerHere({ id, method }, options);
  }

  async #answerHere(request: { readonly id: JsonRpcId; readonly method: string }, options?: LinkSendOptions) {
    if (this.ended !== undefined) throw this.ended.with({ execution: 'not-sent' });
    options?.onSending?.();
    // A stream that is open is the sign of life of this dialect: the system watches over silent connections.
    if (this.#stream === undefined) await this.#replaced.promise;
    if (this.ended !== undefined || options?.requestSignal?.aborted === true) return;
    this.hand({ jsonrpc: '2.0', id: request.id, ...dialect.answerInstead(request.method, this.#tools) });
  }

  async #call(message: Message, options: LinkSendOptions | undefined): Promise<void> {
    const params = isObject(message['params']) ? message['params'] : {};
    const body = this.bodyOf({ tool: params['name'] ?? '', args: params['arguments'] ?? {} });
    if (this.#waiting.length >= limits.dialect.waitingCalls) throw reasons.tooManyCalls(this.server);
    const call: Call = {
      exchange: this.begin(message, options),
      body,
      headers: postHeaders(message, { ...this.headerFacts(), added: options?.headers }),
      onSending: options?.onSending,
      handedOver: Promise.withResolvers(),
      answered: new AbortController(),
    };
    const { signal } = call.exchange.abort;
    this.#waiting.push(call);
    signal.addEventListener('abort', () => this.#giveUp(call), { once: true });
    if (signal.aborted) this.#giveUp(call);
    this.#next();
    await call.handedOver.promise;
  }

  #next(): void {
    const stream = this.#stream;
    if (stream === undefined || this.#running !== undefined || this.ended !== undefined) return;
    const call = this.#waiting.shift();
    if (call === undefined) return;
    this.#running = call;
    this.task(() => this.#post(call, stream));
  }

  async #post(call: Call, { sessionId }: DialectStream): Promise<void> {
    const { exchange, headers } = call;
    const body = `{"session_id":${stringifyJson(sessionId)},${call.body.text.slice(1)}`;
    const signal = AbortSignal.any([exchange.abort.signal, this.running.signal]);
    // A POST that goes on after the answer came on the stream is not waited for.
    let timer: Timer | undefined;
    const drop = (): void => {
      timer = this.context.clock.after(limits.unwantedBodyMs, () => exchange.abort.abort(), { keepAlive: false });
    };
    call.answered.signal.addEventListener('abort', drop, { once: true });
    try {
      call.onSending?.();
      const { response } = await this.reach(this.endpoint.url, { method: 'POST', headers, body, signal });
      this.countSent(call.body);
      await (response.ok ? this.#accept(response, call) : this.#refuse(response, call));
    } catch (error) {
      this.#fail(call, asTrestleError(error));
    } finally {
      call.answered.signal.removeEventListener('abort', drop);
      timer?.cancel();
    }
  }

  /** The answer comes on the stream; what stands in the body of the POST's is of no interest. */
  async #accept(response: Response, { handedOver }: Call): Promise<void> {
    if (isHtml(response)) throw reasons.htmlPage(this.server, response.status);
    handedOver.resolve();
    await readStart(response, this.context.clock);
  }

  async #refuse(response: Response, { exchange, handedOver, answered }: Call): Promise<void> {
    const refusal = await this.readRefusal(response, { id: exchange.id, namedSession: true });
    if ('reply' in refusal) this.inbox.deliver([refusal.reply]);
    // A tool that failed is told twice: by this status, and in its own words by an event.
    const over = AbortSignal.any([answered.signal, exchange.abort.signal]);
    if (response.status >= 500) await delay(this.context.clock, limits.dialect.errorEventMs, over);
    if ('error' in refusal && !exchange.settled) throw refusal.error;
    handedOver.resolve();
  }

  /** The POST of a call has failed, unless the answer is there already. */
  #fail(call: Call, error: TrestleError): void {
    if (call.exchange.settled) {
      call.handedOver.resolve();
      return;
    }
    call.handedOver.reject(error);
    if (this.#running !== call) return;
    this.#running = undefined;
    this.over(call.exchange);
    if (error.execution === 'unknown') this.#redial();
    else this.#next();
  }

  /** Nobody waits for the call any more. */
  #giveUp(call: Call): void {
    const place = this.#waiting.indexOf(call);
    if (place >= 0) {
      this.#waiting.splice(place, 1);
      call.handedOver.reject(asTrestleError(call.exchange.abort.signal.reason, { execution: 'not-sent' }));
    } else if (this.#running === call) {
      this.#running = undefined;
      if (this.ended === undefined) this.#redial();
    }
  }

  #redial(): void {
    this.#stream?.drop();
    this.#stream = undefined;
    this.#replaced = Promise.withResolvers();
    const late = new AbortController();
    const giveUp = (): void => late.abort(reasons.slowRedial(this.server));
    const timer = this.context.clock.after(limits.dialect.redialMs, giveUp, { keepAlive: false });
    this.task(async () => {
      try {
        this.#use(await this.#connect(late.signal));
      } catch (error) {
        this.finish(asTrestleError(error, { server: this.server }));
      } finally {
        timer.cancel();
      }
    });
  }

  #use(stream: DialectStream): void {
    this.#stream = stream;
    this.sessionId = String(stream.sessionId);
    this.#replaced.resolve();
    this.#next();
  }

  #connect(late?: AbortSignal): Promise<DialectStream> {
    const owner = {
      server: this.server,
      inbox: this.inbox,
      get: (signal: AbortSignal) => this.#get(signal),
      task: (work: () => Promise<void>) => this.task(work),
      onTools: (data: string) => this.#takeTools(data),
      onAnswer: (event: ServerEvent, sessionId: dialect.DialectSessionId | undefined) => this.#answer(event, sessionId),
      // While a call runs it most likely was its answer.
      onTooLarge: () => this.inbox.fault(this.#running?.exchange, reasons.replyTooLarge(this.server)),
      onEnd: (reason: TrestleError) => this.finish(reason),
    };
    return openDialectStream(owner, late === undefined ? [this.running.signal] : [this.running.signal, late]);
  }

  async #get(signal: AbortSignal): Promise<Reached> {
    const init = { method: 'GET', headers: streamHeaders(this.headerFacts()), signal } as const;
    const reached = await this.reach(this.endpoint.url, init);
    await this.checkStream(reached.response);
    return reached;
  }

  #takeTools(data: string): boolean {
    const before = this.#tools;
    if (dialect.readDialectTools(data) === undefined) {
      this.inbox.countNoise(data);
      return false;
    }
    this.#tools = data;
    if (before !== undefined && before !== data)
      this.hand({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    return true;
  }

  /** What answers no call belongs to nothing; the session counts it. */
  #answer({ type, data, isWhole }: ServerEvent, sessionId: dialect.DialectSessionId | undefined): void {
    if (!isWhole && dialect.mayBeCut(data)) return;
    const answer = type === 'result' ? dialect.readDialectResult(data) : dialect.readDialectError(data);
    const call = dialect.namesOtherSession(data, sessionId) ? undefined : this.#running;
    this.inbox.deliver([{ jsonrpc: '2.0', id: call?.exchange.id ?? nobody, ...answer }]);
  }

  protected override answered(exchange: Exchange): void {
    this.over(exchange);
    const call = this.#running;
    if (call?.exchange !== exchange) return;
    this.#running = undefined;
    call.answered.abort();
    this.#next();
  }
}
