/** The daemon's end of one connection: handshake, requests, and the end of both with the client. */
import type { Socket } from 'node:net';
import {
  asTrestleError,
  type Clock,
  type JsonValue,
  limits,
  type Scope,
  toFailure,
  TrestleError,
} from '../base/index.ts';
import type { RuntimeEvent } from '../runtime/index.ts';
import type { Callers } from './callers.ts';
import { type EventsSent, type EventWay, openEventsSent } from './events-sent.ts';
import { FrameReader, frameText } from './frames.ts';
import { openProgressSent } from './progress-sent.ts';
import { isProof, newNonce, proofOf } from './proof.ts';
import { type AboutDaemon, type DaemonFrame, type DaemonHello, protocolNumber, type RequestFrame } from './protocol.ts';
import { readFrame, readHello, readProof } from './requests.ts';
import type { Runtimes, Served } from './runtimes.ts';
import { lackingVariables, serverOf, serveRequest } from './serve-request.ts';
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
  /** What is told beside answers goes out by this. */
  readonly #way: EventWay = { isFull: () => this.#socket.writableNeedDrain, send: (frame) => this.#send(frame) };
  readonly #progress = openProgressSent(this.#way);
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
    this.#events = events === null ? undefined : openEventsSent(events.scope, this.#way);
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
    const served = this.#served;
    const isFull = this.#running.size >= limits.daemonRequests;
    if (served === undefined || isFull) return this.#send({ id, refused: 'busy' });
    if (method === 'reload') {
      // Several clients may have been told that it is to be done.
      if (detached === true && served.isReconciled) return;
      served.isReconciled = true;
    }
    const serving = { runtime: served.runtime, callers: this.#host.callers };
    const needs = lackingVariables(frame, serving);
    if (needs.length > 0) return this.#send({ id, needs });
    const abort = new AbortController();
    if (detached === true) this.#detached += 1;
    else this.#running.set(id, { abort, server: serverOf(frame.params[0]) });
    this.#host.changed();
    const answer = await serveRequest({ ...frame, method }, serving, {
      signal: abort.signal,
      onProgress: (told) => {
        if (this.#running.has(id)) this.#progress.tell(told);
      },
    });
    if (detached === true) this.#detached -= 1;
    else this.#answer(id, answer);
    this.#host.changed();
  }

  #answer(id: number, frame: DaemonFrame): void {
    this.#running.delete(id);
    this.#progress.forget(id);
    try {
      this.#send(frame);
    } catch (thrown) {
      // It cannot be written as JSON. It was done all the same.
      this.#send({ id, error: { ...toFailure(asTrestleError(thrown)), execution: 'unknown' } });
    }
    this.#endWhenAnswered();
  }

  #release(): void {
    this.#progress.release();
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
