import { expect, it } from 'vitest';
import { argumentsOf, argumentsText, correctPairs, guessPairs, parseArguments, readPairs } from './call-arguments.ts';
import { pairText } from './pair-text.ts';

const schema = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    count: { type: 'integer' },
    deep: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' } },
    options: { type: 'object' },
  },
  required: ['message'],
};

function read(...texts: readonly string[]) {
  return argumentsOf(readPairs(texts.map((text, index) => ({ text, at: index + 3 }))), schema);
}

it('L2: the schema decides how key=value is typed', () => {
  expect(read('message=42', 'count=42', 'deep=true', 'options={"a":1}', 'unknown=7')).toEqual({
    message: '42',
    count: 42,
    deep: true,
    options: { a: 1 },
    unknown: '7',
  });
});

it('L2: a value may hold "=", be empty, or span lines', () => {
  expect(read('message=a=b:=c')).toEqual({ message: 'a=b:=c' });
  expect(read('message=')).toEqual({ message: '' });
  expect(read('message=one\ntwo')).toEqual({ message: 'one\ntwo' });
});

it('L2: key:=json is strict JSON', () => {
  expect(read('message:="x"', 'count:=3')).toEqual({ message: 'x', count: 3 });
  expect(() => read('message:=hello')).toThrow(/is not JSON/);
});

it('L2: a repeated key makes a list where the schema wants one, else it is refused', () => {
  expect(read('tags=a', 'tags=1', 'ids=1', 'ids=2')).toEqual({ tags: ['a', '1'], ids: [1, 2] });
  expect(read('tags=only')).toEqual({ tags: ['only'] });
  expect(read('tags=["a","b"]', 'tags=c')).toEqual({ tags: ['a', 'b', 'c'] });
  expect(() => read('message=a', 'message=b')).toThrow(/given 2 times/);
});

it('L2: a word that is no pair is refused', () => {
  for (const text of ['hello', '=x', ':=1']) expect(() => read(text)).toThrow(/is not an argument/);
});

it('L2: __proto__ is a key like any other', () => {
  const args = read('__proto__=x');
  expect(Object.keys(args)).toEqual(['__proto__']);
});

it('L2: --args takes JSON, @FILE or standard input, and only an object', async () => {
  const sources = { path: (name: string) => name, input: () => Promise.resolve(new TextEncoder().encode('{"a":1}')) };
  expect(parseArguments(await argumentsText('-', sources), '-')).toEqual({ a: 1 });
  expect(parseArguments(await argumentsText('{"b":2}', sources), '{"b":2}')).toEqual({ b: 2 });
  await expect(argumentsText('@/no/such/file', sources)).rejects.toMatchObject({ code: 'file_error' });
  expect(() => parseArguments('[1]', '[1]')).toThrow(/must be a JSON object/);
  expect(() => parseArguments('{', '{')).toThrow(/is not JSON/);
});

it.each([
  ['{bad', /^Quote it for the shell: /],
  ['-', /^It came from standard input/],
  ['@a.json', /^Look at the file a\.json\.$/],
])('L8: what to do about JSON that is none depends on where it came from: %s', (given, hint) => {
  expect(() => parseArguments('{bad', given)).toThrow(
    expect.objectContaining({ code: 'usage', hint: expect.stringMatching(hint) as string }),
  );
});

it('L8: only wrong pairs are replaced, superfluous ones go, missing ones are added', () => {
  const pairs = readPairs(['message=hi', 'count=many', 'bogus=1'].map((text, index) => ({ text, at: index + 3 })));
  const given = argumentsOf(pairs, schema);
  const corrected = { message: 'hi', count: 42, tags: ['x'] };
  expect(correctPairs(pairs, given, { corrected, schema })).toEqual({
    corrections: [
      { at: 4, words: ['count=42'] },
      { at: 5, words: [] },
    ],
    added: ['tags=["x"]'],
  });
});

it('L8: a pair is written so that it is typed back to the same value', () => {
  expect(pairText(schema, 'message', 'true')).toBe('message=true');
  expect(pairText(schema, 'count', 3)).toBe('count=3');
  expect(pairText(schema, 'unknown', 3)).toBe('unknown:=3');
});

it.each([
  [['{"message":"x"}'], `--args '{"message":"x"}'`],
  [['@file.json'], '--args @file.json'],
  [['message:hello: you', 'count=2'], "'message=hello: you' count=2"],
  [['hello'], 'message=hello'],
  [['other:hello'], 'message=other:hello'],
  [['hello', 'count=2'], undefined],
])('L8: %j is put right as what is probably meant', (words, meant) => {
  const typed = { program: { name: 'trestle' }, argv: ['call', 'it', 'echo', ...words] };
  const guess = guessPairs(
    typed,
    words.map((text, index) => ({ text, at: index + 3 })),
    schema,
  );
  expect(guess).toBe(meant === undefined ? undefined : `trestle call it echo ${meant}`);
});
