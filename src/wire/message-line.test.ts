import { describe, expect, it } from 'vitest';
import { readLine } from './message-line.ts';

describe('one line of output', () => {
  it('T2: a byte order mark, CR and spaces around a message are tolerated', () => {
    const message = { jsonrpc: '2.0', id: 1, result: {} };
    expect(readLine(`\uFEFF ${JSON.stringify(message)} \r`)).toEqual({ kind: 'messages', messages: [message] });
  });

  it.each(['', ' ', '\r', '\t \r', '\uFEFF'])('T2: %j is blank', (text) => {
    expect(readLine(text)).toEqual({ kind: 'blank' });
  });

  it.each([
    'Server listening',
    '\u001B[32mok\u001B[0m',
    '{"level":"info","id":4}',
    'null',
    '42',
    '"text"',
    '[]',
    '{}',
    '[1]',
  ])('T4: %s is noise', (text) => expect(readLine(text)).toEqual({ kind: 'noise' }));

  it('a batch is its messages', () => {
    const [a, b] = [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', method: 'n' },
    ];
    expect(readLine(JSON.stringify([a, b]))).toEqual({ kind: 'messages', messages: [a, b] });
  });

  it('a reply that is no JSON says whom it answers', () => {
    expect(readLine('{"jsonrpc":"2.0","id":7,"result":{"text":"a\u0007"}')).toEqual({ kind: 'broken', id: 7 });
  });

  it.each(['{"level":"info","id":7,', '{"jsonrpc":"2.0","method":"m","id":7', '{"jsonrpc":"2.0","result":{"id":7}'])(
    'T4: %s is noise, not a broken reply',
    (text) => expect(readLine(text)).toEqual({ kind: 'noise' }),
  );
});
