/**
 * Bytes that come in pieces of any size, kept until they are whole. A stream of one-byte pieces costs no more memory than one
 * large piece, and appending is linear over all.
 */
import { Buffer } from 'node:buffer';

export interface ByteCollector {
  readonly sizeBytes: number;
  append(piece: Uint8Array): void;
  /** All of it as text (bytes that are no UTF-8 become U+FFFD); empty afterwards. */
  takeText(): string;
  /** Copies of the first and the last `count` bytes; empty afterwards. */
  takeEnds(count: number): { readonly head: Uint8Array; readonly tail: Uint8Array };
}

const firstCapacityBytes = 4 * 1024;

export function createByteCollector(): ByteCollector {
  let buffer = Buffer.alloc(0);
  let usedBytes = 0;
  const clear = (): void => {
    buffer = Buffer.alloc(0);
    usedBytes = 0;
  };
  return {
    get sizeBytes() {
      return usedBytes;
    },
    append(piece) {
      const neededBytes = usedBytes + piece.length;
      if (neededBytes > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(firstCapacityBytes, buffer.length * 2, neededBytes));
        buffer.copy(larger, 0, 0, usedBytes);
        buffer = larger;
      }
      buffer.set(piece, usedBytes);
      usedBytes = neededBytes;
    },
    takeText() {
      const text = buffer.toString('utf8', 0, usedBytes);
      clear();
      return text;
    },
    takeEnds(count) {
      const head = Buffer.from(buffer.subarray(0, Math.min(count, usedBytes)));
      const tail = Buffer.from(buffer.subarray(Math.max(0, usedBytes - count), usedBytes));
      clear();
      return { head, tail };
    },
  };
}

/** `bytes` as text, without copying them first. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
