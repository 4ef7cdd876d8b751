/** What comes in over an HTTP link: texts become messages, delivered in order; requests are settled or faulted; all is counted. */
import { Buffer } from 'node:buffer';
import { limits, type JsonValue, type TrestleError } from '../../base/index.ts';
import { readChunks } from '../http/http-body.ts';
import type { JsonRpcId, LinkStats, WireContext } from '../link.ts';
import { readLine } from '../message-line.ts';
import type { Message } from '../message.ts';
import { createNoiseCount, type NoiseCount } from '../noise.ts';
import { findReplyId } from '../reply-id.ts';
import { createEventReader, type DroppedEvent, type ServerEvent } from './event-reader.ts';
import type { Exchange, Exchanges } from './exchange.ts';
import * as reasons from './http-reasons.ts';

/** To whom things are handed on. */
export interface InboxOwner {
  readonly server: string;
  readonly context: WireContext;
  readonly exchanges: Exchanges;
  /** Nothing is delivered any more once this is true. */
  isOver(): boolean;
  onMessage(message: Message): void;
  /** Told the first piece that was no message. */
  onNoise(sample: string): void;
  /** A request is over without an answer. */
  onFault(exchange: Exchange, error: TrestleError): void;
  /** Just before an answer to `exchange` is delivered. */
  onAnswer(exchange: Exchange, reply: Message): void;
}

/** How one event stream is read. */
export interface StreamReading {
  readonly onEvent: (event: ServerEvent) => void;
  readonly onId?: (lastId: string) => void;
  readonly onRetry?: (pauseMs: number) => void;
  /** An event over the limit was dropped. */
  readonly onTooLarge?: () => void;
}

export type StatsIn = Omit<LinkStats, 'messagesOut' | 'bytesOut'>;

export class Inbox {
  readonly #owner: InboxOwner;
  readonly #counters = { messagesIn: 0, bytesIn: 0 };
  readonly #noise: NoiseCount;
  #lastInMs: number | undefined;

  constructor(owner: InboxOwner) {
    this.#owner = owner;
    this.#noise = createNoiseCount((sample) => owner.onNoise(sample));
  }

  stats(): StatsIn {
    return { ...this.#counters, ...this.#noise.stats(), lastInMs: this.#lastInMs };
  }

  countBytes(count: number): void {
    this.#counters.bytesIn += count;
  }

  /**
   * Reads an event stream to its end; resolves with whether an event over the limit was among it. Rejects when the stream breaks,
   * or when the server sends an event without end.
   */
  async readEvents(response: Response, reading: StreamReading): Promise<{ readonly sawTooLarge: boolean }> {
    let flood = false;
    let sawTooLarge = false;
    const reader = createEventReader({
      eventBytes: limits.messageBytes,
      unbrokenBytes: limits.unbrokenBytes,
      keptBytes: limits.droppedLineHeadBytes,
      onDropped: (event) => {
        sawTooLarge = true;
        this.#drop(event);
        reading.onTooLarge?.();
      },
      onFlood: () => {
        flood = true;
      },
      ...reading,
    });
    await readChunks(response, (chunk) => {
      this.countBytes(chunk.length);
      reader.push(chunk);
      return !flood && !this.#owner.isOver();
    });
    if (flood) throw reasons.flooded(this.#owner.server);
    reader.end();
    return { sawTooLarge };
  }

  /** Delivers the messages in the data of an event, or in a JSON body; `own` is the request it came for. False when none. */
  deliverText(text: string, own?: Exchange): boolean {
    const line = readLine(text);
    if (line.kind === 'messages') this.deliver(line.messages, own);
    else if (line.kind !== 'blank') this.#noise.count(text);
    if (line.kind === 'broken')
      this.fault(this.#owner.exchanges.find(line.id), reasons.noJson(this.#owner.server, text));
    return line.kind === 'messages';
  }

  /** Delivers messages in order; `own` is the request on whose stream they came. */
  deliver(messages: readonly Message[], own?: Exchange): void {
    for (const sent of messages) {
      if (this.#owner.isOver()) return;
      this.#lastInMs = this.#owner.context.clock.monotonicMs();
      this.#counters.messagesIn += 1;
      const message = own === undefined ? sent : withOwnId(sent, own);
      this.#settle(message, own);
      this.#owner.onMessage(message);
    }
  }

  /** Ends one request, unless it was answered or given up. */
  fault(exchange: Exchange | undefined, error: TrestleError): void {
    if (exchange === undefined || exchange.settled || exchange.abort.signal.aborted) return;
    exchange.settled = true;
    this.#owner.onFault(exchange, error);
  }

  #settle(message: Message, own: Exchange | undefined): void {
    if (Object.hasOwn(message, 'method')) return;
    const id = message['id'];
    // An id of the wrong type ends that call (the session does so); nothing more will come for it on its own stream.
    const exchange =
      this.#owner.exchanges.find(id) ?? (own !== undefined && differsInTypeOnly(id, own.id) ? own : undefined);
    if (exchange === undefined) return;
    this.#owner.onAnswer(exchange, message);
    exchange.settled = true;
  }

  /** An event over the limit fails the request it answers; else it is noise. */
  #drop({ head, tail }: DroppedEvent): void {
    const exchange = this.#owner.exchanges.find(findReplyId(head, tail));
    if (exchange === undefined) this.#noise.count(Buffer.from(head).toString());
    this.fault(exchange, reasons.replyTooLarge(this.#owner.server));
  }

  /** What was sent is nothing that belongs here. */
  countNoise(text: string): void {
    this.#noise.count(text);
  }
}

/** An error without an id, on a request's own stream, can only be that request's. */
function withOwnId(message: Message, own: Exchange): Message {
  const isAnonymous = (message['id'] ?? null) === null && Object.hasOwn(message, 'error');
  return isAnonymous && own.id !== undefined && !Object.hasOwn(message, 'method')
    ? { ...message, id: own.id }
    : message;
}

function differsInTypeOnly(id: JsonValue | undefined, own: JsonRpcId | undefined): boolean {
  return (typeof id === 'string' || typeof id === 'number') && String(id) === String(own);
}
