import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { limits, TrestleError } from '../base/index.ts';
import type { Asked } from './asked.ts';
import { DaemonConnection } from './connection.ts';

const asked: Asked = { frame: { method: 'read', params: [{}], caller: { env: { A: '1' }, cwd: '/' } } };

/** A connection, what it writes, and what is told to the person. */
function connected() {
  const clock = createManualClock();
  const socket = new PassThrough() as unknown as Socket;
  const sent: Record<string, unknown>[] = [];
  socket.on('data', (data: Buffer) => {
    for (const line of data.toString().trimEnd().split('\n')) sent.push(JSON.parse(line) as Record<string, unknown>);
  });
  const notes: string[] = [];
  return {
    clock,
    socket,
    sent,
    notes,
    connection: new DaemonConnection(socket, { clock, onNote: (text) => notes.push(text) }),
  };
}

describe('the client’s end of a connection', () => {
  it('L7: answers go to their requests, whatever their order', async () => {
    const { connection } = connected();
    const [first, second] = [connection.request(asked), connection.request(asked)];
    connection.take({ id: 2, done: true, value: 'b' });
    connection.take({ id: 1, done: true });
    expect(await Promise.all([first, second])).toEqual([undefined, 'b']);
    connection.take({ id: 9, done: true, value: 'for nobody' });
  });

  it('L7: a rejection keeps code, hint and execution', async () => {
    const { connection } = connected();
    const request = connection.request(asked);
    connection.take({ id: 1, error: { code: 'timed_out', message: 'late', hint: 'wait', execution: 'unknown' } });
    await expect(request).rejects.toMatchObject({ code: 'timed_out', hint: 'wait', execution: 'unknown' });
  });

  it('L7, P6: its end is the end of all that wait, and of what comes later', async () => {
    const { connection } = connected();
    const requests = [connection.request(asked), connection.request(asked)];
    connection.lost();
    for (const request of requests) {
      await expect(request).rejects.toMatchObject({ code: 'daemon_lost', execution: 'unknown' });
    }
    await expect(connection.request(asked)).rejects.toMatchObject({ name: 'Refused', why: 'gone' });
  });

  it('L7: of what the daemon has not answered with its last words nothing was done', async () => {
    const { connection } = connected();
    const [answered, unanswered] = [connection.request(asked), connection.request(asked)];
    connection.take({ id: 1, done: true, value: 'a' });
    connection.take({ refused: 'draining' });
    connection.lost();
    expect(await answered).toBe('a');
    await expect(unanswered).rejects.toMatchObject({ name: 'Refused', why: 'draining' });
    await expect(connection.request(asked)).rejects.toMatchObject({ name: 'Refused', why: 'gone' });
  });

  it('L7: a daemon that gives no sign of life while somebody waits is lost; one that does is not', async () => {
    const { clock, connection, sent } = connected();
    const request = connection.request(asked);
    let ended = false;
    void request.catch(() => (ended = true));
    for (let round = 0; round < 10; round += 1) {
      await clock.advance(limits.daemonPingMs.most);
      connection.take({ pong: Number(sent.at(-1)?.['ping']) });
    }
    expect(ended).toBe(false);
    await clock.advance(limits.daemonPingMs.most * (limits.daemonPings + 1));
    await expect(request).rejects.toMatchObject({ code: 'daemon_lost' });
    expect(clock.pending).toBe(0);
  });

  it('L7, S9: one that stands still is not waited for much longer than the request may take', async () => {
    const { clock, connection } = connected();
    const [hurried, patient] = [connection.request({ ...asked, idleMs: 3_000 }), connection.request(asked)];
    const fates = Promise.allSettled([hurried, patient]);
    await clock.advance(3_000);
    expect(connection.isUsable).toBe(true);
    await clock.advance(1_000);
    expect(connection.isUsable).toBe(false);
    for (const fate of await fates) {
      expect(fate).toMatchObject({ reason: { code: 'daemon_lost', message: 'The daemon does not answer any more.' } });
    }
  });

  it('L7: a cancel is sent with its reason, and the outcome is waited for, but not for long', async () => {
    const { clock, connection, sent } = connected();
    const abort = new AbortController();
    const [told, silent] = [1, 2].map(() => connection.request({ ...asked, signal: abort.signal }));
    abort.abort(new TrestleError({ code: 'cancelled', message: 'Interrupted.' }));
    await clock.advance(0);
    expect(sent.slice(2)).toEqual([
      { cancel: 1, reason: 'Interrupted.' },
      { cancel: 2, reason: 'Interrupted.' },
    ]);
    connection.take({ id: 1, done: true, value: 'its own outcome' });
    expect(await told).toBe('its own outcome');
    const failure = silent?.catch((error: unknown) => error);
    await clock.advance(limits.daemonCancelMs);
    expect(await failure).toMatchObject({ code: 'cancelled', execution: 'unknown' });
  });

  it('L7: what was cancelled before it had all it needs is not sent again', async () => {
    const { clock, connection, sent } = connected();
    const abort = new AbortController();
    const request = connection.request({ ...asked, signal: abort.signal });
    abort.abort(new TrestleError({ code: 'cancelled', message: 'No.' }));
    connection.take({ id: 1, needs: ['B'] });
    await expect(request).rejects.toMatchObject({ code: 'cancelled', execution: 'not-sent' });
    await clock.advance(0);
    expect(sent.map((frame) => Object.keys(frame)[0])).toEqual(['id', 'cancel']);
  });

  it('L7: what is too large to go at once is refused unsent, and the connection goes on', async () => {
    const { connection, sent } = connected();
    const tooLarge = { frame: { method: 'call', params: [{ text: 'x'.repeat(limits.daemonFrameBytes) }] } } as const;
    await expect(connection.request(tooLarge)).rejects.toMatchObject({
      code: 'message_too_large',
      execution: 'not-sent',
    });
    const request = connection.request(asked);
    connection.take({ id: 2, done: true, value: 'b' });
    expect(await request).toBe('b');
    expect(sent.map(({ id }) => id)).toEqual([2]);
  });

  it('L7: a listener of a signal that many requests share goes with its request', async () => {
    const { connection } = connected();
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = Object.assign(Object.create(signal) as AbortSignal, {
      addEventListener: () => (listeners += 1),
      removeEventListener: () => (listeners -= 1),
    });
    Object.defineProperty(counted, 'aborted', { value: false });
    const request = connection.request({ ...asked, signal: counted });
    expect(listeners).toBe(1);
    connection.take({ id: 1, done: true });
    await request;
    expect(listeners).toBe(0);
  });
});
