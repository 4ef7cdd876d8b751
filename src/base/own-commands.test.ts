import { expect, it } from 'vitest';
import { pasteable, pasteableFailure } from './own-commands.ts';

const hint = 'Set it: trestle secret set api; then try "trestle call". Trestle keeps it beside /opt/trestle lib.';

it('L8: a command of ours in a text from below runs as pasted, and what was typed stays as it is', () => {
  const npx = { name: 'npx trestle' };
  expect(pasteable(hint, npx)).toBe(
    'Set it: npx trestle secret set api; then try "npx trestle call". Trestle keeps it beside /opt/trestle lib.',
  );
  const corrected = "Did you mean: npx trestle call everything echo 'message=run trestle list'";
  expect(pasteable(corrected, npx)).toBe(corrected);
  expect(pasteable(hint, { name: 'trestle' })).toBe(hint);
});

it('L8: what was typed of the home goes on in every command, and stands in none twice', () => {
  const program = { name: 'trestle', flags: '--home pi' };
  expect(pasteable('Sync it: trestle sync api', program)).toBe('Sync it: trestle --home pi sync api');
  for (const right of ['Sync it: trestle --home pi sync api', 'Did you mean: trestle list api --home pi']) {
    expect(pasteable(right, program)).toBe(right);
  }
});

it('N1: inside of a host a command is the one that it has, and any other one for a shell, over the same home', () => {
  const program = { name: '/x', inside: { commands: new Set(['approve', 'call']), elsewhere: 'trestle --home pi' } };
  const told = pasteable(hint, program);
  expect(told).toBe(
    'Set it: trestle --home pi secret set api; then try "/x call". Trestle keeps it beside /opt/trestle lib.',
  );
  expect(pasteable('Approve it: trestle approve api --connect', program)).toBe('Approve it: /x approve api --connect');
  expect(pasteable(told, program)).toBe(told);
});

it('N1: what a script is given as the command is one that its person has', () => {
  const told = (text: string): string => pasteable(text, { name: '/x' });
  const failure = { code: 'auth_required', message: 'run trestle login a', hint: 'Sign in: trestle login a' } as const;
  expect(pasteableFailure({ ...failure, details: { command: 'trestle login a', url: 'b' } }, told)).toEqual({
    ...failure,
    hint: 'Sign in: /x login a',
    details: { command: '/x login a', url: 'b' },
  });
  expect(pasteableFailure({ code: 'usage', message: 'No.' }, told)).toEqual({ code: 'usage', message: 'No.' });
});
