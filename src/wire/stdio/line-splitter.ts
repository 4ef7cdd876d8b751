/**
 * Bytes of a stream, line by line, in linear time and bounded memory. Only byte 0x0A ends a line, so that characters split
 * over reads, CR and line separators inside strings survive. A line over the limit is dropped while it is read.
 */
import { extendEnds, freeBuffer, type KeptEnds, noEnds, smallBufferBytes } from '../kept-ends.ts';
import type { DroppedMessage, MessageReader } from './framing.ts';

export interface LineSplitterOptions {
  /** Longest line that is delivered, without its end. */
  readonly lineBytes: number;
  /** Bytes without a line end after which nothing more is read. */
  readonly unbrokenBytes: number;
  /** How much of both ends of a dropped line is kept. */
  readonly keptBytes: number;
  /** One line as text; bytes that are no UTF-8 became U+FFFD. */
  readonly onLine: (text: string) => void;
  readonly onDropped: (line: DroppedMessage) => void;
  /** `unbrokenBytes` came without a line end; called once, the last call of all. */
  readonly onFlood: () => void;
}

const lineEnd = 0x0a;
const carriageReturn = 0x0d;
/** Every growth copies what was read and touches new memory; what is never touched of a buffer costs nothing. */
const growth = 4;

export function createLineSplitter(options: LineSplitterOptions): MessageReader {
  const { lineBytes, unbrokenBytes, keptBytes } = options;
  /** Holds a message of exactly the limit together with its CR. */
  const capacityBytes = lineBytes + 1;
  let buffer = Buffer.alloc(0);
  let usedBytes = 0;
  /** Size of the line being read, kept or not. */
  let sizeBytes = 0;
  let dropped: KeptEnds | undefined;
  let stopped = false;

  const append = (piece: Buffer): void => {
    sizeBytes += piece.length;
    if (dropped === undefined && sizeBytes <= capacityBytes) {
      if (sizeBytes > buffer.length) grow();
      usedBytes += piece.copy(buffer, usedBytes);
      return;
    }
    if (dropped === undefined) {
      dropped = extendEnds(extendEnds(noEnds, buffer.subarray(0, usedBytes), keptBytes), piece, keptBytes);
      release();
    } else {
      dropped = extendEnds(dropped, piece, keptBytes);
    }
    if (sizeBytes >= unbrokenBytes) {
      stop();
      options.onFlood();
    }
  };

  const grow = (): void => {
    const bytes = Math.min(capacityBytes, Math.max(smallBufferBytes, buffer.length * growth, sizeBytes));
    const larger = Buffer.allocUnsafeSlow(bytes);
    buffer.copy(larger, 0, 0, usedBytes);
    freeBuffer(buffer);
    buffer = larger;
  };

  const release = (): void => {
    usedBytes = 0;
    // A small one is kept for the next line.
    if (buffer.length <= smallBufferBytes) return;
    freeBuffer(buffer);
    buffer = Buffer.alloc(0);
  };

  const finish = (): void => {
    const size = sizeBytes;
    const lost = dropped ?? overLimit();
    sizeBytes = 0;
    dropped = undefined;
    if (lost === undefined) {
      const text = buffer.toString('utf8', 0, usedBytes);
      // Freed before the text is parsed: a large message then stands in memory twice, not three times.
      release();
      options.onLine(text);
    } else {
      release();
      options.onDropped({ sizeBytes: size, ...lost });
    }
  };

  /** The one byte over the limit that was kept may only be a CR. */
  const overLimit = (): KeptEnds | undefined => {
    if (usedBytes <= lineBytes || buffer[usedBytes - 1] === carriageReturn) return undefined;
    return extendEnds(noEnds, buffer.subarray(0, usedBytes), keptBytes);
  };

  const stop = (): void => {
    stopped = true;
    dropped = undefined;
    usedBytes = 0;
    sizeBytes = 0;
    buffer = Buffer.alloc(0);
  };

  return {
    push(bytes) {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let start = 0; start < chunk.length;) {
        if (stopped) return;
        const found = chunk.indexOf(lineEnd, start);
        const end = found === -1 ? chunk.length : found;
        if (found !== -1 && sizeBytes === 0 && end - start <= lineBytes) {
          // A whole line in one read, as nearly all are: nothing is copied.
          options.onLine(chunk.toString('utf8', start, end));
        } else {
          append(chunk.subarray(start, end));
          if (stopped) return;
          if (found !== -1) finish();
        }
        start = end + 1;
      }
    },
    end() {
      if (!stopped && sizeBytes > 0) finish();
      stop();
    },
    stop,
  };
}
