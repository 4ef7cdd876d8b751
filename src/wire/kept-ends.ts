/** Both ends of what is dropped while it is read, in fixed memory. */
import { Buffer } from 'node:buffer';

export interface KeptEnds {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

export const noEnds: KeptEnds = { head: new Uint8Array(), tail: new Uint8Array() };

/** The ends, of `count` bytes each, of what had the ends `read` and goes on with `next`. */
export function extendEnds(read: KeptEnds, next: Uint8Array, count: number): KeptEnds {
  const missing = count - read.head.length;
  const head = missing > 0 ? Buffer.concat([read.head, next.subarray(0, missing)]) : read.head;
  return { head, tail: lastBytes(read.tail, next, count) };
}

/** The last `count` bytes of `read` followed by `next`. */
export function lastBytes(read: Uint8Array, next: Uint8Array, count: number): Uint8Array {
  const nextTail = next.subarray(Math.max(0, next.length - count));
  const readCount = count - nextTail.length;
  return Buffer.concat([read.subarray(Math.max(0, read.length - readCount)), nextTail]);
}

/** Gives memory back now: the garbage collector does not know how large a buffer is and would let several pile up. */
export function freeBuffer(buffer: Buffer): void {
  if (buffer.length > smallBufferBytes) (buffer.buffer as ArrayBuffer).transfer(0);
}

/** What one read of a pipe brings. Smaller buffers are no burden, and may be part of memory that others use. */
export const smallBufferBytes = 64 * 1024;
