/** Open file descriptors (the standard streams), without the stream classes that Node.js would load for them. */

const fs = process.getBuiltinModule('node:fs');

/** Whether a descriptor may be a terminal: a character device, and not the null device. Pipes and files never are. */
export function mayBeTerminal(descriptor: number): boolean {
  try {
    const stamp = fs.fstatSync(descriptor);
    return stamp.isCharacterDevice() && stamp.rdev !== fs.statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
  } catch {
    return false;
  }
}

/** What became of {@link writeNowSync}. */
export interface WrittenNow {
  /** Bytes that were taken. */
  readonly taken: number;
  /** Set when no more can be: the reader left, or the device failed. */
  readonly failure: unknown;
}

/** Writes as much of `bytes` as the descriptor takes at once. Fewer without a failure: it is full for now. Never throws. */
export function writeNowSync(descriptor: number, bytes: Uint8Array): WrittenNow {
  let taken = 0;
  try {
    while (taken < bytes.length) taken += fs.writeSync(descriptor, bytes, taken);
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
    return { taken, failure: isFull ? undefined : error };
  }
  return { taken, failure: undefined };
}
