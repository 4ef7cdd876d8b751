import { limits, TrestleError } from '../../base/index.ts';
import type { HttpEndpoint } from '../endpoint.ts';
import { isHtml, mediaType, readStart, readText } from '../http/http-body.ts';
import type { Link, WireContext } from '../link.ts';
import type { Message } from '../message.ts';
import type { Exchange } from './exchange.ts';
import * as reasons from './http-reasons.ts';
import { deleteHeaders, streamHeaders, type HeaderFacts } from './message-headers.ts';
import { PostingLink } from './posting-link.ts';
import { readRequestStream } from './request-stream.ts';
import { keepStandbyStream, mayComeLater, type StandbyTry } from './standby-stream.ts';

/**
 * A link over Streamable HTTP, both eras. A message whose `params._meta` names a protocol version is modern: its headers come from
 * it (`MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name`), and no session id goes with it. Anything else is legacy.
 */
export function openStreamable(endpoint: HttpEndpoint, server: string, context: WireContext): Link {
  return new StreamableLink(endpoint, server, context);
}

/**
 * Lives from `start`, which sends nothing, to `close`. The connection is many requests; the link itself ends by `close` alone. A
 * lost session is told to every request that meets it, and the session's owner closes the link.
 */
class StreamableLink extends PostingLink {
  readonly kind = 'streamable';
  readonly hasPerRequestStream = true;
  sessionId: string | undefined;
  /** Session ids offered with the answers to initialize requests that have not been read yet. */
  readonly #offeredIds = new WeakMap<Exchange, string | undefined>();

  protected override async open(): Promise<void> {}

  protected override postUrl(): string {
    return this.endpoint.url;
  }

  protected override headerFacts(): HeaderFacts {
    const { sessionId, protocolVersion } = this;
    return { configured: this.endpoint.headers, sessionId, protocolVersion };
  }

  protected override accept(response: Response, exchange: Exchange): void {
    const { method, modernVersion } = exchange.nature;
    if (exchange.id === undefined) {
      this.task(async () => {
        await readStart(response, this.context.clock);
        this.over(exchange);
      });
      if (method === 'notifications/initialized' && modernVersion === undefined) this.task(() => this.#standBy());
      return;
    }
    if (method === 'initialize') this.#offeredIds.set(exchange, response.headers.get('mcp-session-id') ?? undefined);
    const isStream = mediaType(response) === 'text/event-stream';
    this.task(async () => {
      try {
        await (isStream ? this.#readStream(response, exchange) : this.#readBody(response, exchange));
      } catch (error) {
        this.inbox.fault(exchange, error instanceof TrestleError ? error : reasons.cutOff(this.server, error));
      } finally {
        this.over(exchange);
      }
    });
  }

  /** A session begins with a result; the id beside an error names nothing. */
  protected override answered(exchange: Exchange, reply: Message): void {
    if (this.#offeredIds.has(exchange) && Object.hasOwn(reply, 'result') && !Object.hasOwn(reply, 'error')) {
      this.sessionId = this.#offeredIds.get(exchange);
    }
  }

  async #readBody(response: Response, exchange: Exchange): Promise<void> {
    const { server } = this;
    const { status } = response;
    if (isHtml(response)) {
      this.inbox.fault(exchange, reasons.htmlPage(server, status));
      return;
    }
    const limitBytes = limits.messageBytes;
    const text = await readText(response, { limitBytes, onBytes: (count) => this.inbox.countBytes(count) });
    if (text === undefined) this.inbox.fault(exchange, reasons.replyTooLarge(server));
    else if (text.trim() === '') this.inbox.fault(exchange, reasons.emptyAnswer(server, status));
    else if (isHtml(response, text)) this.inbox.fault(exchange, reasons.htmlPage(server, status));
    else if (!this.inbox.deliverText(text, exchange)) this.inbox.fault(exchange, reasons.noJson(server, text));
    else this.inbox.fault(exchange, reasons.otherAnswer(server));
  }

  async #readStream(response: Response, exchange: Exchange): Promise<void> {
    const { context, inbox, server } = this;
    const { signal } = exchange.abort;
    const getRest = async (lastEventId: string): Promise<Response> => {
      // A cut may come before the answer to initialize, which makes its session the link's.
      const facts = { ...this.headerFacts(), sessionId: this.#offeredIds.get(exchange) ?? this.sessionId };
      const init = { method: 'GET', headers: streamHeaders(facts, lastEventId), signal } as const;
      return (await this.reach(this.endpoint.url, init)).response;
    };
    await readRequestStream(response, { server, context, inbox, exchange, getRest });
  }

  async #standBy(): Promise<void> {
    const { signal } = this.running;
    await keepStandbyStream({ clock: this.context.clock, signal, attempt: (onRetry) => this.#tryStandby(onRetry) });
  }

  async #tryStandby(onRetry: (pauseMs: number) => void): Promise<StandbyTry> {
    try {
      const init = { method: 'GET', headers: streamHeaders(this.headerFacts()), signal: this.running.signal } as const;
      const { response } = await this.reach(this.endpoint.url, init);
      if (!response.ok || mediaType(response) !== 'text/event-stream') {
        await readStart(response, this.context.clock);
        return mayComeLater(response.status) ? 'not-now' : 'none';
      }
      await this.inbox.readEvents(response, {
        onEvent: ({ type, data }) => {
          if (type === 'message') this.inbox.deliverText(data);
        },
        onRetry,
      });
      return 'ended';
    } catch (error) {
      const reason = error instanceof TrestleError ? error : reasons.streamOver(this.server, error);
      if (this.ended === undefined) this.context.log.debug(`its own stream is over: ${reason.message}`, this.server);
      // A connection may be better next time; a refused redirect or a flood will not.
      return reason.code === 'connection_failed' || reason.code === 'connection_closed' ? 'ended' : 'none';
    }
  }

  protected override async farewell(): Promise<void> {
    if (this.sessionId === undefined || this.sessionIsLost) return;
    const abort = new AbortController();
    const timer = this.context.clock.after(limits.sessionDeleteMs, () => abort.abort(reasons.closed(this.server)));
    try {
      const headers = deleteHeaders(this.headerFacts());
      const { response } = await this.reach(this.endpoint.url, { method: 'DELETE', headers, signal: abort.signal });
      await readStart(response, this.context.clock);
    } catch {
      // A server that does not let go of its session will find it idle.
    } finally {
      timer.cancel();
    }
  }
}
