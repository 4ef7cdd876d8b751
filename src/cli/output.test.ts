import { expect, it } from 'vitest';
import { createOutput, type TextStream } from './output.ts';

function fakeStream(facts: Partial<TextStream> = {}) {
  const chunks: (string | Uint8Array)[] = [];
  let fail: ((error: Error) => void) | undefined;
  const stream: TextStream & { readonly chunks: readonly (string | Uint8Array)[]; fail(error: Error): void } = {
    chunks,
    write(chunk, done) {
      chunks.push(chunk);
      setImmediate(done);
      return true;
    },
    on: (_event, listener) => {
      fail = listener;
    },
    fail: (error) => fail?.(error),
    ...facts,
  };
  return stream;
}

function output(env: Record<string, string> = {}, terminal = false) {
  const stdout = fakeStream({ isTTY: terminal });
  const stderr = fakeStream({ isTTY: terminal });
  return { stdout, stderr, output: createOutput({ stdout, stderr, env, json: false, program: { name: 'trestle' } }) };
}

it('L2: drained resolves only when the stream took the last byte', async () => {
  let taken: (() => void) | undefined;
  const stdout = fakeStream({
    write(_chunk, done) {
      taken = () => done();
      return false;
    },
  });
  const out = createOutput({ stdout, stderr: fakeStream(), env: {}, json: false, program: { name: 'trestle' } });
  void out.write('result');
  const drained = out.drained().then(() => 'drained');
  const turn = new Promise((resolve) => setImmediate(() => resolve('waiting')));
  expect(await Promise.race([drained, turn])).toBe('waiting');
  taken?.();
  expect(await drained).toBe('drained');
});

it('L2: a reader that left (EPIPE) is quiet, and later writes are dropped', async () => {
  const { stdout, stderr, output: out } = output();
  stdout.fail(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await out.write('more');
  expect(stdout.chunks).toEqual([]);
  expect(stderr.chunks).toEqual([]);
  expect(out.loss()).toBeUndefined();
});

it('L2: a device that takes no more is a loss that is told', async () => {
  const full = Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' });
  const stdout = fakeStream({ write: (_chunk, done) => (done(full), true) });
  const out = createOutput({ stdout, stderr: fakeStream(), env: {}, json: false, program: { name: 'trestle' } });
  await out.write('result');
  expect(out.loss()).toMatchObject({
    code: 'file_error',
    message: expect.stringContaining('no space is left') as string,
  });
});

it('C5: a note is cleaned and stays on one line', async () => {
  const { stderr, output: out } = output();
  out.note('evil\u001B[2Jtext\nsecond\u202Eline');
  await out.drained();
  expect(stderr.chunks).toEqual(['note: eviltext secondline\n']);
});

it('L4: colour on terminals only, never with NO_COLOR, always with FORCE_COLOR', () => {
  const colour = (env: Record<string, string>, terminal: boolean): boolean => output(env, terminal).output.style.colour;
  expect(colour({}, true)).toBe(true);
  expect(colour({}, false)).toBe(false);
  expect(colour({ NO_COLOR: '1' }, true)).toBe(false);
  expect(colour({ NO_COLOR: '1', FORCE_COLOR: '1' }, true)).toBe(false);
  expect(colour({ FORCE_COLOR: '1' }, false)).toBe(true);
  expect(colour({ FORCE_COLOR: '0' }, true)).toBe(false);
  expect(colour({ TERM: 'dumb' }, true)).toBe(false);
});
