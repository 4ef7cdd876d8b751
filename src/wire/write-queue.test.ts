import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { limits, TrestleError } from '../base/index.ts';
import { createWriteQueue } from './write-queue.ts';

/** A queue on a pipe whose every write fails with `code`; the owner ends it with a reason of its own. */
function brokenQueue(code: string): { push(text: string): Promise<void> } {
  const stream = new Writable({
    write(_chunk, _encoding, callback) {
      callback(Object.assign(new Error(code), { code }));
    },
  });
  stream.on('error', () => {});
  const queue = createWriteQueue({
    stream,
    server: 'server',
    queueBytes: limits.writeQueueBytes,
    onBroken: () => queue.fail(new TrestleError({ code: 'connection_closed', message: 'The input is closed.' })),
    envelope: () => ({ before: '', after: '' }),
    onWritten: () => {},
  });
  return queue;
}

describe('what is known of a message whose write failed', () => {
  it.each([
    { what: 'a short one, into a pipe without a reader', code: 'EPIPE', bytes: 4_096, execution: 'not-sent' },
    { what: 'one that may have been taken in part', code: 'EPIPE', bytes: 4_097, execution: 'unknown' },
    { what: 'one that failed for another reason', code: 'EIO', bytes: 1, execution: 'unknown' },
  ])('T8: $what is $execution', async ({ code, bytes, execution }) => {
    const written = brokenQueue(code).push('x'.repeat(bytes));
    await expect(written).rejects.toMatchObject({ code: 'connection_closed', execution });
  });
});

it('T8: short messages count with what is kept of them, and make room again when they go', async () => {
  const written: (() => void)[] = [];
  const stream = new Writable({ write: (_chunk, _encoding, callback) => void written.push(callback) });
  const queueBytes = 100 * limits.queuedMessageBytes;
  const queue = createWriteQueue({
    stream,
    server: 'server',
    queueBytes,
    onBroken: () => {},
    envelope: () => ({ before: '', after: '' }),
    onWritten: () => {},
  });
  const pushed = Array.from({ length: 200 }, () => queue.push('x'));
  const fates = Promise.allSettled(pushed);
  while (written.length > 0) {
    written.shift()?.();
    await new Promise(setImmediate);
  }
  expect((await fates).filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  const late = queue.push('x');
  written.shift()?.();
  await late;
});
