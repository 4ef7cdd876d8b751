import { describe, expect, it } from 'vitest';
import {
  type Arbitrary,
  array,
  assert,
  constantFrom,
  integer,
  property,
  record,
  string,
  tuple,
} from '../../../test/support/properties.ts';
import { FrameReader } from './frame-reader.ts';

interface Seen {
  readonly messages: string[];
  readonly junk: string[];
  readonly dropped: { readonly sizeBytes: number; readonly head: string; readonly tail: string }[];
  readonly floods: (number | undefined)[];
}

type Limits = Partial<ConstructorParameters<typeof FrameReader>[0]>;

/** What a link takes for a message, in short. */
function kindOf(text: string): 'messages' | 'blank' | 'broken' | 'noise' {
  if (text.trim() === '') return 'blank';
  if (!text.startsWith('{')) return 'noise';
  try {
    JSON.parse(text);
    return 'messages';
  } catch {
    return 'broken';
  }
}

function read(chunks: readonly Uint8Array[], given: Limits = {}): Seen {
  const seen: Seen = { messages: [], junk: [], dropped: [], floods: [] };
  const noted = (text: string): void => {
    if (text.trim() !== '') seen.junk.push(text);
  };
  const reader = new FrameReader({
    messageBytes: 1_000_000,
    headerBytes: 256,
    unbrokenBytes: 4_000_000,
    keptBytes: 8,
    onText(text) {
      const kind = kindOf(text);
      if (kind === 'messages') seen.messages.push(text);
      else noted(text);
      return kind;
    },
    onJunk: noted,
    onDropped: ({ sizeBytes, head, tail }) =>
      seen.dropped.push({ sizeBytes, head: Buffer.from(head).toString(), tail: Buffer.from(tail).toString() }),
    onFlood: (announced) => seen.floods.push(announced),
    ...given,
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return seen;
}

const bytes = (text: string): Buffer => Buffer.from(text);
const readText = (text: string, given?: Limits): Seen => read([bytes(text)], given);
const frame = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
const reply = (id: number, text = ''): string => JSON.stringify({ jsonrpc: '2.0', id, result: { text } });
const next = reply(2);

function cut(data: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < data.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(data.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const sizes = array(integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe('frames', () => {
  it('T6: a length counts bytes, not characters', () => {
    const text = reply(1, 'grüße 🚀');
    expect(readText(frame(text) + frame(next))).toMatchObject({ messages: [text, next], junk: [] });
  });

  it.each([
    ['small letters', 'content-length: #\r\n\r\n'],
    ['capitals, no blank', 'CONTENT-LENGTH:#\r\n\r\n'],
    ['blanks around', 'Content-Length : \t # \r\n\r\n'],
    ['zeros before', 'Content-Length: 000#\r\n\r\n'],
    ['lone line feeds', 'Content-Length: #\n\n'],
    ['one of each line end', 'Content-Length: #\r\n\n'],
    ['a type before', 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: #\r\n\r\n'],
    ['others behind', 'Content-Length: #\r\nX-Trace: 1\r\n  continued\r\nX-Content-Length: 7\r\n\r\n'],
    ['the same length twice', 'Content-Length: #\r\nContent-Length: #\r\n\r\n'],
    ['a byte order mark', '\uFEFFContent-Length: #\r\n\r\n'],
    ['blank lines before', '\r\n\r\nContent-Length: #\r\n\r\n'],
    ['an empty frame before', 'Content-Length: 0\r\n\r\nContent-Length: #\r\n\r\n'],
  ])('T6: headers in every shape: %s', (_what, header) => {
    const first = header.replaceAll('#', String(next.length)) + next;
    expect(readText(first + frame(next))).toMatchObject({ messages: [next, next], junk: [] });
  });

  it.each([
    ['a number below zero', 'Content-Length: -5'],
    ['no number', 'Content-Length: many'],
    ['nothing', 'Content-Length:'],
    ['a fraction', 'Content-Length: 5.5'],
    ['a number in another base', 'Content-Length: 0x10'],
    ['two of them', 'Content-Length: 5\r\nContent-Length: 6'],
    ['a list', 'Content-Length: 5, 5'],
  ])('T6: a block whose length is %s is junk, and so is its body; the next frame is read', (_what, header) => {
    const seen = readText(`${header}\r\n\r\n${reply(1)}${frame(next)}`);
    expect(seen.messages).toEqual([next]);
    expect(seen.junk.join('\n')).toBe(`${header.replace('\r', '')}\n${reply(1)}`);
  });

  it('T6: a block without a length is junk, and so is one that is too long', () => {
    const long = `X-Long: ${'x'.repeat(100)}\r\n`;
    expect(readText(`X-Other: 1\r\n\r\n${frame(next)}`)).toMatchObject({ messages: [next], junk: ['X-Other: 1'] });
    const seen = readText(`Content-Length: 5\r\n${long.repeat(3)}\r\nabcde\r\n${frame(next)}`);
    expect(seen.messages).toEqual([next]);
    expect(seen.junk).toHaveLength(5);
    // Lines of a log that look like headers do not count.
    expect(readText(long.repeat(9) + frame(next)).messages).toEqual([next]);
  });

  it('T6: junk between frames is skipped to the next header, and told line by line', () => {
    const seen = readText(`Listening on 1\nINFO: ready\nmore\n${frame(next)}\n[log] x${frame(next)}tail`);
    expect(seen).toEqual({
      messages: [next, next],
      junk: ['Listening on 1', 'INFO: ready', 'more', '[log] x', 'tail'],
      dropped: [],
      floods: [],
    });
  });

  it('T6: a header behind any amount of junk without a line end is found', () => {
    for (const count of [0, 100, 192, 193, 250, 255, 256, 257, 300, 1000, 5000]) {
      const seen = readText(`${'x'.repeat(count)}${frame(next)}`);
      expect(seen.messages).toEqual([next]);
      expect(seen.junk).toHaveLength(Math.min(count, 1));
    }
  });
});

describe('lengths that are wrong', () => {
  const first = reply(1, 'x'.repeat(50));

  it('T6: one that cuts into the next header, anywhere, costs its own message only', () => {
    for (let over = 1; over <= frame(next).length - next.length + 1; over += 1) {
      const seen = readText(`Content-Length: ${first.length + over}\r\n\r\n${first}${frame(next)}${frame(next)}`);
      expect(seen.messages.at(-1)).toBe(next);
      expect([over, seen.messages.length]).toEqual([over, 2]);
      expect(seen.junk).toHaveLength(1);
    }
  });

  it('T6: one that falls short, as one that counts characters does, costs its own message only', () => {
    for (const short of [1, 2, 20, 60]) {
      const seen = readText(`Content-Length: ${first.length - short}\r\n\r\n${first}${frame(next)}`);
      expect(seen.messages).toEqual([next]);
      expect(seen.junk).toHaveLength(1);
    }
  });

  it('T6: what looks like a header inside a broken message is none when its length was right', () => {
    const broken = `{"text": Content-Length: 7000\r\n\r\n}`;
    expect(readText(frame(broken) + frame(next))).toMatchObject({ messages: [next], junk: [broken] });
  });

  it('T3: reading again is linear: broken messages inside of each other', () => {
    const headerOf = (length: number): string => `Content-Length: ${length}\r\n\r\n`;
    const nested = Array.from({ length: 20_000 }, () => headerOf(400_000)).join('');
    const startedMs = performance.now();
    const seen = readText(`${frame('{'.repeat(900_000))}${nested}`);
    expect(seen.messages).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});

describe('long frames', () => {
  it('T3: a message of exactly the limit passes; of a longer one both ends are kept', () => {
    const exact = reply(1, 'x'.repeat(60));
    const long = `{"BEGIN${'-'.repeat(200)}ENDENDE}`;
    for (const size of [1, 7, 100, 1000]) {
      const seen = read(cut(bytes(frame(exact) + frame(long) + frame(next)), [size]), { messageBytes: exact.length });
      expect(seen.messages).toEqual([exact, next]);
      expect(seen.dropped).toEqual([{ sizeBytes: long.length, head: '{"BEGIN-', tail: 'ENDENDE}' }]);
      expect(seen.junk).toEqual([]);
    }
  });

  it('T3: an announced flood ends the reading before it comes, once', () => {
    for (const length of ['5000000000', '9'.repeat(200)]) {
      const seen = readText(`Content-Length: ${length}\r\n\r\n${next}${frame(next)}`);
      expect(seen).toMatchObject({ messages: [], floods: [Math.min(Number(length), Number.MAX_SAFE_INTEGER)] });
    }
  });

  it('T3: junk without a line end stops being read, once', () => {
    const seen = read(cut(bytes('x'.repeat(5000)), [100]), { unbrokenBytes: 2000 });
    expect(seen).toMatchObject({ messages: [], floods: [undefined] });
  });

  it('T3: a dropped frame and endless junk keep no memory', () => {
    const chunk = Buffer.alloc(64 * 1024, 0x78);
    const reader = new FrameReader({
      messageBytes: 16 * 1024 * 1024,
      headerBytes: 8 * 1024,
      unbrokenBytes: Infinity,
      keptBytes: 512,
      onText: () => 'noise',
      onJunk() {},
      onDropped() {},
      onFlood() {},
    });
    const before = process.memoryUsage().arrayBuffers;
    reader.push(bytes('Content-Length: 150000000\r\n\r\n'));
    for (let sent = 0; sent < 300_000_000; sent += chunk.length) reader.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it('T3: a length promises nothing: memory is taken by what comes', () => {
    const before = process.memoryUsage.rss();
    for (let turn = 0; turn < 50; turn += 1) {
      const seen = readText('Content-Length: 900000\r\n\r\n{"id":1', { messageBytes: 16 * 1024 * 1024 });
      expect(seen.junk).toEqual(['{"id":1']);
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(40_000_000);
  });
});

describe('the end', () => {
  it('what has been read of a message is delivered, what has been read of a line is junk', () => {
    expect(readText(`Content-Length: 500\r\n\r\n${next}`).messages).toEqual([next]);
    expect(readText(`${frame(next)}Segmentation fault`)).toMatchObject({
      messages: [next],
      junk: ['Segmentation fault'],
    });
  });
});

/** Frames and what stands between them: what is to be seen of each. */
const piece: Arbitrary<{ readonly text: string; readonly message?: string }> = constantFrom('frame', 'junk').chain(
  (kind) => {
    const lineEnd = constantFrom('\r\n', '\n');
    if (kind === 'junk') {
      const content = string({ unit: constantFrom('a', ':', ' ', 'é', '{', '"', '🚀', '--'), maxLength: 300 });
      return tuple(content, constantFrom('', '\n', '\r\n')).map(([text, end]) => ({ text: text + end }));
    }
    const name = constantFrom('Content-Length', 'content-length', 'CONTENT-LENGTH');
    const content = string({ unit: constantFrom('a', 'é', '🚀', '\r\n', '\u2028', 'Content-Length: 3\r\n\r\n') });
    const other = constantFrom('', 'Content-Type: x', 'X-Other: 12');
    return record({ lineEnd, name, content, other }).map((given) => {
      const message = reply(1, given.content);
      const header = `${given.name}: ${Buffer.byteLength(message)}${given.lineEnd}`;
      const others = given.other === '' ? '' : given.other + given.lineEnd;
      return { text: `${header}${others}${given.lineEnd}${message}`, message };
    });
  },
);

describe('whatever the reads', () => {
  it('T6: frames with junk between them are the same messages however the bytes are cut', () => {
    const check = property(array(piece), sizes, (pieces, given) => {
      const data = bytes(pieces.map(({ text }) => text).join(''));
      expect(read(cut(data, given)).messages).toEqual(pieces.flatMap(({ message }) => message ?? []));
    });
    assert(check, { numRuns: 500 });
  });

  it('T6: bytes of any kind, with lengths of any kind, are read the same however they are cut', () => {
    const texts = [
      'Content-Length: 5',
      'Content-Length: 40',
      'content-length:-1',
      'Content-Type: x',
      'Content-Le',
      'ngth: 7',
    ];
    const others = ['\r\n\r\n', '\r\n', '\n', '{"a":1}', '{"a":', 'x', 'é', 'y'.repeat(100), '\uFEFF', ' '];
    const part = constantFrom(...texts, ...others);
    const check = property(array(part, { maxLength: 40 }), sizes, (parts, given) => {
      const data = bytes(parts.join(''));
      const limits = { messageBytes: 30, headerBytes: 128, unbrokenBytes: 400 };
      const whole = read([data], limits);
      expect(read(cut(data, given), limits)).toEqual(whole);
    });
    assert(check, { numRuns: 1_000 });
  });
});
