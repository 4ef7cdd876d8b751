/**
 * Messages waiting to be written to a pipe, one write at a time, so that it is known of every message whether any of it was
 * handed over. What was pushed in one turn of the event loop, and what has gathered while a write is under way, goes out in one
 * write: answers that come together are mostly followed by calls that go together.
 */
import type { Writable } from 'node:stream';
import { asTrestleError, type Execution, formatBytes, limits, TrestleError } from '../../base/index.ts';
import type { LinkSendOptions } from '../link.ts';
import type { Envelope } from './framing.ts';

export interface WriteQueueOptions {
  readonly stream: Writable;
  readonly server: string;
  /** Bytes that may wait, with what each message takes beside its text, before further ones are refused. */
  readonly queueBytes: number;
  /** The pipe refused a write: nothing more can be sent. The owner answers with {@link WriteQueue.fail}. */
  readonly onBroken: (error: Error) => void;
  /** What goes before and after a message of so many bytes; asked when it is handed over. */
  readonly envelope: (bytes: number) => Envelope;
  /** One message of so many bytes was handed to the system. */
  readonly onWritten: (bytes: number) => void;
}

export interface WriteQueue {
  /**
   * Resolves when the text was written. Rejects with `execution` `not-sent` or `unknown`. An abort of `requestSignal` takes a message
   * out of the queue while none of it was handed over; later it has no effect. `onSending` is told when it is handed over.
   */
  push(text: string, options?: Pick<LinkSendOptions, 'onSending' | 'requestSignal'>): Promise<void>;
  /** Hands over at once what waits for the end of this turn, unless a write is under way. */
  flush(): void;
  /** Rejects everything that waits, and every later push, with `reason`. */
  fail(reason: TrestleError): void;
}

interface Waiting {
  readonly text: string;
  readonly bytes: number;
  readonly onSending: (() => void) | undefined;
  readonly signal: AbortSignal | undefined;
  readonly resolve: () => void;
  readonly reject: (error: TrestleError) => void;
  isListening: boolean;
}

/** Messages joined to one write: enough to save system calls, little enough to keep `unknown` rare. */
const joinedBytes = 64 * 1024;

const heldBytes = ({ bytes }: Pick<Waiting, 'bytes'>): number => bytes + limits.queuedMessageBytes;

export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const { stream, server, queueBytes } = options;
  let waiting: Waiting[] = [];
  let handedOver: readonly Waiting[] = [];
  /** With the envelopes. */
  let handedOverBytes = 0;
  /** What waits, in memory: a short message is a small part of what is kept of it. */
  let waitingBytes = 0;
  let failure: TrestleError | undefined;
  let broken: NodeJS.ErrnoException | undefined;

  /** Whether a write is to follow within this turn. */
  let isDue = false;

  const writeSoon = (): void => {
    if (isDue) return;
    isDue = true;
    process.nextTick(() => {
      isDue = false;
      next();
    });
  };

  const next = (): void => {
    if (handedOver.length > 0 || broken !== undefined || failure !== undefined) return;
    dropAborted();
    if (waiting.length === 0) return;
    handedOver = takeSome();
    handedOverBytes = 0;
    for (const item of handedOver) {
      forget(item);
      item.onSending?.();
    }
    for (const item of waiting) listen(item);
    stream.write(handedOver.map(enveloped).join(''), 'utf8', onWritten);
  };

  /** Most messages are handed over before an abort could matter: only what has to wait is listened for. */
  const listen = (item: Waiting): void => {
    if (item.isListening) return;
    item.isListening = true;
    item.signal?.addEventListener('abort', dropAborted, { once: true });
  };

  const forget = (item: Waiting): void => {
    if (item.isListening) item.signal?.removeEventListener('abort', dropAborted);
  };

  const dropAborted = (): void => {
    if (!waiting.some(isAborted)) return;
    const aborted = waiting.filter(isAborted);
    waiting = waiting.filter((item) => !isAborted(item));
    for (const item of aborted) {
      waitingBytes -= heldBytes(item);
      item.reject(cancellation(item.signal, server));
    }
  };

  const enveloped = (item: Waiting): string => {
    const { before, after } = options.envelope(item.bytes);
    handedOverBytes += before.length + item.bytes + after.length;
    return `${before}${item.text}${after}`;
  };

  const takeSome = (): readonly Waiting[] => {
    let count = 0;
    let bytes = 0;
    do bytes += waiting[count++]?.bytes ?? 0;
    while (count < waiting.length && bytes + (waiting[count]?.bytes ?? 0) <= joinedBytes);
    const some = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return some;
  };

  const onWritten = (error: Error | null | undefined): void => {
    if (failure !== undefined) return;
    if (error) {
      broken = error;
      options.onBroken(error);
      return;
    }
    const written = handedOver;
    handedOver = [];
    for (const item of written) {
      waitingBytes -= heldBytes(item);
      options.onWritten(item.bytes);
      item.resolve();
    }
    next();
  };

  /** A pipe without a reader takes nothing; of a write that was longer some may have been taken before. */
  const fateOfHandedOver = (): Execution => {
    const noReader = broken?.code === 'EPIPE';
    return noReader && handedOverBytes <= limits.wholeWriteBytes ? 'not-sent' : 'unknown';
  };

  const refusal = (bytes: number, signal: AbortSignal | undefined): TrestleError | undefined => {
    if (failure !== undefined) return failure.with({ execution: 'not-sent' });
    if (signal?.aborted === true) return cancellation(signal, server);
    // A single large message is let through an empty queue whatever its size; messages have their own limit.
    return waitingBytes > 0 && waitingBytes + bytes > queueBytes ? full(server, waitingBytes) : undefined;
  };

  return {
    push(text, { requestSignal: signal, onSending } = {}) {
      const bytes = Buffer.byteLength(text);
      const refused = refusal(bytes, signal);
      if (refused !== undefined) return Promise.reject(refused);
      waitingBytes += heldBytes({ bytes });
      return new Promise((resolve, reject) => {
        const item: Waiting = { text, bytes, onSending, signal, resolve, reject, isListening: false };
        waiting.push(item);
        if (handedOver.length > 0) listen(item);
        else writeSoon();
      });
    },
    flush: next,
    fail(reason) {
      if (failure !== undefined) return;
      failure = reason;
      const execution = fateOfHandedOver();
      for (const item of handedOver) item.reject(reason.with({ execution }));
      for (const item of waiting) {
        forget(item);
        item.reject(reason.with({ execution: 'not-sent' }));
      }
      handedOver = [];
      waiting = [];
    },
  };
}

function isAborted({ signal }: Waiting): boolean {
  return signal?.aborted === true;
}

function cancellation(signal: AbortSignal | undefined, server: string): TrestleError {
  const reason: unknown = signal?.reason;
  return reason instanceof TrestleError
    ? reason.with({ execution: 'not-sent' })
    : asTrestleError(reason, {
        code: 'cancelled',
        message: `A message to server "${server}" was cancelled before it was sent.`,
        server,
        execution: 'not-sent',
      });
}

function full(server: string, waitingBytes: number): TrestleError {
  return new TrestleError({
    code: 'connection_failed',
    message: `Server "${server}" does not read its input: ${formatBytes(waitingBytes)} wait to be written.`,
    hint: 'Wait for running calls to end, or reload the server.',
    server,
    execution: 'not-sent',
  });
}
