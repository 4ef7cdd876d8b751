import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readLine } from './line-input.ts';

async function first(work: Promise<string>): Promise<string | undefined> {
  return await Promise.race([work, new Promise<undefined>((resolve) => setImmediate(() => setImmediate(() => resolve(undefined))))]);
}

describe('a line of standard input', () => {
  it('K6: is the first that holds something, in whatever pieces it comes', async () => {
    const source = new PassThrough();
    const line = readLine(source, new AbortController().signal);
    source.write('\n  \nhttp://127');
    expect(await first(line)).toBeUndefined();
    source.write('.0.0.1/?code=x  \nmore\n');
    expect(await line).toBe('http://127.0.0.1/?code=x');
  });

  it('K6: may end without a line end; an empty input says nothing at all', async () => {
    const [one, none] = [new PassThrough(), new PassThrough()];
    const line = readLine(one, new AbortController().signal);
    const nothing = readLine(none, new AbortController().signal);
    one.end('abc');
    none.end();
    expect(await line).toBe('abc');
    expect(await first(nothing)).toBeUndefined();
  });

  it('K6: is not read any more when nobody wants it', async () => {
    const source = new PassThrough();
    const abort = new AbortController();
    const line = readLine(source, abort.signal);
    abort.abort();
    source.write('late\n');
    expect(await first(line)).toBeUndefined();
    expect(source.isPaused()).toBe(true);
  });
});
