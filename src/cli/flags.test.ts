import { expect, it } from 'vitest';
import { TrestleError } from '../base/index.ts';
import { commandPlace, type FlagTable, parseWords } from './flags.ts';

const table = {
  json: { kind: 'switch', doc: '' },
  output: { kind: 'text', value: 'FILE', short: 'o', doc: '' },
  env: { kind: 'texts', value: 'NAME', doc: '' },
  timeout: { kind: 'seconds', doc: '' },
  transport: { kind: 'text', value: 'KIND', choices: ['sse', 'streamable'], doc: '' },
} as const satisfies FlagTable;

function parse(...argv: readonly string[]) {
  return parseWords(table, { program: { name: 'trestle' }, argv }, { at: 0 });
}

function refusal(...argv: readonly string[]): TrestleError {
  try {
    parse(...argv);
  } catch (thrown) {
    if (thrown instanceof TrestleError) return thrown;
  }
  throw new Error('it was accepted');
}

it('L1: flags stand anywhere before "--", words keep their places, what follows "--" is untouched', () => {
  const parsed = parse(
    'call',
    '--json',
    'everything',
    '-o',
    'out.txt',
    'echo',
    '--env=A=1',
    '--env',
    'B',
    '--',
    'npx',
    '--json',
  );
  expect(parsed.flags).toEqual({
    json: true,
    output: 'out.txt',
    env: ['A=1', 'B'],
    timeout: undefined,
    transport: undefined,
  });
  expect(parsed.words).toEqual([
    { text: 'everything', at: 2 },
    { text: 'echo', at: 5 },
  ]);
  expect(parsed.rest).toEqual(['npx', '--json']);
  expect(parsed.flagPlaces.get('output')).toEqual({ at: 4, inline: false });
  expect(parsed.flagPlaces.get('env')).toEqual({ at: 8, inline: false });
});

it('L1: seconds become milliseconds; what is no number above 0 is refused', () => {
  expect(parse('call', '--timeout', '1.5').flags.timeout).toBe(1500);
  for (const text of ['0', '-1', 'soon', '', 'NaN', 'Infinity']) {
    expect(refusal('call', `--timeout=${text}`)).toMatchObject({ code: 'usage' });
  }
});

it('L1: a negative number and a lone dash are words or values, not flags', () => {
  expect(parse('call', '-3', '-', '-.5').words.map(({ text }) => text)).toEqual(['-3', '-', '-.5']);
});

it('L8: a misspelt flag is refused with the typed command corrected', () => {
  expect(refusal('list', '--jsno', 'my server').hint).toBe("Did you mean: trestle list --json 'my server'");
  expect(refusal('list', '--outptu=a b').hint).toBe("Did you mean: trestle list '--output=a b'");
  expect(refusal('list', '-x')).toMatchObject({ code: 'usage', execution: 'not-sent' });
});

it('L3: a missing value, a value too many and an unknown choice are usage errors that name the flag', () => {
  expect(refusal('list', '--output').message).toContain('--output');
  expect(refusal('list', '--json=yes').message).toContain('--json');
  expect(refusal('list', '--transport', 'pigeon').message).toContain('sse, streamable');
});

it('L1: names of object members are no flags', () => {
  expect(refusal('list', '--constructor')).toMatchObject({ code: 'usage' });
  expect(refusal('list', '--__proto__')).toMatchObject({ code: 'usage' });
});

it('L1: the command is the first word that is neither a flag nor the value of --home', () => {
  expect(commandPlace(['--home', 'pi', '--json', 'list'])).toBe(3);
  expect(commandPlace(['--home=pi', 'list'])).toBe(1);
  expect(commandPlace(['--help'])).toBe(-1);
  expect(commandPlace(['--', 'list'])).toBe(-1);
});
