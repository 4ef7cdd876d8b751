/** The last part of a stream of text, in fixed memory. */

export interface StderrTail {
  push(chunk: Uint8Array): void;
  /** What is kept, beginning at a whole character, after `…` where something went before it. */
  text(): string;
}

export function createStderrTail(keptBytes: number): StderrTail {
  // Twice as large as what is kept, so that bytes are moved once in `keptBytes`, not at every push.
  const buffer = Buffer.alloc(2 * keptBytes);
  let usedBytes = 0;
  let wasCut = false;
  return {
    push(chunk) {
      const piece = chunk.subarray(Math.max(0, chunk.length - keptBytes));
      wasCut ||= usedBytes + chunk.length > keptBytes;
      if (usedBytes + piece.length > buffer.length) {
        buffer.copyWithin(0, usedBytes - keptBytes, usedBytes);
        usedBytes = keptBytes;
      }
      if (usedBytes + piece.length > buffer.length) throw new RangeError('piece larger than the tail');
      buffer.set(piece, usedBytes);
      usedBytes += piece.length;
    },
    text() {
      let start = Math.max(0, usedBytes - keptBytes);
      const isContinuation = (): boolean => wasCut && start < usedBytes && ((buffer[start] ?? 0) & 0xc0) === 0x80;
      // A character has at most three bytes after its first.
      for (let step = 0; step < 3 && isContinuation(); step += 1) start += 1;
      return `${wasCut ? '…' : ''}${buffer.toString('utf8', start, usedBytes)}`;
    },
  };
}
