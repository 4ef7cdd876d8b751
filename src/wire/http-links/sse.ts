import { TrestleError } from '../../base/index.ts';
import type { HttpEndpoint } from '../endpoint.ts';
import { readStart } from '../http/http-body.ts';
import type { Reached } from '../http/same-origin.ts';
import type { Link, WireContext } from '../link.ts';
import type { ServerEvent } from './event-reader.ts';
import type { Exchange } from './exchange.ts';
import * as reasons from './http-reasons.ts';
import { streamHeaders, type HeaderFacts } from './message-headers.ts';
import { PostingLink } from './posting-link.ts';

/** A link over HTTP+SSE (2024-11-05); `start` waits for the `endpoint` event until `close`. */
export function openSse(endpoint: HttpEndpoint, server: string, context: WireContext): Link {
  return new SseLink(endpoint, server, context);
}

/**
 * Lives from `start`, which opens the one stream everything comes on, to the end of that stream or `close`. There is no
 * reconnecting: the server's session ends with its stream.
 */
class SseLink extends PostingLink {
  readonly kind = 'sse';
  /** Named by the server; until then the stream's own. */
  #postUrl = this.endpoint.url;
  /** Whether a message was taken at that address. */
  #postWorks = false;

  protected override async open(): Promise<void> {
    const headers = streamHeaders(this.headerFacts());
    const reached = await this.reach(this.endpoint.url, { method: 'GET', headers, signal: this.running.signal });
    await this.checkStream(reached.response);
    const address = Promise.withResolvers<string>();
    this.task(async () => address.reject(await this.#read(reached, address.resolve)));
    this.#postUrl = await address.promise;
  }

  protected override postUrl(): string {
    return this.#postUrl;
  }

  protected override headerFacts(): HeaderFacts {
    return { configured: this.endpoint.headers, protocolVersion: this.protocolVersion };
  }

  /** The answer to a request comes on the stream; what stands in the body of the POST's is of no interest. */
  protected override accept(response: Response, exchange: Exchange): void {
    this.#postWorks = true;
    this.task(async () => {
      await readStart(response, this.context.clock);
      if (exchange.id === undefined || exchange.settled) this.over(exchange);
    });
  }

  protected override answered(exchange: Exchange): void {
    this.over(exchange);
  }

  /** The address is the session: where a message was taken once, a 404 says that it is gone. */
  protected override namesSession(): boolean {
    return this.#postWorks;
  }

  protected override async farewell(): Promise<void> {}

  /** Reads the stream to its end, which is the link's, and resolves with the reason of that. */
  async #read({ response, url }: Reached, onAddress: (address: string) => void): Promise<TrestleError> {
    let reason = reasons.streamOver(this.server);
    let address: string | undefined;
    /** Whether a JSON-RPC message came: what else comes then is of no account. */
    let hasSpoken = false;
    try {
      await this.inbox.readEvents(response, {
        onEvent: (event) => {
          if (event.type === 'message') hasSpoken = this.inbox.deliverText(event.data) || hasSpoken;
          if (event.type === 'tools' && !hasSpoken && this.endpoint.transport === 'auto')
            this.finish(reasons.eventDialect(this.server));
          if (event.type !== 'endpoint' || address !== undefined) return;
          address = this.#resolveAddress(event, url);
          onAddress(address);
        },
      });
    } catch (error) {
      reason = error instanceof TrestleError ? error : reasons.streamOver(this.server, error);
    }
    this.finish(reason);
    return this.ended ?? reason;
  }

  /** As a browser resolves a link on the page it came from; it may not lead to another origin. */
  #resolveAddress({ data }: ServerEvent, base: string): string {
    const target = URL.parse(data, base);
    if (target === null || target.username !== '' || target.password !== '')
      throw reasons.badEndpoint(this.server, data);
    if (target.origin !== new URL(base).origin) throw reasons.foreignEndpoint(this.server, target);
    return target.href;
  }
}
