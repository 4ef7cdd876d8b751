import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commandLine, correctedCommand } from './typed-command.ts';

const typed = {
  program: { name: 'trestle' },
  argv: ['call', 'everythin', 'echo', "message=it's $HOME", '--', 'node', 'a b.mjs'],
};

it('L8: only the wrong word is replaced, added words come before "--", all is quoted for a shell', () => {
  expect(correctedCommand(typed, [{ at: 1, words: ['everything'] }], ['n:=1'])).toBe(
    `trestle call everything echo 'message=it'\\''s $HOME' n:=1 -- node 'a b.mjs'`,
  );
});

it('L8: a word without replacement is left out', () => {
  expect(correctedCommand({ program: { name: 'npx trestle' }, argv: ['list', 'a', 'b'] }, [{ at: 1, words: [] }])).toBe(
    'npx trestle list b',
  );
});

it.skipIf(process.platform === 'win32')('L8: a shell reads the corrected command as the very words', () => {
  const odd = ['a b', "it's", '$HOME', '`id`', '"', '\\', '*', '', 'line\nbreak', 'é', '~', '#x', 'a=b', '!!'];
  const command = correctedCommand({ program: { name: '' }, argv: odd }, []);
  const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  const output = execFileSync('sh', ['-c', `'${process.execPath}' -e '${script}' -- ${command}`], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual(odd);
});

it('L8: another command is over the home that was typed; what was typed has it already', () => {
  const argv = ['list', 'everythin', '--home', 'pi'];
  const overPi = { program: { name: 'trestle', flags: '--home pi' }, argv };
  expect(commandLine(overPi, 'sync', 'everything')).toBe('trestle --home pi sync everything');
  expect(correctedCommand(overPi, [{ at: 1, words: ['everything'] }])).toBe('trestle list everything --home pi');
});

const inside = {
  program: { name: '/x', inside: { commands: new Set(['list', 'approve']), elsewhere: 'trestle --home pi' } },
  argv: ['list', 'everythin'],
};

it('N1: another command is one of the host where it has that, else one for a shell; what was typed was typed here', () => {
  expect(commandLine(inside, 'approve', 'a b', '--connect')).toBe("/x approve 'a b' --connect");
  expect(commandLine(inside, 'secret', 'set', 'key')).toBe('trestle --home pi secret set key');
  expect(correctedCommand(inside, [{ at: 1, words: ['everything'] }])).toBe('/x list everything');
});
