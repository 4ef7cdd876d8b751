import { expect, it } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { limits } from '../../base/index.ts';
import type { Question } from '../../runtime/index.ts';
import { askIn, dialogsOf, isDialogOpen } from './dialogs.ts';
import type { DialogOptions, PiUi } from './pi.ts';

interface Shown {
  readonly title: string;
  readonly options: readonly string[];
  readonly given: DialogOptions | undefined;
}

function ui(answer: string | undefined): { readonly ui: PiUi; readonly shown: Shown[] } {
  const shown: Shown[] = [];
  return {
    shown,
    ui: {
      notify: () => expect.unreachable(),
      select: async (title, options, given) => {
        shown.push({ title, options, given });
        return answer;
      },
      confirm: () => expect.unreachable(),
      input: async (title, _placeholder, given) => {
        shown.push({ title, options: [], given });
        return answer;
      },
      setStatus: () => expect.unreachable(),
    },
  };
}

const question: Question = {
  id: 'q1',
  kind: 'use',
  server: 'demo',
  title: 'Use the server demo?',
  facts: [
    { label: 'Defined in', value: '/home/user/.pi/agent/mcp-servers.json' },
    { label: 'Command', value: 'node demo.mjs' },
  ],
  covers: 'A yes covers this entry.',
  choices: [
    { id: 'once', label: 'Yes, this once' },
    { id: 'always', label: 'Yes, always' },
    { id: 'no', label: 'No' },
  ],
  deadlineMs: 120_000,
};

it('K1, N1: a question shows all that is known, what a yes covers, and a list that begins with No', async () => {
  const { ui: asked, shown } = ui('Yes, always');
  const { signal } = new AbortController();
  expect(await askIn({ ui: asked })(question, signal)).toBe('always');
  expect(shown).toEqual([
    {
      title: [
        'Use the server demo?',
        '  Defined in: /home/user/.pi/agent/mcp-servers.json',
        '  Command:    node demo.mjs',
        'A yes covers this entry.',
      ].join('\n'),
      options: ['No', 'Yes, this once', 'Yes, always'],
      given: { signal, timeout: 120_000 },
    },
  ]);
});

it.each([undefined, 'something else', ''])('K1: an answer of %j is none', async (answer) => {
  const { signal } = new AbortController();
  expect(await askIn(ui(answer))(question, signal)).toBe('no');
  expect(await dialogsOf(ui(answer)).confirm(['Approve this?'], false, signal)).toBeUndefined();
});

it('K1: a dialog that the end of its time or of the turn has closed was answered by nobody', async () => {
  const { signal } = new AbortController();
  expect(await askIn(ui(undefined))({ ...question, deadlineMs: 1 }, signal)).toBeUndefined();
  expect(await askIn(ui(undefined))(question, AbortSignal.abort())).toBeUndefined();
});

it('K1: nobody is asked who types, since what they type would answer; a line that was left is no reason to wait', async () => {
  const clock = createManualClock();
  const { signal } = new AbortController();
  const lines = ['just do', 'just do it', 'just do it', 'just do it'];
  const { ui: asked, shown } = ui('No');
  const typing: PiUi = { ...asked, getEditorText: () => (lines.length > 1 ? lines.shift() : lines[0]) ?? '' };
  const answer = askIn({ ui: typing }, clock)(question, signal);
  await clock.advance(limits.typingPauseMs);
  expect(shown).toEqual([]);
  await clock.advance(limits.typingPauseMs);
  expect(shown).toHaveLength(1);
  expect(await answer).toBe('no');
});

it('N1: a yes or no begins with what is usual, which is No where something would be changed', async () => {
  const { signal } = new AbortController();
  for (const usual of [true, false]) {
    const { ui: asked, shown } = ui(usual ? 'No' : 'Yes');
    expect(await dialogsOf({ ui: asked }).confirm(['Keep them in the secret store?'], usual, signal)).toBe(!usual);
    expect(shown[0]?.options[0]).toBe(usual ? 'Yes' : 'No');
  }
});

it('N1: Esc is that of a dialog while one is open, however it ends', async () => {
  const { signal } = new AbortController();
  const open: boolean[] = [];
  const looking = (end: () => Promise<string | undefined>): PiUi => ({
    ...ui(undefined).ui,
    select: () => (Promise.resolve().then(() => open.push(isDialogOpen())), end()),
  });
  await askIn({ ui: looking(async () => 'No') })(question, signal);
  await expect(
    dialogsOf({ ui: looking(() => Promise.reject(new Error('gone'))) }).choose(['a'], ['b'], signal),
  ).rejects.toThrow('gone');
  expect([open, isDialogOpen()]).toEqual([[true, true], false]);
});

it('N1: a line that is asked for can be given up', async () => {
  const { signal } = new AbortController();
  const { ui: asked, shown } = ui(undefined);
  expect(await dialogsOf({ ui: asked }).enter(['Paste it.', '', 'https://a.example'], signal)).toBeUndefined();
  expect(shown).toEqual([{ title: 'Paste it.\n\nhttps://a.example', options: [], given: { signal } }]);
});
