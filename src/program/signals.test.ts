import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { listenForInterruption, type SignalSource } from './signals.ts';

function source() {
  const emitter = new EventEmitter();
  const exits: number[] = [];
  const signals: SignalSource = {
    on: (signal, listener) => emitter.on(signal, listener),
    off: (signal, listener) => emitter.off(signal, listener),
    exit: (code) => {
      exits.push(code);
    },
  };
  return { emitter, exits, signals };
}

it('L3: the first Ctrl-C aborts the work with a cancelled error, the second exits at once', () => {
  const { emitter, exits, signals } = source();
  using interruption = listenForInterruption(signals);
  expect(interruption.exitCode()).toBeUndefined();
  emitter.emit('SIGINT');
  expect(interruption.signal.reason).toMatchObject({ code: 'cancelled' });
  expect(interruption.exitCode()).toBe(130);
  expect(exits).toEqual([]);
  emitter.emit('SIGINT');
  expect(exits).toEqual([130]);
});

it('L3: SIGTERM and SIGHUP end with 143 and 129', () => {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const { emitter, signals } = source();
    using interruption = listenForInterruption(signals);
    emitter.emit(signal);
    expect(interruption.exitCode()).toBe(code);
  }
});

it('L3: nothing listens any more afterwards', () => {
  const { emitter, signals } = source();
  listenForInterruption(signals)[Symbol.dispose]();
  expect(emitter.eventNames()).toEqual([]);
});
