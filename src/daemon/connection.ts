/** The client's end of one connection to a daemon that has proven itself. */
import type { Socket } from 'node:net';
import {
  asTrestleError,
  type Clock,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  type Scope,
  type Timer,
  TrestleError,
} from '../base/index.ts';
import type { RuntimeEvent } from '../runtime/index.ts';
import type { Asked } from './asked.ts';
import { frameText } from './frames.ts';
import { Pings } from './pings.ts';
import type { ClientFrame, RequestFrame } from './protocol.ts';
import { cancelledUnheard, daemonLeft, daemonLost, errorOf, type Loss, Refused } from './unanswered.ts';

/** Who listens to the daemon. */
export interface EventsWish {
  /** Whose calls are told of. */
  readonly scope: Scope;
  readonly onEvent: (event: RuntimeEvent) => void;
  /** There were events that nobody told: whatever rests on them is to be looked at. */
  readonly onGap: () => void;
}

interface Waiting {
  readonly asked: Asked;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onAbort: () => void;
  /** Runs once it was cancelled. */
  cancelled: Timer | undefined;
}

export interface ConnectionOptions {
  readonly clock: Clock;
  /** Gets lines for the person. */
  readonly onNote: (text: string) => void;
}

export class DaemonConnection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #pings: Pings;
  #ids = 0;
  #open = true;
  #retired = false;
  #isUnreconciled = false;
  #events: EventsWish | undefined;
  #onEnd: () => void = () => {};

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#pings = new Pings({
      clock: options.clock,
      idleMs: () => Math.min(...[...this.#waiting.values()].map(({ asked }) => asked.idleMs ?? Infinity)),
      send: (ping) => this.#send({ ping }),
      onSilent: () => this.lost('silent'),
    });
  }

  /** Whether it is still to be asked for that the registry is brought to the configuration. */
  get isUnreconciled(): boolean {
    return this.#isUnreconciled;
  }

  /** Whether it takes further requests. */
  get isUsable(): boolean {
    return this.#open && !this.#retired;
  }

  /** Listens to what the daemon tells, or no longer; `onEnd` is called once it tells no more because the connection is over. */
  listen(wish: EventsWish | undefined, onEnd: () => void): void {
    if (!this.#open) return;
    this.#events = wish;
    this.#onEnd = onEnd;
    this.#send({ events: wish === undefined ? null : { scope: wish.scope } });
  }

  /** The daemon takes no more requests; it is left when it has answered those it has. */
  retire(): void {
    this.#retired = true;
    if (this.#waiting.size === 0) this.close();
  }

  /**
   * Sends a request, once. Rejects with what the daemon's runtime rejected with, with {@link Refused} when nothing of it was
   * done, and with a TrestleError: `message_too_large` when it could not be sent, `daemon_lost` when the connection ended after it
   * was written.
   */
  request(asked: Asked): Promise<unknown> {
    if (!this.isUsable) return Promise.reject(new Refused('gone'));
    if (asked.frame.method === 'reload') this.#isUnreconciled = false;
    this.#ids += 1;
    const id = this.#ids;
    const refusal = this.#sendRequest({ id, ...asked.frame });
    if (refusal !== undefined) return Promise.reject(refusal);
    if (asked.frame.detached === true) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => this.#cancel(id);
      this.#waiting.set(id, { asked, resolve, reject, onAbort, cancelled: undefined });
      this.#pings.start();
      if (asked.signal?.aborted === true) onAbort();
      else asked.signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Takes a frame of the daemon. Throws for one that makes no sense. */
  take(frame: JsonValue): void {
    this.#pings.heard();
    if (!isObject(frame)) throw new TrestleError({ code: 'broken_reply', message: 'The daemon sent no frame.' });
    const { id, note } = frame;
    if (typeof note === 'string') this.#options.onNote(note);
    if (frame['unreconciled'] === true) this.#isUnreconciled = true;
    if (isEvent(frame['event'])) this.#events?.onEvent(frame['event']);
    if (frame['gap'] === true) this.#events?.onGap();
    if (typeof id === 'number') this.#answer(id, frame);
    else if (frame['refused'] === 'draining') this.#refuseAll();
  }

  /** The connection is over. Whatever was sent may have been done. */
  lost(how: Loss = 'ended'): void {
    if (!this.#open) return;
    this.#open = false;
    this.#socket.destroy();
    for (const id of this.#waiting.keys()) this.#settle(id)?.reject(daemonLost(how));
    this.#end();
  }

  /** Leaves; what is still under way is cancelled by the daemon. */
  close(): void {
    this.#open = false;
    this.#pings.stop();
    // What was written last still goes out; without such a rest nobody has to wait for the other side's goodbye.
    if (this.#socket.writableLength > 0) this.#socket.end();
    else this.#socket.destroy();
    for (const id of this.#waiting.keys()) this.#settle(id)?.reject(daemonLeft());
    this.#end();
  }

  #end(): void {
    const tell = this.#onEnd;
    this.#onEnd = () => {};
    tell();
  }

  #answer(id: number, frame: JsonObject): void {
    const { listener, refused, needs } = frame;
    if (typeof listener === 'string') {
      const values = Array.isArray(frame['with']) ? (frame['with'] as readonly unknown[]) : [];
      this.#waiting.get(id)?.asked.listeners?.[listener]?.(...values);
      return;
    }
    if (Array.isArray(needs)) {
      this.#supply(id, needs.map(String));
      return;
    }
    const waiting = this.#settle(id);
    if (waiting === undefined) return;
    if (refused === 'draining' || refused === 'busy') waiting.reject(new Refused(refused));
    else if (isObject(frame['error'])) waiting.reject(errorOf(frame['error']));
    else waiting.resolve(frame['value']);
  }

  /** The daemon's last words. */
  #refuseAll(): void {
    this.#retired = true;
    for (const id of this.#waiting.keys()) this.#settle(id)?.reject(new Refused('draining'));
  }

  /** Sends a request once more, of which nothing was done, with what it lacked. */
  #supply(id: number, names: readonly string[]): void {
    const asked = this.#waiting.get(id)?.asked;
    const { caller } = asked?.frame ?? {};
    if (asked === undefined || caller === undefined) return;
    if (asked.signal?.aborted === true) {
      this.#settle(id)?.reject(asTrestleError(asked.signal.reason, { execution: 'not-sent' }));
      return;
    }
    const env = { ...caller.env, ...asked.values?.(names) };
    const refusal = this.#sendRequest({ id, ...asked.frame, caller: { ...caller, env }, supplied: names });
    if (refusal !== undefined) this.#settle(id)?.reject(refusal);
  }

  #cancel(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || !this.#open) return;
    const reason = asTrestleError(waiting.asked.signal?.reason);
    this.#send({ cancel: id, ...(reason.code === 'cancelled' ? { reason: reason.message } : {}) });
    // Its own outcome says what the server may have done; a daemon that does not give it is not waited for.
    waiting.cancelled = this.#options.clock.after(limits.daemonCancelMs, () =>
      this.#settle(id)?.reject(cancelledUnheard()),
    );
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.cancelled?.cancel();
    waiting?.asked.signal?.removeEventListener('abort', waiting.onAbort);
    if (this.#waiting.size > 0) return waiting;
    this.#pings.stop();
    if (this.#retired) this.close();
    return waiting;
  }

  /** What stands against sending it; then nothing of it was sent. */
  #sendRequest(frame: RequestFrame): TrestleError | undefined {
    try {
      this.#send(frame);
      return undefined;
    } catch (thrown) {
      return asTrestleError(thrown, { execution: 'not-sent' });
    }
  }

  #send(frame: ClientFrame): void {
    this.#socket.write(frameText(frame));
  }
}

/** What a daemon of this protocol sends is one. */
function isEvent(value: unknown): value is RuntimeEvent {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
