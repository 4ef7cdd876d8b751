/** The daemon's end of one connection: handshake, requests, and the end of both with the client. */
import type { Socket } from 'node:net';
import {
  asTrestleError,
  type Clock,
  isObject,
  type JsonValue,
  limits,
  type Scope,
  toFailure,
  TrestleError,
} from '../base/index.ts';
import type { RuntimeEvent } from '../runtime/index.ts';
import type { Callers } from './callers.ts';
import type { Listener } from './connection.ts';
import { type EventsSent, openEventsSent } from './events-sent.ts';
import { FrameReader, frameText } from './frames.ts';
import { isProof, newNonce, proofOf } from './proof.ts';
import {
  type AboutDaemon,
  type DaemonFrame,
  type DaemonHello,
  protocolNumber,
  remoteMethods,
  type RequestFrame,
} from './protocol.ts';
import { readFrame, readHello, readProof } from './requests.ts';
import type { Runtimes, Served } from './runtimes.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What a connection needs of its daemon. */
export interface Host {
  readonly clock: Clock;
  readonly token: string;
  readonly version: string;
  readonly runtimes: Runtimes;
  readonly callers: Callers;
  readonly isDraining: () => boolean;
  /** Whether it has more connections than it serves. */
  readonly isFull: () => boolean;
  readonly about: () => AboutDaemon;
  /** The daemon shall finish what runs and end. */
  readonly drain: (why: string) => void;
  /** Something began or ended here. */
  readonly changed: () => void;
}

interface Running {
  readonly abort: AbortController;
  /** The configured server it is about. */
  readonly server: string | undefined;
}

export class ServedConnection {
  readonly #socket: Socket;
  readonly #host: Host;
  readonly #running = new Map<number, Running>();
  #detached = 0;
  #served: Served | undefined;
  #isProven = false;
  #isOpen = true;
  #isClosing = false;
  readonly #closed = Promise.withResolvers<void>();
  /** Takes the next frame: first the hello, then the proof, then requests. */
  #take: (frame: JsonValue) => void = (frame) => this.#greet(frame);
  /** Progress that waits for the client to read: only the latest of each listener is worth sending. */
  readonly #held = new Map<string, DaemonFrame>();
  /** Once the client listens. */
  #events: EventsSent | undefined;

  constructor(socket: Socket, host: Host) {
    this.#socket = socket;
    this.#host = host;
    const reader = new FrameReader(() => (this.#isProven ? limits.daemonFrameBytes : limits.daemonHelloBytes));
    const timer = host.clock.after(limits.daemonHelloMs, () => {
      if (!this.#isProven) socket.destroy();
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.read(chunk)) if (this.#isOpen) this.#take(frame);
      } catch {
        socket.destroy();
      }
    });
    socket.on('drain', () => this.#release());
    socket.on('error', () => {});
    socket.on('close', () => {
      timer.cancel();
      this.#end();
    });
  }

  /** Whether a client that has proven itself is here. */
  get isClient(): boolean {
    return this.#isOpen && this.#served !== undefined;
  }

  /** Requests under way; those whose client has left among them. */
  get requests(): number {
    return this.#running.size + this.#detached;
  }

  /** Whether somebody waits for an answer. */
  get isAwaited(): boolean {
    return this.#running.size > 0;
  }

  /** Whether nothing of it is left: the client is gone, and what nobody waited for has ended. */
  get isOver(): boolean {
    return !this.#isOpen && this.requests === 0;
  }

  /** Passes a line for people on to a client that waits for that server, or for any when it concerns none. */
  note(of: Served['runtime'], text: string, server: string | undefined): void {
    if (this.#served?.runtime !== of || this.#running.size === 0) return;
    const concerned = server === undefined || [...this.#running.values()].some((running) => running.server === server);
    if (concerned) this.#send({ note: text });
  }

  /** Tells of what happened to a runtime, where it is this client's and the client listens; one that does not gets notices as notes. */
  tell(of: Served['runtime'], event: RuntimeEvent): void {
    if (this.#served?.runtime !== of) return;
    if (this.#events !== undefined) this.#events.tell(event);
    else if (event.kind === 'notice') this.note(of, event.text, event.server);
  }

  /**
   * Ends it after the last answer. Whatever the client has written and was not answered is refused at once, since it cannot know
   * that nothing of it was done. Resolves when all that was written has arrived, or when the client has not taken it in time.
   */
  close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      this.#endWhenAnswered();
      // A client that does not read must not keep the daemon.
      this.#host.clock.after(limits.daemonHelloMs, () => this.#socket.destroy(), { keepAlive: false });
    }
    return this.#closed.promise;
  }

  #endWhenAnswered(): void {
    if (!this.#isClosing || !this.#isOpen || this.#running.size > 0) return;
    if (this.#host.isDraining()) this.#write({ refused: 'draining' } satisfies DaemonFrame);
    this.#socket.end();
  }

  #greet(frame: JsonValue): void {
    const { hello } = readHello(frame);
    const { token, version, isDraining, isFull } = this.#host;
    if (isDraining() || isFull()) {
      this.#write({ refused: isDraining() ? 'draining' : 'busy' } satisfies DaemonHello);
      this.#socket.end();
      return;
    }
    const nonces = { client: hello.nonce, daemon: newNonce() };
    const answer: DaemonHello = {
      hello: { protocol: protocolNumber, version, nonce: nonces.daemon, proof: proofOf('daemon', token, nonces) },
    };
    this.#write(answer);
    this.#take = (next) => this.#enter(next, proofOf('client', token, nonces));
  }

  #enter(frame: JsonValue, expected: string): void {
    const { proof, wants, home } = readProof(frame);
    if (!isProof(proof, expected)) {
      this.#socket.destroy();
      return;
    }
    this.#isProven = true;
    if (wants === 'drain' || home === undefined) {
      this.#host.drain('another version of Trestle takes over, or it was told to stop');
      void this.close();
      return;
    }
    this.#served = this.#host.runtimes.use(home);
    this.#take = (next) => this.#frame(next);
    if (this.#served?.isReconciled === false) this.#send({ unreconciled: true });
    this.#host.changed();
  }

  #frame(frame: JsonValue): void {
    const given = readFrame(frame);
    if ('ping' in given) this.#send({ pong: given.ping });
    else if ('cancel' in given) this.#cancel(given.cancel, given.reason);
    else if ('events' in given) this.#listen(given.events);
    else void this.#request(given);
  }

  #listen(events: { readonly scope: Scope } | null): void {
    this.#events =
      events === null
        ? undefined
        : openEventsSent(events.scope, {
            isFull: () => this.#socket.writableNeedDrain,
            send: (frame) => this.#send(frame),
          });
  }

  #cancel(id: number, message = 'The request was cancelled.'): void {
    this.#running.get(id)?.abort.abort(new TrestleError({ code: 'cancelled', message }));
  }

  async #request(frame: RequestFrame): Promise<void> {
    const { id, method, detached } = frame;
    if (method === 'about') {
      this.#send({ id, done: true, value: this.#host.about() });
      return;
    }
    if (this.#host.isDraining()) return this.#send({ id, refused: 'draining' });
    const isFull = this.#served === undefined || this.#running.size >= limits.daemonRequests;
    if (isFull) return this.#send({ id, refused: 'busy' });
    if (method === 'reload' && this.#served !== undefined) {
      // Several clients may have been told that it is to be done.
      if (detached === true && this.#served.isReconciled) return;
      this.#served.isReconciled = true;
    }
    const needs = this.#lacking(frame);
    if (needs.length > 0) return this.#send({ id, needs });
    const abort = new AbortController();
    if (detached === true) this.#detached += 1;
    else this.#running.set(id, { abort, server: serverOf(frame.params[0]) });
    this.#host.changed();
    const answer = await this.#done(frame, abort.signal);
    if (detached === true) this.#detached -= 1;
    else this.#answer(id, answer);
    this.#host.changed();
  }

  /** Variables that the definitions name and the client was not asked for yet: they are sent only where they are needed. */
  #lacking({ params, caller, supplied = [], detached }: RequestFrame): readonly string[] {
    // Whoever does not wait for an answer does not hear such a question either.
    if (caller === undefined || detached === true) return [];
    try {
      const named =
        this.#served?.runtime.variables(serverOf(params[0]), { caller: this.#host.callers.intern(caller) }) ?? [];
      return named.filter((name) => !Object.hasOwn(caller.env, name) && !supplied.includes(name));
    } catch {
      // What the configuration lacks is told by the request itself.
      return [];
    }
  }

  async #done(frame: RequestFrame, signal: AbortSignal): Promise<DaemonFrame> {
    const { id, method } = frame;
    const runtime = this.#served?.runtime;
    try {
      if (runtime === undefined || method === 'about')
        throw new TrestleError({ code: 'internal', message: 'No home.' });
      const params = remoteMethods[method].takes === 'request' ? [this.#restored(frame, signal)] : frame.params;
      const value = await (runtime[method] as (...given: readonly unknown[]) => Promise<unknown>)(...params);
      return { id, done: true, value };
    } catch (thrown) {
      const error = asTrestleError(thrown);
      return {
        id,
        error: { ...toFailure(error), ...(error.execution === undefined ? {} : { execution: error.execution }) },
      };
    }
  }

  /** The request as the runtime takes it: with its caller, a signal, and listeners that send. */
  #restored({ id, params, caller, listeners = [] }: RequestFrame, signal: AbortSignal): object {
    const request = params[0];
    const tellers: Record<string, Listener> = {};
    for (const listener of listeners) tellers[listener] = (...values) => this.#progress({ id, listener, with: values });
    return {
      ...(isObject(request) ? request : {}),
      ...(caller === undefined ? {} : { caller: this.#host.callers.intern(caller) }),
      ...tellers,
      signal,
    };
  }

  #answer(id: number, frame: DaemonFrame): void {
    this.#running.delete(id);
    for (const key of this.#held.keys()) if (key.startsWith(`${id} `)) this.#held.delete(key);
    try {
      this.#send(frame);
    } catch (thrown) {
      // It cannot be written as JSON. It was done all the same.
      this.#send({ id, error: { ...toFailure(asTrestleError(thrown)), execution: 'unknown' } });
    }
    this.#endWhenAnswered();
  }

  #progress(frame: Extract<DaemonFrame, { readonly listener: string }>): void {
    if (!this.#running.has(frame.id)) return;
    if (this.#socket.writableNeedDrain) this.#held.set(`${frame.id} ${frame.listener}`, frame);
    else this.#send(frame);
  }

  #release(): void {
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const frame of held) this.#send(frame);
    this.#events?.release();
  }

  #send(frame: DaemonFrame): void {
    this.#write(this.#served === undefined ? frame : withoutSecrets(frame, this.#served.runtime));
  }

  #write(frame: object | string): void {
    if (!this.#isOpen) return;
    const text = typeof frame === 'string' ? frame : frameText(frame);
    if (this.#socket.writableLength + text.length > limits.daemonUnsentBytes) this.#socket.destroy();
    else this.#socket.write(text);
  }

  #end(): void {
    this.#isOpen = false;
    for (const id of this.#running.keys()) this.#cancel(id, 'The client left.');
    if (this.#served !== undefined) this.#served.users -= 1;
    this.#closed.resolve();
    this.#host.changed();
  }
}

function serverOf(request: unknown): string | undefined {
  const server = isObject(request) ? request['server'] : undefined;
  return typeof server === 'string' ? server : undefined;
}
