import { expect, it } from 'vitest';
import type { Question } from '../../runtime/index.ts';
import { askIn, dialogsOf } from './dialogs.ts';
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
  expect(await askIn(ui(answer))(question, signal)).toBeUndefined();
  expect(await dialogsOf(ui(answer)).confirm(['Approve this?'], signal)).toBe(false);
});

it('N1: a line that is asked for can be given up', async () => {
  const { signal } = new AbortController();
  const { ui: asked, shown } = ui(undefined);
  expect(await dialogsOf({ ui: asked }).enter(['Paste it.', '', 'https://a.example'], signal)).toBeUndefined();
  expect(shown).toEqual([{ title: 'Paste it.\n\nhttps://a.example', options: [], given: { signal } }]);
});
