import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { mayBeTerminal, writeNowSync } from './descriptors.ts';

const windows = process.platform === 'win32';

/** Both ends of a pipe that never blocks. */
function nonBlockingPipe(): { readonly reader: number; readonly writer: number } {
  const path = join(tempFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) };
}

it.skipIf(windows)('L2: a full pipe takes a part, says so without a failure, and goes on from there', () => {
  const { reader, writer } = nonBlockingPipe();
  const bytes = new Uint8Array(1_000_000).fill(7);
  const first = writeNowSync(writer, bytes);
  expect(first.failure).toBeUndefined();
  expect(first.taken).toBeGreaterThan(0);
  expect(first.taken).toBeLessThan(bytes.length);
  expect(readSync(reader, new Uint8Array(first.taken))).toBeGreaterThan(0);
  expect(writeNowSync(writer, bytes.subarray(first.taken)).taken).toBeGreaterThan(0);
  closeSync(reader);
  closeSync(writer);
});

it.skipIf(windows)('L2: a pipe whose reader left is a failure, not an exception', () => {
  const { reader, writer } = nonBlockingPipe();
  closeSync(reader);
  expect(writeNowSync(writer, new Uint8Array([1]))).toMatchObject({ taken: 0, failure: { code: 'EPIPE' } });
  closeSync(writer);
});

it.skipIf(windows)('L4: neither a pipe nor the null device is taken for a terminal', () => {
  const { reader, writer } = nonBlockingPipe();
  const nothing = openSync('/dev/null', 'r');
  expect([reader, nothing, 1_000_000].map(mayBeTerminal)).toEqual([false, false, false]);
  for (const descriptor of [reader, writer, nothing]) closeSync(descriptor);
});
