/** The event stream that answers one request: read to its end and, where a legacy server gave event ids, beyond a cut (H4). */
import { limits, TrestleError, type Timer } from '../../base/index.ts';
import { mediaType, readStart } from '../http/http-body.ts';
import type { WireContext } from '../link.ts';
import { readLine } from '../message-line.ts';
import type { Exchange } from './exchange.ts';
import * as reasons from './http-reasons.ts';
import type { Inbox } from './inbox.ts';
import { eventIdOf, resumeStream, startPlace, type Place, type ResumeTry } from './resume.ts';
import { clampRetry, mayComeLater } from './standby-stream.ts';

export interface RequestStreamOptions {
  readonly server: string;
  readonly context: WireContext;
  readonly inbox: Inbox;
  readonly exchange: Exchange;
  /** A GET for what follows an event; rejects with a TrestleError. */
  readonly getRest: (lastEventId: string) => Promise<Response>;
}

/** Reads the stream; a request that was not answered by its end is faulted. Never rejects. */
export async function readRequestStream(response: Response, options: RequestStreamOptions): Promise<void> {
  const stream = new RequestStream(options);
  await stream.read(response);
}

/** Why a part of the stream is over, should the answer not have come. */
interface PartEnd {
  readonly reason: TrestleError;
  /** Whether the rest may still come. */
  readonly isCut: boolean;
}

class RequestStream {
  readonly #options: RequestStreamOptions;
  readonly #place: Place = startPlace();

  constructor(options: RequestStreamOptions) {
    this.#options = options;
  }

  async read(response: Response): Promise<void> {
    const { context, exchange, inbox } = this.#options;
    const { signal } = exchange.abort;
    const end = await this.#readPart(response);
    let { reason } = end;
    if (end.isCut && this.#goesOn()) {
      const attempt = (eventId: string): Promise<ResumeTry> => this.#resume(eventId);
      reason = await resumeStream({ clock: context.clock, signal, place: this.#place, cut: reason, attempt });
    }
    if (!signal.aborted) exchange.onStreamEnd?.();
    inbox.fault(exchange, reason);
  }

  /** In the modern era a stream that was cut is over. */
  #goesOn(): boolean {
    const { exchange } = this.#options;
    return !exchange.settled && exchange.nature.modernVersion === undefined && eventIdOf(this.#place) !== undefined;
  }

  async #readPart(response: Response): Promise<PartEnd> {
    const { context, exchange, inbox, server } = this.#options;
    const place = this.#place;
    let linger: Timer | undefined;
    try {
      const { sawTooLarge } = await inbox.readEvents(response, {
        onEvent: ({ type, data, lastId, isWhole }) => {
          // The half of an answer comes again as a whole where the stream goes on; elsewhere it is the fault of the server.
          if (!isWhole && this.#goesOn() && readLine(data).kind !== 'messages') return;
          if (type === 'message' && inbox.deliverText(data, exchange)) place.lastId = lastId ?? place.lastId;
          // Nearly every server ends the stream after the answer, and its connection can be used again; others are cut off.
          if (exchange.settled) {
            linger ??= context.clock.after(limits.streamLingerMs, () => exchange.abort.abort(), { keepAlive: false });
          }
        },
        onId: (lastId) => {
          place.lastId = lastId;
        },
        onRetry: (pauseMs) => {
          place.pauseMs = clampRetry(pauseMs);
        },
      });
      // Whatever a too large event was, on this stream it most likely was the answer.
      const reason = sawTooLarge ? reasons.replyTooLarge(server) : reasons.cutOff(server);
      return { reason, isCut: !sawTooLarge };
    } catch (error) {
      const isOurs = error instanceof TrestleError;
      return { reason: isOurs ? error : reasons.cutOff(server, error), isCut: !isOurs };
    } finally {
      linger?.cancel();
    }
  }

  async #resume(eventId: string): Promise<ResumeTry> {
    const { context, exchange, getRest, server } = this.#options;
    // The answer may have come on another stream in the meantime.
    if (exchange.settled) return 'none';
    try {
      const response = await getRest(eventId);
      if (!response.ok || mediaType(response) !== 'text/event-stream') {
        await readStart(response, context.clock);
        context.log.debug(`does not go on with a stream that was cut: HTTP ${response.status}`, server);
        return mayComeLater(response.status) ? 'not-now' : 'none';
      }
      const end = await this.#readPart(response);
      return end.isCut && !exchange.settled ? 'cut' : end.reason;
    } catch (error) {
      const reason = error instanceof TrestleError ? error : reasons.cutOff(server, error);
      context.log.debug(`does not go on with a stream that was cut: ${reason.message}`, server);
      // A connection may be better next time; a refused redirect will not.
      return reason.code === 'connection_failed' || reason.code === 'connection_closed' ? 'not-now' : 'none';
    }
  }
}
