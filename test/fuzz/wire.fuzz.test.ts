import { describe, expect, it } from 'vitest';
import * as dialect from '../../src/wire/http-links/event-dialect.ts';
import { createEventReader } from '../../src/wire/http-links/event-reader.ts';
import type { Framing } from '../../src/wire/stdio/framing.ts';
import { readLine } from '../../src/wire/message-line.ts';
import { createMessageReader } from '../../src/wire/stdio/message-reader.ts';
import { findReplyId } from '../../src/wire/reply-id.ts';
import { array, constantFrom, type Arbitrary, oneof, tuple } from '../support/properties.ts';
import { assertPlain, holds } from './holds.ts';
import { damaged, jsonText, odd, pieces, sizes, text } from './hostile.ts';

/** Everything a reader of a stream told, in order. */
function readStream(chunks: readonly Uint8Array[], framing: Framing): readonly unknown[] {
  const told: unknown[] = [];
  const reader = createMessageReader({
    framing,
    messageBytes: 4_000,
    headerBytes: 200,
    unbrokenBytes: 16_000,
    keptBytes: 64,
    onText(line) {
      const read = readLine(line);
      if (read.kind === 'messages') told.push(read.messages);
      else if (read.kind === 'broken') told.push(read.id);
      return read.kind;
    },
    onJunk() {},
    onDropped: ({ sizeBytes, head, tail }) => told.push([sizeBytes, findReplyId(head, tail)]),
    onFlood: (announced) => told.push(`flood ${announced ?? ''}`),
    onFrames: () => told.push('frames'),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return told;
}

const message = tuple(jsonText, jsonText).map(([id, result]) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
const line = oneof(message, jsonText, text).map((piece) => `${piece}\n`);
const frame = oneof(
  message.map((body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  tuple(message, constantFrom('0', '-1', '1e3', '5', '99999999999', 'x', '3, 3', '007')).map(
    ([body, length]) => `content-length:${length}\r\nX: y\r\n\r\n${body}`,
  ),
);
const stream = (piece: Arbitrary<string>): Arbitrary<Buffer> =>
  damaged(array(piece, { maxLength: 6 }).map((all) => all.join('')));
const good = '{"jsonrpc":"2.0","id":"good","result":{}}';

describe('a stream of messages', () => {
  const framings: readonly Framing[] = ['auto', 'newline', 'content-length'];

  it.each(framings)('T2, T6: tells the same however its bytes are cut: %s', (framing) => {
    holds(tuple(stream(oneof(line, frame)), sizes), 150, ([bytes, of]) => {
      const whole = readStream([bytes], framing);
      expect(readStream(pieces(bytes, of), framing)).toEqual(whole);
      assertPlain(whole);
    });
  });

  it('T2: delivers a good line behind whatever came before it', () => {
    holds(stream(oneof(line, text)), 150, (bytes) => {
      const told = readStream([bytes, Buffer.from(`\n${good}\n`)], 'newline');
      if (!told.includes('flood ')) expect(told.at(-1)).toEqual([JSON.parse(good)]);
    });
  });

  it('T6: delivers a good frame behind junk, and behind frames that were damaged inside', () => {
    const junk = oneof(line, message).map((piece) => piece.replaceAll(/content-length/gi, 'x'));
    holds(stream(junk), 150, (bytes) => {
      if (/content-length/i.test(bytes.toString('latin1'))) return;
      const behind = Buffer.from(`\nContent-Length: ${good.length}\r\n\r\n${good}`);
      const told = readStream([bytes, behind], 'content-length');
      if (!told.includes('flood ')) expect(told.at(-1)).toEqual([JSON.parse(good)]);
    });
  });

  it('T3: takes linear time for what never ends', () => {
    const seeds = [
      '"',
      '\\',
      '{"a":',
      '[',
      '\r',
      'Content-Length: 9\n',
      'Content-Length: 1\r\n\r\n{',
      '{"id":1,"x":"\\',
    ];
    for (const seed of seeds) {
      const bytes = Buffer.from(seed.repeat(300_000 / seed.length));
      holds(constantFrom(...framings), 3, (framing) => void readStream([bytes], framing));
      holds(constantFrom(1), 1, () => void findReplyId(bytes, bytes));
    }
  });
});

/** Everything a reader of an event stream told, in order. */
function readEvents(chunks: readonly Uint8Array[]): readonly unknown[] {
  const told: unknown[] = [];
  const reader = createEventReader({
    eventBytes: 4_000,
    unbrokenBytes: 16_000,
    keptBytes: 64,
    onEvent: (event) => told.push(event),
    onDropped: ({ head, tail }) => told.push(['dropped', findReplyId(head, tail)]),
    onFlood: () => told.push('flood'),
    onId: (id) => told.push(['id', id]),
    onRetry: (pauseMs) => told.push(['retry', pauseMs]),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return told;
}

const field = tuple(
  constantFrom('data', 'data', 'data', 'event', 'id', 'retry', '', ':', 'data:data', '\u{feff}data', '__proto__'),
  constantFrom(':', ': ', '', ' :', '::'),
  oneof(message, text, constantFrom('1', '99999999999999999999', 'tools', 'endpoint', '\0')),
  constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r', '\n\r'),
).map((parts) => parts.join(''));

describe('a stream of events', () => {
  it('H3: tells the same however its bytes are cut', () => {
    holds(tuple(stream(field), sizes), 200, ([bytes, of]) => {
      const whole = readEvents([bytes]);
      expect(readEvents(pieces(bytes, of))).toEqual(whole);
    });
  });

  it('H3: delivers a good event behind whatever came before it', () => {
    holds(stream(field), 200, (bytes) => {
      const told = readEvents([bytes, Buffer.from(`\n\nevent: message\ndata: ${good}\n\n`)]);
      if (told.includes('flood')) return;
      const events = told.filter((each) => typeof each === 'object' && each !== null && 'data' in each);
      expect(events.at(-1)).toMatchObject({ type: 'message', data: good, isWhole: true });
    });
  });

  it('H3: takes linear time for what never ends', () => {
    for (const seed of ['data:', 'data\n', '\r', ':\n', 'id:\0\n', 'x']) {
      const bytes = Buffer.from(seed.repeat(300_000 / seed.length));
      holds(constantFrom(1), 1, () => void readEvents([bytes]));
    }
  });

  it('H10: data of the event dialect are read or are nothing, whatever they are', () => {
    const tool = tuple(oneof(odd, text), jsonText).map(
      ([name, schema]) => `{"name":${JSON.stringify(name)},"input_schema":${schema}}`,
    );
    const data = oneof(
      text,
      jsonText,
      tool.map((one) => `{"tools":[${one}]}`),
      tuple(odd, tool).map(([name, one]) => `{${JSON.stringify(name)}:${one}}`),
      jsonText.map((inner) => `{"result":${inner},"session_id":${inner}}`),
      jsonText.map((inner) => `{"error":${inner},"code":-32000,"message":${inner}}`),
    );
    holds(data, 300, (given) => {
      const ours = dialect.readDialectSession(given, 'http://127.0.0.1/sse');
      assertPlain([
        ours,
        dialect.readDialectTools(given),
        dialect.readDialectResult(given),
        dialect.readDialectError(given),
        dialect.answerInstead('tools/list', given),
      ]);
      expect(dialect.namesOtherSession(given, ours)).toBeTypeOf('boolean');
      expect(dialect.mayBeCut(given)).toBeTypeOf('boolean');
    });
  });
});
