import { expect, it } from 'vitest';
import { dialogsOf } from './dialogs.ts';
import { escapeHint, onEscape } from './escape.ts';
import type { PiContext } from './pi.ts';

type Listener = Parameters<NonNullable<PiContext['ui']['onTerminalInput']>>[0];

function window({ idle = true, line = '', mode }: { idle?: boolean; line?: string; mode?: PiContext['mode'] } = {}) {
  const listeners = new Set<Listener>();
  const context = {
    ...(mode === undefined ? {} : { mode }),
    isIdle: () => idle,
    ui: {
      getEditorText: () => line,
      onTerminalInput: (listener: Listener) => (listeners.add(listener), () => void listeners.delete(listener)),
    },
  } as unknown as PiContext;
  let ended = 0;
  const stop = onEscape(context, () => (ended += 1));
  const type = (data: string): boolean => [...listeners].some((listener) => listener(data)?.consume === true);
  return { context, type, stop, ended: () => ended, listeners };
}

it.each(['\u001B', '\u001B[27u', '\u001B[27;1u', '\u001B[27;65:1u', '\u001B[27;1;27~'])(
  'N1: Esc as %j ends what a command does, and goes nowhere else',
  (data) => {
    const { type, ended, context } = window();
    expect([type(data), ended()]).toEqual([true, 1]);
    expect(escapeHint(context)).toContain('Esc');
  },
);

it.each(['a', '\r', '\u001B[A', '\u001B[27;5u', '\u001B[27;1:3u', '\u001B\u001B', '\u001B[13u'])(
  'N1: what is no Esc (%j) is left to Pi',
  (data) => {
    const { type, ended } = window();
    expect([type(data), ended()]).toEqual([false, 0]);
  },
);

it.each([{ idle: false }, { line: 'a line' }, { mode: 'rpc' }] as const)(
  'N1: Esc is left to what it is for otherwise: %j',
  (state) => {
    const { type, ended, context } = window(state);
    expect([type('\u001B'), ended(), escapeHint(context)]).toEqual([false, 0, '']);
  },
);

it('N1: nothing is listened to after the end, nor where Pi has no window to listen to, nor of a session that is replaced', () => {
  const { stop, listeners } = window();
  stop();
  expect(listeners.size).toBe(0);
  expect(() => onEscape({ ui: {} } as unknown as PiContext, () => {})()).not.toThrow();
  const gone = window();
  Object.defineProperty(gone.context, 'isIdle', {
    get: () => {
      throw new Error('replaced');
    },
  });
  expect([gone.type('\u001B'), gone.ended()]).toEqual([false, 0]);
});

it('N1: a dialog that is open has Esc for itself', async () => {
  const { type, ended, context } = window();
  const dialog = Promise.withResolvers<string | undefined>();
  const shown = Promise.withResolvers<void>();
  context.ui.select = () => (shown.resolve(), dialog.promise);
  const answer = dialogsOf(context).confirm(['Sure?'], false, new AbortController().signal);
  await shown.promise;
  await Promise.resolve();
  expect([type('\u001B'), ended(), escapeHint(context)]).toEqual([false, 0, '']);
  dialog.resolve(undefined);
  await answer;
  expect([type('\u001B'), ended()]).toEqual([true, 1]);
});
