import { expect, it } from 'vitest';
import { personAtDialogs } from './sign-in-person.ts';

const { signal } = new AbortController();
const unasked = (): never => expect.unreachable();
const page = 'https://a.example/authorize?state=s';

it('K6: a dialog shows the page of this sign-in, and asks again where nothing was pasted', async () => {
  const lines = ['', '  ', 'http://127.0.0.1:1/callback?code=c&state=s'];
  const shown: (readonly string[])[] = [];
  const enter = async (about: readonly string[]): Promise<string | undefined> => {
    shown.push(about);
    return lines.shift();
  };
  const person = personAtDialogs({ confirm: unasked, choose: unasked, enter }, { env: {}, platform: 'linux' }, true);
  await person.showPage(page);
  expect(await person.pasted?.(signal, page)).toBe('http://127.0.0.1:1/callback?code=c&state=s');
  expect(shown).toHaveLength(3);
  for (const about of shown) expect(about).toContain(page);
});

it('K6: who closes the dialog wants no sign-in', async () => {
  const dialogs = { confirm: unasked, choose: unasked, enter: async () => undefined };
  const person = personAtDialogs(dialogs, { env: {}, platform: 'linux' }, true);
  await expect(person.pasted?.(signal, page)).rejects.toMatchObject({ code: 'cancelled' });
});
