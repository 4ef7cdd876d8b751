import { describe, expect, it } from 'vitest';
import { array, assert, constantFrom, nat, oneof, property, string, tuple } from '../../../test/support/properties.ts';
import { findReplyId } from '../reply-id.ts';
import { createEventReader, type EventReaderOptions, type ServerEvent } from './event-reader.ts';

const mebibyte = 1024 * 1024;

interface Read {
  readonly events: ServerEvent[];
  readonly dropped: { readonly head: Uint8Array; readonly tail: Uint8Array }[];
  readonly retries: number[];
  floods: number;
}

function reader(options: Partial<EventReaderOptions> = {}) {
  const read: Read = { events: [], dropped: [], retries: [], floods: 0 };
  const events = createEventReader({
    eventBytes: 16 * mebibyte,
    unbrokenBytes: 64 * mebibyte,
    keptBytes: 512,
    onEvent: (event) => read.events.push(event),
    onDropped: (event) => read.dropped.push(event),
    onFlood: () => {
      read.floods += 1;
    },
    onRetry: (pauseMs) => read.retries.push(pauseMs),
    ...options,
  });
  return { ...events, read };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const datas = (read: Read): readonly string[] => read.events.map(({ data }) => data);

describe('events from bytes', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('H3: lines may end with %s', (_name, end) => {
    const { push, read } = reader();
    push(bytes(['id: 7', 'event: ping', 'data: a', 'data:b', '', ': comment', 'data', '', ''].join(end)));
    expect(read.events).toEqual([
      { type: 'ping', data: 'a\nb', lastId: '7', isWhole: true },
      { type: 'message', data: '', lastId: '7', isWhole: true },
    ]);
  });

  it('H4: an id holds once its event is over, with data or without; at a cut it does not', () => {
    const ids: string[] = [];
    const { push, end, read } = reader({ onId: (id) => ids.push(id) });
    push(bytes('data: a\n\nid: 1\n\nid: 2\ndata: b\n\nid: 3\ndata: c'));
    expect(ids).toEqual(['1', '2']);
    end();
    expect(ids).toEqual(['1', '2']);
    expect(read.events.at(-1)).toEqual({ type: 'message', data: 'c', lastId: '3', isWhole: false });
  });

  it('H4: an id or a pause that the end of the stream may have shortened is none', () => {
    const cutId = reader();
    cutId.push(bytes('id: 1\ndata: a\nid: 2'));
    cutId.end();
    expect(cutId.read.events).toMatchObject([{ data: 'a', lastId: '1' }]);
    const cutPause = reader();
    cutPause.push(bytes('retry: 15'));
    cutPause.end();
    expect(cutPause.read.retries).toEqual([]);
  });

  it('H3: an event that ends with a lone CR is handed on at once, not with the next bytes', () => {
    const { push, read } = reader();
    push(bytes('data: one\r\r'));
    expect(datas(read)).toEqual(['one']);
    push(bytes('\ndata: two\r\n\r\n'));
    expect(datas(read)).toEqual(['one', 'two']);
  });

  it('H3: a byte order mark before the first line is no part of it, split or not', () => {
    for (const at of [1, 2, 3, 5]) {
      const { push, read } = reader();
      const stream = bytes('\uFEFFdata: \uFEFFx\n\n');
      push(stream.subarray(0, at));
      push(stream.subarray(at));
      expect(datas(read)).toEqual(['\uFEFFx']);
    }
  });

  it('H3: events are the same however the stream is cut, inside a character too', () => {
    const line = oneof(
      constantFrom(
        '',
        'data',
        'data:',
        ':',
        'event: x',
        'event',
        'id: 1',
        'id: \0',
        'retry: 5',
        'retry: x',
        'other: y',
      ),
      string({ unit: 'grapheme' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
    );
    const lines = array(tuple(line, constantFrom('\n', '\r', '\r\n')));
    assert(
      property(lines, array(nat()), (written, cuts) => {
        const stream = bytes(written.flat().join(''));
        const whole = reader();
        whole.push(stream);
        whole.end();
        const pieces = reader();
        const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
        for (const [index, place] of places.entries()) pieces.push(stream.subarray(places[index - 1] ?? 0, place));
        pieces.end();
        expect(pieces.read).toEqual(whole.read);
      }),
    );
  });

  it('H3: an event whose closing blank line is missing is handed on at the end of the stream', () => {
    const { push, end, read } = reader();
    push(bytes('data: {"id":1}'));
    expect(read.events).toEqual([]);
    end();
    expect(datas(read)).toEqual(['{"id":1}']);
  });

  it('H3: only digits ask for a pause', () => {
    const { push, read } = reader();
    push(bytes('retry: 1500\nretry: soon\nretry: -1\n\n'));
    expect(read.retries).toEqual([1500]);
  });

  it.each([
    ['in one line', 'data: '],
    ['in many lines', `data: ${'y'.repeat(500)}\ndata: `],
  ])('H3: an event over the limit, %s, is dropped with both ends kept; the next ones are read', (_name, start) => {
    const { push, read } = reader({ eventBytes: 4_096, keptBytes: 64 });
    for (const piece of [`${start}{"result":"`, 'x'.repeat(3_000), 'x'.repeat(3_000), '","id":12}\n\ndata: next\n\n']) {
      push(bytes(piece));
    }
    expect(read.dropped).toHaveLength(1);
    const [dropped] = read.dropped;
    expect(Buffer.from(dropped?.tail ?? []).toString()).toMatch(/^x+","id":12\}$/);
    expect(dropped?.head.length).toBeLessThanOrEqual(64);
    expect(datas(read)).toEqual(['next']);
  });

  it('H3: the id of a dropped reply is found at either end', () => {
    for (const reply of [
      { id: 9, result: 'x'.repeat(5_000) },
      { result: 'x'.repeat(5_000), id: 9 },
    ]) {
      const { push, read } = reader({ eventBytes: 4_096 });
      push(bytes(`data: ${JSON.stringify(reply)}\n\n`));
      const [dropped] = read.dropped;
      expect(dropped && findReplyId(dropped.head, dropped.tail)).toBe(9);
    }
  });

  it('H3: an event without end is a flood, told once, and nothing more is read', () => {
    const { push, read } = reader({ eventBytes: 1_000, unbrokenBytes: 10_000 });
    for (let pushed = 0; pushed < 20; pushed += 1) push(bytes('x'.repeat(1_000)));
    push(bytes('\n\ndata: later\n\n'));
    expect(read.floods).toBe(1);
    expect(read.events).toEqual([]);
  });

  it('H3: time is linear in the size of an event, in small pieces too', () => {
    const { push, read } = reader();
    const piece = bytes('é'.repeat(256));
    const sizeBytes = 15 * mebibyte;
    const startedMs = performance.now();
    push(bytes('data: '));
    for (let sent = 0; sent < sizeBytes; sent += piece.length) push(piece);
    push(bytes('\n\n'));
    expect(read.events[0]?.data.length).toBe(sizeBytes / 2);
    // Copying what is there with each piece would move 230 GB.
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});
