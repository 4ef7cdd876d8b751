/** One message on its way: the POST that carries it and, for a request, the wait for its answer. */
import type { JsonRpcId } from '../link.ts';
import type { MessageNature } from './message-headers.ts';

export interface Exchange {
  /** Id of a request; undefined for notifications and replies. */
  readonly id: JsonRpcId | undefined;
  readonly nature: MessageNature;
  /** Ends the POST and the reading of its answer. */
  readonly abort: AbortController;
  /** An answer was delivered, on whatever stream it came, or the request was faulted. */
  settled: boolean;
  /** Told when the request's own event stream is over without having been aborted. */
  readonly onStreamEnd: (() => void) | undefined;
  /** Frees what waits for this exchange; harmless when repeated. */
  readonly release: () => void;
}

/** The exchanges of a link that are not over, found by the id of their request: "1" and 1 are two ids. */
export interface Exchanges {
  open(exchange: Omit<Exchange, 'settled'>): Exchange;
  find(id: unknown): Exchange | undefined;
  close(exchange: Exchange): void;
  abortAll(reason: Error): void;
}

export function createExchanges(): Exchanges {
  const all = new Set<Exchange>();
  const byId = new Map<unknown, Exchange>();
  return {
    open(facts) {
      const exchange: Exchange = { ...facts, settled: false };
      all.add(exchange);
      if (exchange.id !== undefined) byId.set(exchange.id, exchange);
      return exchange;
    },
    find: (id) => byId.get(id),
    close(exchange) {
      all.delete(exchange);
      if (byId.get(exchange.id) === exchange) byId.delete(exchange.id);
      exchange.release();
    },
    abortAll(reason) {
      for (const exchange of all) exchange.abort.abort(reason);
    },
  };
}
