import { describe, expect, it } from 'vitest';
import { array, assert, integer, property } from '../../../test/support/properties.ts';
import { readLine } from '../message-line.ts';
import { createMessageReader } from './message-reader.ts';

interface Seen {
  readonly messages: string[];
  readonly noise: string[];
  /** How many messages had come when frames were recognised. */
  readonly framesAfter: number[];
}

function read(chunks: readonly Uint8Array[], framing: 'auto' | 'newline' | 'content-length' = 'auto'): Seen {
  const seen: Seen = { messages: [], noise: [], framesAfter: [] };
  const reader = createMessageReader({
    framing,
    messageBytes: 10_000,
    headerBytes: 200,
    unbrokenBytes: 40_000,
    keptBytes: 64,
    onText(text) {
      const { kind } = readLine(text);
      if (kind === 'messages') seen.messages.push(text.trim());
      else if (kind !== 'blank') seen.noise.push(text.trim());
      return kind;
    },
    onJunk: (text) => {
      if (text.trim() !== '') seen.noise.push(text.trim());
    },
    onDropped() {},
    onFlood() {},
    onFrames: () => seen.framesAfter.push(seen.messages.length),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return seen;
}

const one = '{"jsonrpc":"2.0","id":1,"result":{}}';
const two = '{"jsonrpc":"2.0","method":"n"}';
const header = (text: string): string => `Content-Length: ${text.length}\r\n\r\n`;
const frame = (text: string): string => header(text) + text;
const readText = (text: string): Seen => read([Buffer.from(text)]);

describe('auto', () => {
  it.each([
    ['at once', '', []],
    ['behind a banner', 'Server 1.0\n\n\u001B[32mready\u001B[0m\n', ['Server 1.0', '\u001B[32mready\u001B[0m']],
    ['behind JSON that is no message', '{"level":"info"}\n', ['{"level":"info"}']],
    ['behind another header', 'Content-Type: application/vscode-jsonrpc\r\n', []],
    ['behind half a block', 'Content-Length: 7\r\nno header\r\n', ['Content-Length: 7', 'no header']],
    ['behind a block without a length', 'Content-Type: x\r\n\r\n', ['Content-Type: x']],
    ['behind a length that is none', 'Content-Length: x\r\n\r\n', ['Content-Length: x']],
    [
      'behind more than a block may be',
      `Content-Type: ${'x'.repeat(190)}\nX: 1\n`,
      [`Content-Type: ${'x'.repeat(190)}`, 'X: 1'],
    ],
  ])('T6: a whole block of headers before any message decides for frames: %s', (_what, before, noise) => {
    const seen = readText(`${before}${frame(one)}${frame(two)}`);
    expect(seen).toEqual({ messages: [one, two], noise, framesAfter: [0] });
  });

  it('T6: a message on a line decides for lines, for good', () => {
    const seen = readText(`ready\n${two}\n${header(one)}${one}\n${two}\n`);
    expect(seen).toEqual({
      messages: [two, one, two],
      noise: ['ready', `Content-Length: ${one.length}`],
      framesAfter: [],
    });
  });

  it('T6: a line that only begins like a block decides nothing', () => {
    expect(readText(`Content-Length: 5\n${one}\n${frame(two)}`)).toEqual({
      messages: [one, two],
      noise: ['Content-Length: 5', header(two).trim()],
      framesAfter: [],
    });
    expect(readText('Content-Length: 5\n').noise).toEqual(['Content-Length: 5']);
  });

  it('T6: it decides the same however the bytes are cut', () => {
    const texts = [
      `banner\n${frame(one)}${frame(two)}`,
      `banner\nContent-Length: 5\nx\n${one}\n${two}\n`,
      `Content-Type: x\n${frame(one)}log\n${frame(two)}`,
    ];
    const check = property(array(integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }), (sizes) => {
      for (const text of texts) {
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(Buffer.from(text.slice(at, at + size)));
          at += size;
        }
        expect(read(chunks)).toEqual(readText(text));
      }
    });
    assert(check, { numRuns: 200 });
  });
});

it('T6: a framing that is set is not left', () => {
  expect(read([Buffer.from(`${frame(two)}\n${one}\n`)], 'newline').messages).toEqual([two, one]);
  expect(read([Buffer.from(`${one}\n${frame(two)}`)], 'content-length')).toMatchObject({
    messages: [two],
    noise: [one],
  });
});
