import { expect, it } from 'vitest';
import { limits } from '../../base/index.ts';
import type { ChoiceId, Question } from '../../runtime/index.ts';
import { createRefusals } from './refusals.ts';

const about = (kind: Question['kind'], title: string): Question => ({
  id: title,
  kind,
  server: 'demo',
  title,
  facts: [],
  covers: '',
  choices: [],
  deadlineMs: 1_000,
});

function asked(answer: ChoiceId | undefined) {
  const spared: string[] = [];
  const refusals = createRefusals((title) => spared.push(title));
  let times = 0;
  const ask = (kind: Question['kind'], title: string): Promise<ChoiceId | undefined> =>
    refusals.askUnlessRefused(about(kind, title), async () => ((times += 1), answer));
  return { ask, spared, times: () => times, forget: () => refusals.forget() };
}

it.each(['no', undefined] as const)(
  'K1, N1: a person who answered %j about a server as a whole is not asked about it again until they speak',
  async (answer) => {
    for (const kind of ['connect', 'sign-in'] as const) {
      const { ask, spared, times, forget } = asked(answer);
      await ask(kind, 'Start the server demo?');
      expect(await ask(kind, 'Start the server demo?')).toBe('no');
      expect([times(), spared]).toEqual([1, ['Start the server demo?']]);
      await ask(kind, 'Start the server other?');
      forget();
      await ask(kind, 'Start the server demo?');
      expect(times()).toBe(3);
    }
  },
);

it('K1, N1: noes to calls of a tool end questions about it a little later, since one may have been to its arguments', async () => {
  const { ask, spared, times } = asked('no');
  for (let time = 0; time < limits.refusedCalls + 3; time += 1) await ask('call', 'Call demo/delete?');
  expect([times(), spared.length]).toEqual([limits.refusedCalls, 3]);
  await ask('call', 'Call demo/read?');
  expect(times()).toBe(limits.refusedCalls + 1);
});

it('K1, N1: who says yes is asked each time', async () => {
  const { ask, times } = asked('once');
  for (let time = 0; time < 5; time += 1) expect(await ask('call', 'Call demo/delete?')).toBe('once');
  expect(times()).toBe(5);
});
