/**
 * Hears of changed lists from a modern server: one `subscriptions/listen` request is kept open (2026-07-28,
 * basic/patterns/subscriptions), opened again with growing pauses when it ends, and given up where the server will not have it. It may
 * fail in any way without disturbing anything else.
 */
import { asTrestleError, idleDelay, isObject, jittered, type JsonObject, limits } from '../../base/index.ts';
import type { WireContext } from '../../wire/index.ts';
import { type ClientFace, modernMeta } from '../dial/revisions.ts';
import type { Gate } from '../gate.ts';
import type { ChangedList } from '../session.ts';
import { judgeListenEnd, type ListenEnd } from './listen-decider.ts';

const lists: readonly ChangedList[] = ['tools', 'resources', 'prompts'];
const subscriptionMember = 'io.modelcontextprotocol/subscriptionId';

export interface ListeningOptions {
  readonly server: string;
  /** Of the server. */
  readonly capabilities: JsonObject;
  readonly face: ClientFace;
  readonly gate: Gate;
  readonly wire: Pick<WireContext, 'clock' | 'log'>;
  /** An id that no request of the connection had before. */
  readonly nextId: () => string;
  /** Whether the session is at its end. */
  readonly isOver: () => boolean;
  /** Told of lists that may have changed while nothing was heard; changes themselves come as notifications. */
  readonly tell: (list: ChangedList) => void;
}

/** The stream that is open now. */
interface Stream {
  readonly id: string;
  acknowledged: boolean;
}

/** Lives from `start` to `stop`. */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #wanted: readonly ChangedList[];
  readonly #over = new AbortController();
  #stream: Stream | undefined;
  #opened = 0;

  constructor(options: ListeningOptions) {
    this.#options = options;
    this.#wanted = lists.filter((list) => {
      const capability = options.capabilities[list];
      return isObject(capability) && capability['listChanged'] === true;
    });
  }

  /** Opens the first stream, unless the server tells of no changes. */
  start(): void {
    if (this.#wanted.length === 0 || this.#over.signal.aborted) return;
    this.#options.gate.onacknowledged = (params) => this.#noticed(params);
    void this.#keep();
  }

  /** Ends the stream and everything that waits for another one; idempotent. */
  stop(): void {
    this.#over.abort();
  }

  async #keep(): Promise<void> {
    const { wire, server, isOver } = this.#options;
    const { unacknowledged, firstPauseMs, longestPauseMs, jitter, settledMs } = limits.listen;
    const { signal } = this.#over;
    let short = 0;
    let silent = 0;
    while (!signal.aborted) {
      const startedMs = wire.clock.monotonicMs();
      const end = await this.#listen();
      if (signal.aborted || isOver()) return;
      const verdict = judgeListenEnd(end);
      silent = verdict === 'unacknowledged' ? silent + 1 : 0;
      if (verdict === 'refused' || silent >= unacknowledged) {
        const why = end.failure?.message ?? 'It does not acknowledge subscriptions/listen.';
        wire.log.info(`does not tell when its lists change, though it declares so: ${why}`, server);
        return;
      }
      const held = end.acknowledged && wire.clock.monotonicMs() - startedMs >= settledMs;
      short = held ? 0 : short + 1;
      const pauseMs = Math.min(firstPauseMs * 2 ** Math.max(0, short - 1), longestPauseMs);
      // Waiting for it is no reason for a process to live on.
      await idleDelay(wire.clock, jittered(pauseMs, jitter), signal);
    }
  }

  /** One stream from its request to its end. */
  async #listen(): Promise<ListenEnd> {
    const { gate, wire, face, nextId } = this.#options;
    this.#opened += 1;
    const ended = new AbortController();
    const stream: Stream = { id: nextId(), acknowledged: false };
    this.#stream = stream;
    const silence = wire.clock.after(
      limits.listen.acknowledgeMs,
      () => {
        if (!stream.acknowledged) ended.abort();
      },
      { keepAlive: false },
    );
    const notifications = Object.fromEntries(this.#wanted.map((list) => [`${list}ListChanged`, true]));
    const signal = AbortSignal.any([this.#over.signal, ended.signal]);
    const request = {
      id: stream.id,
      method: 'subscriptions/listen',
      params: { notifications, _meta: modernMeta(face) },
    };
    let failure: ListenEnd['failure'];
    try {
      await gate.hold({ ...request, signal });
    } catch (error) {
      if (!ended.signal.aborted) failure = asTrestleError(error);
    } finally {
      silence.cancel();
      // Over HTTP the stream may be open still, whatever ended the request.
      ended.abort();
      this.#stream = undefined;
    }
    return { acknowledged: stream.acknowledged, failure };
  }

  #noticed(params: JsonObject): void {
    const meta = params['_meta'];
    const id = isObject(meta) ? meta[subscriptionMember] : undefined;
    const stream = this.#stream;
    if (stream !== undefined && (id === undefined || id === stream.id))
      this.#acknowledged(stream, params['notifications']);
  }

  #acknowledged(stream: Stream, honoured: unknown): void {
    if (stream.acknowledged) return;
    const { wire, server, tell } = this.#options;
    const heard = this.#wanted.filter((list) => isObject(honoured) && honoured[`${list}ListChanged`] === true);
    const unheard = this.#wanted.filter((list) => !heard.includes(list));
    if (unheard.length > 0) {
      wire.log.info(`does not tell when these lists change, though it declares so: ${unheard.join(', ')}`, server);
    }
    stream.acknowledged = true;
    if (heard.length === 0) this.stop();
    // What changed while no stream was open was told to nobody.
    if (this.#opened > 1) for (const list of heard) tell(list);
  }
}
