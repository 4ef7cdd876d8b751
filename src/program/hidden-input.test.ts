import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readHidden } from './hidden-input.ts';
import { readLine } from './read-line.ts';

class Terminal extends EventEmitter {
  readonly told: string[] = [];
  setRawMode(raw: boolean): void {
    this.told.push(raw ? 'raw' : 'cooked');
  }
  setEncoding(): void {}
  resume(): void {
    this.told.push('resumed');
  }
  pause(): void {
    this.told.push('paused');
  }
  async typing(...texts: readonly string[]): Promise<string> {
    const line = readHidden(this);
    for (const text of texts) this.emit('data', text);
    return line;
  }
}

it('K4: a line is read without its end, with what was deleted and what moves the cursor left out', async () => {
  expect(await new Terminal().typing('to', 'ken', '\r')).toBe('token');
  expect(await new Terminal().typing('tox\u007fk🔑\u007fen\u001b[D\u001bOA\n', 'more')).toBe('token');
  expect(await new Terminal().typing('pasted\nsecond line\n')).toBe('pasted');
  expect(await new Terminal().typing('\u007f\u0004')).toBe('');
});

it('K4: the terminal shows again what is typed, whatever happened', async () => {
  const done = new Terminal();
  await done.typing('x\r');
  expect(done.told).toEqual(['raw', 'resumed', 'cooked', 'paused']);
  const interrupted = new Terminal();
  await expect(interrupted.typing('x\u0003')).rejects.toMatchObject({ code: 'cancelled' });
  expect(interrupted.told).toEqual(['raw', 'resumed', 'cooked', 'paused']);
  expect(done.listenerCount('data') + interrupted.listenerCount('data')).toBe(0);
});

it('K4, L4: it is read also after lines that were shown, and lines after it', async () => {
  const never = new AbortController().signal;
  const terminal = Object.assign(new PassThrough(), { setRawMode: () => undefined });
  const typed = async <T>(line: Promise<T>, text: string): Promise<T> => {
    terminal.write(text);
    return line;
  };
  expect(await typed(readLine(terminal, never), 'yes\n')).toBe('yes');
  expect(await typed(readHidden(terminal), 'token\r')).toBe('token');
  expect(await typed(readHidden(terminal), 'another\r')).toBe('another');
  expect(await typed(readLine(terminal, never), 'no\n')).toBe('no');
});
