import { describe, expect, it } from 'vitest';
import { array, assert, constantFrom, integer, property, string } from '../../../test/support/properties.ts';
import { createLineSplitter } from './line-splitter.ts';

interface Seen {
  readonly lines: string[];
  readonly dropped: { readonly sizeBytes: number; readonly head: string; readonly tail: string }[];
  floods: number;
}

function split(chunks: readonly Uint8Array[], options: { lineBytes?: number; unbrokenBytes?: number } = {}): Seen {
  const seen: Seen = { lines: [], dropped: [], floods: 0 };
  const splitter = createLineSplitter({
    lineBytes: options.lineBytes ?? 1_000_000,
    unbrokenBytes: options.unbrokenBytes ?? 4_000_000,
    keptBytes: 8,
    onLine: (text) => seen.lines.push(text),
    onDropped: ({ sizeBytes, head, tail }) =>
      seen.dropped.push({ sizeBytes, head: Buffer.from(head).toString(), tail: Buffer.from(tail).toString() }),
    onFlood: () => {
      seen.floods += 1;
    },
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return seen;
}

const bytes = (text: string): Buffer => Buffer.from(text);

/** The same bytes cut at every `size`. */
function cut(data: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(data.length / size) }, (_, at) => data.subarray(at * size, (at + 1) * size));
}

describe('lines', () => {
  it('T2: only 0x0A ends a line; CR and line separators inside stay', () => {
    const text = 'a\rb\u2028c\u0085d';
    expect(split([bytes(`${text}\nnext\r\n`)]).lines).toEqual([text, 'next\r']);
  });

  it('T2: characters that are split over reads survive', () => {
    const line = 'grüße 🚀 日本';
    for (const size of [1, 2, 3]) expect(split(cut(bytes(`${line}\n${line}\n`), size)).lines).toEqual([line, line]);
  });

  it('T2: bytes that are no UTF-8 spoil their own line only', () => {
    const data = Buffer.concat([bytes('one\n'), Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), bytes('three\n')]);
    expect(split([data]).lines).toEqual(['one', '"\uFFFD\uFFFD"', 'three']);
  });

  it('T2: however the bytes are cut, the lines are the same', () => {
    const text = string({ unit: constantFrom('\n', '\r', 'a', 'é', '🚀', ' ') });
    const check = property(text, array(integer({ min: 1, max: 9 }), { minLength: 1 }), (content, sizes) => {
      const data = bytes(content);
      const chunks: Uint8Array[] = [];
      for (let at = 0, turn = 0; at < data.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        chunks.push(data.subarray(at, at + size));
        at += size;
      }
      const expected = content.split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(split(chunks, { lineBytes: 50 }).lines).toEqual(expected.filter((line) => bytes(line).length <= 50));
    });
    assert(check, { numRuns: 500 });
  });

  it('what stands after the last line end is delivered at the end', () => {
    expect(split([bytes('one\ntw'), bytes('o')]).lines).toEqual(['one', 'two']);
  });
});

describe('long lines', () => {
  it('T3: a line of exactly the limit passes, with CR too, and one byte more is dropped', () => {
    for (const size of [1, 7, 1000]) {
      const data = bytes(`${'x'.repeat(20)}\n${'y'.repeat(20)}\r\n${'z'.repeat(21)}\nok\n`);
      const seen = split(cut(data, size), { lineBytes: 20 });
      expect(seen.lines).toEqual(['x'.repeat(20), `${'y'.repeat(20)}\r`, 'ok']);
      expect(seen.dropped).toEqual([{ sizeBytes: 21, head: 'zzzzzzzz', tail: 'zzzzzzzz' }]);
    }
  });

  it('T3: both ends of a dropped line are kept, whatever the size of the reads', () => {
    for (const size of [1, 3, 64, 500]) {
      const data = bytes(`BEGINNIN${'-'.repeat(300)}ENDENDEN\nok\n`);
      const seen = split(cut(data, size), { lineBytes: 100 });
      expect(seen.dropped).toEqual([{ sizeBytes: 316, head: 'BEGINNIN', tail: 'ENDENDEN' }]);
      expect(seen.lines).toEqual(['ok']);
    }
  });

  it('T3: a stream without line ends stops being read, once', () => {
    const chunks = cut(bytes('x'.repeat(5000)), 100);
    const seen = split([...chunks, bytes('\nlate\n')], { lineBytes: 1000, unbrokenBytes: 2000 });
    expect(seen).toEqual({ lines: [], dropped: [], floods: 1 });
  });

  it('T3: dropping keeps no memory: 300 MB in reads of 64 KiB', () => {
    const chunk = Buffer.alloc(64 * 1024, 0x78);
    const splitter = createLineSplitter({
      lineBytes: 16 * 1024 * 1024,
      unbrokenBytes: Infinity,
      keptBytes: 512,
      onLine() {},
      onDropped() {},
      onFlood() {},
    });
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 300_000_000; sent += chunk.length) splitter.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });
});
