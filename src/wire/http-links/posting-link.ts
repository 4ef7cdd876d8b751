/**
 * What the two links share that carry JSON-RPC as it is: one POST for each message, and its refusals. They differ in where a POST
 * goes and in what its success means.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { asTrestleError, isObject, limits } from '../../base/index.ts';
import type { LinkSendOptions } from '../link.ts';
import type { Message } from '../message.ts';
import type { Exchange } from './exchange.ts';
import { HttpLink } from './http-link.ts';
import * as reasons from './http-reasons.ts';
import { postHeaders } from './message-headers.ts';

export abstract class PostingLink extends HttpLink {
  /** The server no longer knows the session: there is nothing left to say goodbye to. */
  protected sessionIsLost = false;

  /** Where messages are posted, once the link is open. */
  protected abstract postUrl(): string;
  /** A 2xx came for `exchange`; whatever takes time goes on in a task. */
  protected abstract accept(response: Response, exchange: Exchange): void;

  /** Whether a request with these headers names a session that the server has known. */
  protected namesSession(headers: Readonly<Record<string, string>>): boolean {
    return headers['mcp-session-id'] !== undefined;
  }

  override async send(message: JSONRPCMessage, options?: LinkSendOptions): Promise<void> {
    const content = message as unknown as Message;
    const body = this.bodyOf(content);
    const exchange = this.begin(content, options);
    const forgetCancelled = this.#dropCancelled(content);
    try {
      const headers = postHeaders(content, { ...this.headerFacts(), added: options?.headers });
      options?.onSending?.();
      const { response } = await this.reach(this.postUrl(), {
        method: 'POST',
        headers,
        body: body.text,
        signal: exchange.abort.signal,
      });
      this.countSent(body);
      if (response.ok) this.accept(response, exchange);
      else await this.#refuse(response, exchange, headers);
    } catch (error) {
      this.exchanges.close(exchange);
      throw asTrestleError(error);
    } finally {
      forgetCancelled();
    }
  }

  /** When `message` cancels a request: drops that request's POST once the notice has arrived. Returns what to do then. */
  #dropCancelled(message: Message): () => void {
    const params = message['params'];
    const isCancel = message['method'] === 'notifications/cancelled' && isObject(params);
    const exchange = isCancel ? this.exchanges.find(params['requestId']) : undefined;
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
    const refusal = await this.readRefusal(response, { id: exchange.id, namedSession: this.namesSession(headers) });
    if ('error' in refusal) {
      if (refusal.error.code === 'session_lost') this.sessionIsLost = true;
      throw refusal.error;
    }
    this.inbox.deliver([refusal.reply]);
    this.over(exchange);
  }
}
