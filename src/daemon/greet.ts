/** The client's side of the handshake: connects, sees that it is the daemon of the record, and says what it wants. */
import type { Socket } from 'node:net';
import { type Clock, isObject, type JsonValue, limits } from '../base/index.ts';
import { frameText, FrameReader } from './frames.ts';
import { isProof, newNonce, proofOf } from './proof.ts';
import { type ClientHello, type ClientProof, type Hello, protocolNumber, type Refusal } from './protocol.ts';
import type { DaemonRecord } from './record.ts';

/** What became of an attempt to connect. */
export type Greeting =
  | { readonly kind: 'met'; readonly daemon: MetDaemon }
  /** Nobody listens there. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Somebody listens who does not know the token, or says what no daemon says. */
  | { readonly kind: 'stranger' }
  /** It takes connections and does not answer. */
  | { readonly kind: 'silent' };

/** A daemon that has proven itself and waits for the client's proof. */
export interface MetDaemon {
  readonly protocol: number;
  readonly version: string;
  readonly socket: Socket;
  /** Proves this client and says what it wants; frames of the daemon go to `onFrame` from now on. */
  enter(wish: Omit<ClientProof, 'proof'>, listener: SocketListener): void;
  /** Leaves without a word. */
  leave(): void;
}

export interface SocketListener {
  /** A throw ends the connection. */
  readonly onFrame: (frame: JsonValue) => void;
  /** Nothing comes any more, whatever the reason. */
  readonly onEnd: () => void;
}

export interface GreetOptions {
  readonly clock: Clock;
  readonly version: string;
  /** Whose look it is. */
  readonly looking?: Looking | undefined;
}

/** Somebody who looks for a daemon, and may go before it has answered. */
export interface Looking {
  /** Ends the look that is under way: nothing of it is left that could keep a process. */
  giveUp?: (() => void) | undefined;
}

export function greet(record: DaemonRecord, { clock, version, looking }: GreetOptions): Promise<Greeting> {
  const nonce = newNonce();
  const hello: ClientHello = { hello: { protocol: protocolNumber, version, nonce } };
  return new Promise((resolve) => {
    const socket = process.getBuiltinModule('node:net').connect(record.address);
    let listener: SocketListener | undefined;
    let entered = false;
    let ended = false;
    const reader = new FrameReader(() => (entered ? limits.daemonFrameBytes : limits.daemonHelloBytes));
    const end = (greeting: Greeting): void => {
      over();
      ended = true;
      socket.destroy();
      listener?.onEnd();
      resolve(greeting);
    };
    const silent = (): void => end({ kind: 'silent' });
    const timer = clock.after(limits.daemonHelloMs, silent);
    if (looking !== undefined) looking.giveUp = silent;
    const over = (): void => {
      timer.cancel();
      if (looking !== undefined) looking.giveUp = undefined;
    };
    const met = (theirs: Hello): void => {
      over();
      resolve({
        kind: 'met',
        daemon: {
          protocol: theirs.protocol,
          version: theirs.version,
          socket,
          enter(wish, heard) {
            entered = true;
            listener = heard;
            if (ended) return heard.onEnd();
            const proof = proofOf('client', record.token, { client: nonce, daemon: theirs.nonce });
            socket.write(frameText({ proof, ...wish } satisfies ClientProof));
          },
          leave: () => socket.destroy(),
        },
      });
    };
    const take = (frame: JsonValue): void => {
      if (listener !== undefined) {
        listener.onFrame(frame);
        return;
      }
      const answer = answerOf(frame, (theirs) => proofOf('daemon', record.token, { client: nonce, daemon: theirs }));
      if (answer.kind === 'hello') met(answer.hello);
      else end(answer);
    };
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.read(chunk)) take(frame);
      } catch {
        end({ kind: 'stranger' });
      }
    });
    socket.on('error', () => end({ kind: 'gone' }));
    socket.on('close', () => end({ kind: 'gone' }));
    socket.write(frameText(hello));
  });
}

type Answer =
  | { readonly kind: 'hello'; readonly hello: Hello }
  | Extract<Greeting, { readonly kind: 'refused' | 'stranger' }>;

function answerOf(frame: JsonValue, expected: (theirNonce: string) => string): Answer {
  if (!isObject(frame)) return { kind: 'stranger' };
  const { refused, hello } = frame;
  if (refused === 'draining' || refused === 'busy') return { kind: 'refused', refusal: refused };
  if (!isObject(hello)) return { kind: 'stranger' };
  const { protocol, version, nonce, proof } = hello;
  if (typeof protocol !== 'number' || typeof version !== 'string' || typeof nonce !== 'string') {
    return { kind: 'stranger' };
  }
  return isProof(proof, expected(nonce))
    ? { kind: 'hello', hello: { protocol, version, nonce } }
    : { kind: 'stranger' };
}
