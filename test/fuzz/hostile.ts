/** What hostile servers, files and models send: texts, JSON in all its forms, and bytes that are nearly something. */
import { type JsonObject, type JsonValue, parseJson } from '../../src/base/index.ts';
import {
  type Arbitrary,
  array,
  constant,
  constantFrom,
  double,
  integer,
  letrec,
  oneof,
  string,
  tuple,
  uint8Array,
} from '../support/properties.ts';

/** Names that mean something to JavaScript, to a file system, to a protocol or to us. */
export const odd = constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toJSON',
  'hasOwnProperty',
  'then',
  'length',
  '',
  ' ',
  '.',
  '..',
  '../..',
  '../../../../../../etc/passwd',
  '..\\..\\x',
  '/etc/passwd',
  'C:\\x',
  '\\\\host\\share',
  'con',
  'NUL.txt',
  'com1 ',
  'aux.',
  'a:b',
  '.git/hooks/x',
  'package.json',
  '%2e%2e%2fx',
  'index.json',
  'registry',
  'registry://search?q=x',
  'file:///etc/passwd',
  'data:image/png;base64,AA==',
  '${HOME}',
  '$${HOME}',
  '\0',
  'a\0b',
  '\n',
  '\r\n\r\n',
  '\u{feff}',
  '\ud800',
  '\udc00x',
  '\u202e\u2066',
  '\u200b',
  '\u{e0041}\u{e007f}',
  '\u001b[2J',
  '\u001b]0;title\u0007',
  '\u009b31m',
  '\u001b]8;;http://x\u001b\\x',
  '\u{1f468}\u200d\u{1f469}',
  'e\u0301'.repeat(5),
  'İ',
  'ſ',
  'x'.repeat(300),
);

/** Any code units, lone surrogates included. */
const units = array(integer({ min: 0, max: 0xff_ff }), { maxLength: 12 }).map((codes) => String.fromCharCode(...codes));

/** Long ones repeat something, as what takes quadratic time does. */
const long = tuple(oneof(odd, units), integer({ min: 100, max: 3_000 })).map(([text, count]) => text.repeat(count));

export const text: Arbitrary<string> = oneof(
  { weight: 6, arbitrary: odd },
  { weight: 5, arbitrary: string({ unit: 'binary', maxLength: 30 }) },
  { weight: 3, arbitrary: units },
  { weight: 1, arbitrary: long },
);

/** Numbers as written in JSON, those that no double can keep included. */
const numberText = oneof(
  integer().map(String),
  double({ noNaN: true, noDefaultInfinity: true }).map(String),
  constantFrom(
    '-0',
    '1e999',
    '-1e999',
    '1e-999',
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234567890',
    '1.0',
    '1E5',
    '0.1e+2',
    '9'.repeat(400),
    '9'.repeat(5_000),
  ),
);

const jsonLeaf: Arbitrary<string> = oneof(
  text.map((value) => JSON.stringify(value)),
  numberText,
  constantFrom('null', 'true', 'false', '"\\ud800"', '"\\u0000"', '[]', '{}'),
);

const nesting: Arbitrary<readonly [string, string]> = constantFrom(
  ['[', ']'],
  ['{"a":', '}'],
  ['[{"__proto__":', '}]'],
);

const jsonDeep = tuple(jsonLeaf, integer({ min: 10, max: 12_000 }), nesting).map(
  ([inner, levels, [open, close]]) => open.repeat(levels) + inner + close.repeat(levels),
);

/** Valid JSON: members that stand twice, odd names, numbers of all kinds, lone surrogates as escapes, any depth. */
export const jsonText: Arbitrary<string> = letrec<{ value: string; list: string; object: string }>((tie) => ({
  list: array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
  object: array(tuple(oneof(odd, text), tie('value')), { maxLength: 4 }).map(
    (entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`,
  ),
  value: oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 40, arbitrary: jsonLeaf },
    { weight: 15, arbitrary: tie('list') },
    { weight: 25, arbitrary: tie('object') },
    { weight: 1, arbitrary: jsonDeep },
  ),
})).value;

/** A value as our own parser gives it. */
export const jsonValue: Arbitrary<JsonValue> = jsonText.map(parseJson);

/** An object with these members, of which each may be right, absent or anything; others may stand beside them. */
export function shaped(right: Readonly<Record<string, Arbitrary<JsonValue>>>): Arbitrary<JsonObject> {
  const absent = constant(undefined);
  const known = Object.entries(right).map(([name, arbitrary]) =>
    tuple(
      constant(name),
      oneof({ weight: 12, arbitrary }, { weight: 2, arbitrary: jsonValue }, { weight: 2, arbitrary: absent }),
    ),
  );
  const more = array(tuple(oneof(odd, text), jsonValue), { maxLength: 2 });
  return tuple(tuple(...known), more).map(([entries, others]) => {
    const given = [...others, ...entries].filter((entry) => entry[1] !== undefined);
    // From entries, so that `__proto__` is a member like any other.
    return Object.fromEntries(given) as JsonObject;
  });
}

interface Edit {
  readonly at: number;
  readonly kind: 'cut' | 'drop' | 'put' | 'repeat';
  readonly bytes: Uint8Array;
}

const edit: Arbitrary<Edit> = tuple(
  double({ min: 0, max: 1, noNaN: true }),
  constantFrom<Edit['kind']>('cut', 'drop', 'put', 'put', 'repeat'),
  oneof(
    uint8Array({ minLength: 1, maxLength: 4 }),
    constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '\n', '\r', '\0', '//', '/*', '\u{feff}').map((sign) =>
      Buffer.from(sign),
    ),
  ),
).map(([at, kind, bytes]) => ({ at, kind, bytes }));

/** The bytes of a text after some edits, as a disk, a crash or an editor makes them; often unchanged. */
export function damaged(whole: Arbitrary<string>): Arbitrary<Buffer> {
  return tuple(whole, array(edit, { maxLength: 3 })).map(([given, edits]) => {
    let bytes: Buffer = Buffer.from(given);
    for (const change of edits) bytes = edited(bytes, change);
    return bytes;
  });
}

function edited(bytes: Buffer, { at, kind, bytes: put }: Edit): Buffer {
  const place = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (kind) {
    case 'cut':
      return before;
    case 'drop':
      return Buffer.concat([before, after.subarray(put.length)]);
    case 'put':
      return Buffer.concat([before, put, after]);
    case 'repeat':
    default:
      return Buffer.concat([bytes, after]);
  }
}

/** Sizes of the pieces that bytes come in. */
export const sizes = array(integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

export function pieces(bytes: Uint8Array, of: readonly number[]): readonly Buffer[] {
  const cut: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = of[turn % of.length] ?? 1;
    cut.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  return cut;
}
