import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readLine } from './read-line.ts';

const never = new AbortController().signal;

describe('a line that is typed', () => {
  it('L4: comes without its end, in one piece, and the next one after it', async () => {
    const source = new PassThrough();
    const first = readLine(source, never);
    source.write('ye');
    source.write('s\n');
    expect(await first).toBe('yes');
    const second = readLine(source, never);
    source.write('no\n');
    expect(await second).toBe('no');
  });

  it('L4: is undefined at the end of the input', async () => {
    const source = new PassThrough();
    const line = readLine(source, never);
    source.end();
    expect(await line).toBeUndefined();
  });

  it('K6: what is piped in may lack its last line end', async () => {
    const source = new PassThrough();
    const line = readLine(source, never);
    source.end('http://127.0.0.1/?code=x');
    expect(await line).toBe('http://127.0.0.1/?code=x');
  });

  it('L3: is not waited for after an interrupt', async () => {
    const source = new PassThrough();
    const abort = new AbortController();
    const line = readLine(source, abort.signal);
    abort.abort(new Error('Ctrl-C'));
    await expect(line).rejects.toThrow('Ctrl-C');
    await expect(readLine(source, abort.signal)).rejects.toThrow('Ctrl-C');
    expect(source.listenerCount('data')).toBe(0);
  });
});
