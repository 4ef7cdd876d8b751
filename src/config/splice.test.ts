import { type Node, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { readJsonc } from './jsonc.ts';
import { insertMember, removeMember, replaceValue } from './splice.ts';

const blank = fc.constantFrom('', ' ', '\n  ', '\r\n\t', ' /* note */ ', '\n  // note\n  ', ' // note\n');
const member = fc.record({
  before: blank,
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  middle: blank,
  value: fc.constantFrom('1', '{"x":1}', '{ /* note */ "x": 1, }', '["y", // note\n 2]', '"// no comment"'),
  after: blank,
});
const document = fc
  .record({
    members: fc.uniqueArray(member, { selector: ({ name }) => name, maxLength: 4 }),
    comma: fc.boolean(),
    end: blank,
  })
  .map(({ members, comma, end }) => {
    const written = members.map(
      ({ before, name, middle, value, after }) => `${before}"${name}":${middle}${value}${after}`,
    );
    return `{${written.join(',')}${comma && written.length > 0 ? ',' : ''}${end}}`;
  });

function treeOf(text: string): Node {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  if (tree === undefined) throw new Error('no tree');
  return tree;
}

const notes = (text: string): number => text.split('note').length - 1;

describe('splicing', () => {
  it('F4: a new member comes last, and everything else stays, comments too', () => {
    fc.assert(
      fc.property(document, (text) => {
        const after = insertMember({ text, object: treeOf(text) }, 'new', { command: 'x' });
        const before = readJsonc(text).value as object;
        expect(readJsonc(after).value).toEqual({ ...before, new: { command: 'x' } });
        expect(Object.keys(readJsonc(after).value as object).at(-1)).toBe('new');
        expect(notes(after)).toBe(notes(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('F4: a removed member takes nothing else with it', () => {
    fc.assert(
      fc.property(document, fc.nat(), (text, choice) => {
        const object = treeOf(text);
        const members = object.children ?? [];
        const chosen = members[choice % Math.max(members.length, 1)];
        if (chosen === undefined) return;
        const after = removeMember({ text, object }, chosen);
        const name = chosen.children?.[0]?.value as string;
        const kept = Object.entries(readJsonc(text).value as object).filter(([key]) => key !== name);
        expect(readJsonc(after).value).toEqual(Object.fromEntries(kept));
        const own = text.slice(chosen.offset, chosen.offset + chosen.length);
        expect(notes(after)).toBe(notes(text) - notes(own));
        // A text without comments and trailing commas stays plain JSON.
        const plain = (json: string): boolean => {
          try {
            JSON.parse(json);
            return true;
          } catch {
            return false;
          }
        };
        expect(plain(text) && !plain(after)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('F4: a replaced value keeps its name and its place', () => {
    const text = '{\n  "a": 1, // one\n  "b": {"x": 1}, /* two */\n  "c": 3\n}';
    const [, second] = treeOf(text).children ?? [];
    expect(second && replaceValue(text, second, { y: [2] })).toBe(
      '{\n  "a": 1, // one\n  "b": {\n    "y": [\n      2\n    ]\n  }, /* two */\n  "c": 3\n}',
    );
  });
});
