import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { limits, TrestleError } from '../../base/index.ts';
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

/** A queue on a pipe that takes a write when `taken` is called, and the writes that came to it. */
function slowQueue({ queueBytes = limits.writeQueueBytes } = {}) {
  const writes: string[] = [];
  const pending: (() => void)[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, callback) {
      writes.push(chunk);
      pending.push(callback);
    },
  });
  const queue = createWriteQueue({
    stream,
    server: 'server',
    queueBytes,
    onBroken: () => {},
    envelope: () => ({ before: '', after: ';' }),
    onWritten: () => {},
  });
  const taken = async (): Promise<void> => {
    pending.shift()?.();
    await new Promise(setImmediate);
  };
  return { queue, writes, taken };
}

describe('what is pushed in one turn of the event loop', () => {
  it('T8: goes out in one write, in its order, and later turns in their own', async () => {
    const { queue, writes, taken } = slowQueue();
    const pushed = [queue.push('a'), Promise.resolve().then(() => queue.push('b')), queue.push('c')];
    await new Promise(setImmediate);
    expect(writes).toEqual(['a;c;b;']);
    await taken();
    await Promise.all(pushed);
    const later = queue.push('d');
    await new Promise(setImmediate);
    await taken();
    await later;
    expect(writes).toEqual(['a;c;b;', 'd;']);
  });

  it('T8: is not sent when it is cancelled in the same turn, and says so', async () => {
    const { queue, writes } = slowQueue();
    const abort = new AbortController();
    const told: string[] = [];
    const cancelled = queue.push('cancelled', { requestSignal: abort.signal, onSending: () => told.push('cancelled') });
    void queue.push('other', { onSending: () => told.push('other') });
    abort.abort(new TrestleError({ code: 'cancelled', message: 'No longer wanted.' }));
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled', execution: 'not-sent' });
    expect([writes, told]).toEqual([['other;'], ['other']]);
  });

  it('T8: is taken out at once when it is cancelled behind a write that does not end', async () => {
    const { queue, writes } = slowQueue();
    void queue.push('first');
    await new Promise(setImmediate);
    const abort = new AbortController();
    const cancelled = queue.push('cancelled', { requestSignal: abort.signal });
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled', execution: 'not-sent' });
    expect(writes).toEqual(['first;']);
  });

  it('T8: behind more than one write holds, it is taken out at once too', async () => {
    const { queue, writes } = slowQueue();
    const abort = new AbortController();
    void queue.push('x'.repeat(64 * 1024));
    const cancelled = queue.push('cancelled', { requestSignal: abort.signal });
    await new Promise(setImmediate);
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled', execution: 'not-sent' });
    expect(writes).toHaveLength(1);
  });

  it('T8: is handed over by a flush before the queue ends', async () => {
    const { queue, writes } = slowQueue();
    const [said, ended] = [queue.push('said'), new TrestleError({ code: 'connection_closed', message: 'Closed.' })];
    queue.flush();
    const unsaid = queue.push('unsaid');
    queue.fail(ended);
    await expect(said).rejects.toMatchObject({ execution: 'unknown' });
    await expect(unsaid).rejects.toMatchObject({ execution: 'not-sent' });
    expect(writes).toEqual(['said;']);
  });
});

it('T8: short messages count with what is kept of them, and make room again when they go', async () => {
  const { queue, taken } = slowQueue({ queueBytes: 100 * limits.queuedMessageBytes });
  const fates = Promise.allSettled(Array.from({ length: 200 }, () => queue.push('x')));
  await new Promise(setImmediate);
  await taken();
  expect((await fates).filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  const late = queue.push('x');
  await new Promise(setImmediate);
  await taken();
  await late;
});
