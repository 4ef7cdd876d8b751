import { expect, it } from 'vitest';
import type { CommandContext } from './command.ts';
import { askChoice, askText, askYesOrNo, canAsk } from './questions.ts';

/** A command at a terminal where these lines are typed; none: no terminal. */
function context(lines: readonly (string | undefined)[] | undefined): CommandContext & { readonly shown: string[] } {
  const left = [...(lines ?? [])];
  const shown: string[] = [];
  const answer = async (): Promise<string | undefined> => left.shift();
  const surroundings = {
    env: {},
    inputTerminal: lines !== undefined,
    readLine: answer,
    readHidden: async () => (await answer()) ?? '',
  };
  const output = { json: false, errorTerminal: true, error: (text: string) => shown.push(text) };
  return { surroundings, output, signal: new AbortController().signal, shown } as unknown as CommandContext & {
    shown: string[];
  };
}

it('L4: a yes is a yes, everything else is a no, an empty line is the usual answer, and no line is none', async () => {
  const at = context(['y', 'YES', 'n', 'maybe', '', '', undefined]);
  const answers: unknown[] = [];
  for (const usual of [false, false, true, true, true, false, true])
    answers.push(await askYesOrNo(at, 'Write?', usual));
  expect(answers).toEqual([true, true, false, false, true, false, undefined]);
  expect(at.shown[0]).toBe('Write? [y/N] ');
});

it('L4: a choice is taken by its beginning where that is of one alone; for an empty line and at the end it is the first', async () => {
  const at = context(['rep', 'REN', '', undefined, 'dev']);
  const answers: string[] = [];
  for (let time = 0; time < 4; time += 1) answers.push(await askChoice(at, 'What?', ['keep', 'replace', 'rename']));
  expect(answers).toEqual(['replace', 'rename', 'keep', 'keep']);
  expect(await askChoice(at, 'Where?', ['Dev-2', 'Dev'])).toBe('Dev');
  expect(at.shown[0]).toBe('What? [keep/replace/rename] (Enter: keep) ');
});

it('L4: what two choices begin with, or none, is asked again and decides nothing', async () => {
  const at = context(['r', 'nonsense', 'rename']);
  expect(await askChoice(at, 'What?', ['keep', 'replace', 'rename'])).toBe('rename');
  expect(at.shown.filter((text) => text === 'Type one of keep, replace, rename.\n')).toHaveLength(2);
});

it('L4: where there is no terminal nobody is asked, and nothing counts as an answer', async () => {
  const at = context(undefined);
  expect(canAsk(at)).toBe(false);
  expect(await askYesOrNo(at, 'Write?', true)).toBeUndefined();
  expect(await askText(at, 'Key', true)).toBeUndefined();
  expect(at.shown).toEqual([]);
});

it.each<[where: string, seat: { env?: Record<string, string>; errorTerminal?: boolean }, isAsked: boolean]>([
  ['a terminal', {}, true],
  ['a terminal whose standard error goes elsewhere', { errorTerminal: false }, false],
  ['a build server', { env: { CI: 'true' } }, false],
  ['a shell where CI means no', { env: { CI: 'false' } }, true],
  ['an agent that says so', { env: { TRESTLE_NO_QUESTIONS: '1' } }, false],
  ['a shell where that means no', { env: { TRESTLE_NO_QUESTIONS: '0', CI: '' } }, true],
])('L4: at %s a person is asked only where they sit', (_, { env = {}, errorTerminal = true }, isAsked) => {
  const at = context([]);
  const { surroundings, output } = at;
  const seated = { ...at, surroundings: { ...surroundings, env }, output: { ...output, errorTerminal } };
  expect(canAsk(seated as unknown as CommandContext)).toBe(isAsked);
});

it('N1: where a host asks by dialogs they are what answers; what is hidden is not asked, since they show it', async () => {
  const asked: unknown[] = [];
  const answering = (says: string | undefined): CommandContext => ({
    ...context(undefined),
    dialogs: {
      confirm: async (about, usual) => (asked.push([...about, usual]), says === undefined ? undefined : says === 'yes'),
      choose: async (about, choices) => (asked.push(about, choices), choices.find((choice) => choice === says)),
      enter: async (about) => (asked.push(about), says),
    },
  });
  expect(canAsk(answering(undefined))).toBe(true);
  expect(await askYesOrNo(answering('yes'), 'Write?', false)).toBe(true);
  expect(await askYesOrNo(answering('no'), 'Write?', true)).toBe(false);
  expect(await askYesOrNo(answering(undefined), 'Write?', true)).toBeUndefined();
  expect(await askChoice(answering('replace'), 'What?', ['keep', 'replace'])).toBe('replace');
  expect(await askChoice(answering(undefined), 'What?', ['keep', 'replace'])).toBe('keep');
  expect(await askText(answering(' a '), 'Key', false)).toBe('a');
  expect(await askText(answering('a'), 'Key', true)).toBeUndefined();
  expect(asked).toEqual([
    ['Write?', false],
    ['Write?', true],
    ['Write?', true],
    ['What?'],
    ['keep', 'replace'],
    ['What?'],
    ['keep', 'replace'],
    ['Key'],
  ]);
});
