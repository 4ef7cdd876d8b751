import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { correctedCommand, pasteable } from './typed-command.ts';

const typed = {
  program: 'trestle',
  argv: ['call', 'everythin', 'echo', "message=it's $HOME", '--', 'node', 'a b.mjs'],
};

it('L8: only the wrong word is replaced, added words come before "--", all is quoted for a shell', () => {
  expect(correctedCommand(typed, [{ at: 1, words: ['everything'] }], ['n:=1'])).toBe(
    `trestle call everything echo 'message=it'\\''s $HOME' n:=1 -- node 'a b.mjs'`,
  );
});

it('L8: a word without replacement is left out', () => {
  expect(correctedCommand({ program: 'npx trestle', argv: ['list', 'a', 'b'] }, [{ at: 1, words: [] }])).toBe(
    'npx trestle list b',
  );
});

it.skipIf(process.platform === 'win32')('L8: a shell reads the corrected command as the very words', () => {
  const odd = ['a b', "it's", '$HOME', '`id`', '"', '\\', '*', '', 'line\nbreak', 'é', '~', '#x', 'a=b', '!!'];
  const command = correctedCommand({ program: '', argv: odd }, []);
  const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  const output = execFileSync('sh', ['-c', `'${process.execPath}' -e '${script}' -- ${command}`], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual(odd);
});

it('L8: a command of ours in a text from below runs as pasted, and what was typed stays as it is', () => {
  const hint = 'Set it: trestle secret set api; then try "trestle call". Trestle keeps it beside /opt/trestle lib.';
  expect(pasteable(hint, 'npx trestle')).toBe(
    'Set it: npx trestle secret set api; then try "npx trestle call". Trestle keeps it beside /opt/trestle lib.',
  );
  const corrected = "Did you mean: npx trestle call everything echo 'message=run trestle list'";
  expect(pasteable(corrected, 'npx trestle')).toBe(corrected);
  expect(pasteable(hint, 'trestle')).toBe(hint);
});
