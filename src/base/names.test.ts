import { describe, expect, it } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { fileKey, nearest, serverNameProblem } from './names.ts';

describe('server names', () => {
  it.each(['everything', 'a', 'A-b_c.d', '7', 'x'.repeat(64), 'con-1', 'registry2', 'console'])(
    'R4: %s names a server',
    (name) => {
      expect(serverNameProblem(name)).toBeUndefined();
    },
  );

  it.each([
    ['', 'empty'],
    ['x'.repeat(65), 'longer than 64'],
    ['a b', 'ASCII letters'],
    ['ä', 'ASCII letters'],
    ['a/b', 'ASCII letters'],
    ['..', 'start with a dot'],
    ['.hidden', 'start with a dot'],
    ['dot.', 'end with a dot'],
    ['NUL', 'Windows device'],
    ['com1.x', 'Windows device'],
    ['registry', 'reserved'],
    ['Index.json', 'reserved'],
    ['a\n', 'ASCII letters'],
  ])('R4: %j is refused: %s', (name, reason) => {
    expect(serverNameProblem(name)).toContain(reason);
  });
});

describe('file keys', () => {
  it.each(['echo', '__proto__', 'get_sum', 'a.b-c_9', 'constructor', 'x'.repeat(128)])(
    'R3: the plain name %s is its own key',
    (name) => {
      expect(fileKey(name)).toBe(name);
    },
  );

  it.each([
    '../x',
    '..',
    '.',
    '',
    'CON',
    'con',
    'nul.txt',
    'a/b',
    'a\\b',
    'a\0b',
    'dot.',
    'space ',
    '🎉',
    'y'.repeat(201),
  ])('R3: the key of %j is a safe file name', (name) => {
    expect(fileKey(name)).toMatch(/^[a-z0-9_][a-z0-9_-]*~[0-9a-f]{20}$/);
  });

  it('R3: a key keeps the beginning of its name readable', () => {
    expect(fileKey('getWeather / München')).toMatch(/^getweather-m-nchen~/);
  });

  it('R3: keys are distinct for distinct names also where case is folded, short enough, and no other names', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('Echo', 'echo', 'ECHO', 'eCho', fileKey('Echo'), '\ud800', '\udfff', '"\\ud800"'),
    );
    fc.assert(
      fc.property(name, name, (a, b) => {
        const [first, second] = [fileKey(a), fileKey(b)];
        expect(first.length).toBeLessThanOrEqual(128);
        expect(first).not.toMatch(/[A-Z/\\\0:]|\.$|^\./);
        expect(first.toLowerCase() === second.toLowerCase()).toBe(a === b);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('nearest', () => {
  const tools = ['echo', 'get-sum', 'search_files', 'read_file', 'read_multiple_files'];

  it.each([
    ['ehco', 'echo'],
    ['Echo', 'echo'],
    ['getsum', 'get-sum'],
    ['get_sum', 'get-sum'],
    ['serch_files', 'search_files'],
    ['search', 'search_files'],
  ])('the slip %s is near to %s', (wanted, expected) => {
    expect(nearest(wanted, tools)[0]).toBe(expected);
  });

  it('of two as near, the one that has the same length is nearer than one that it contains', () => {
    expect(nearest('dipClientId', ['clientId', 'idpClientId'])).toEqual(['idpClientId', 'clientId']);
  });

  it('what is no slip has no neighbours', () => {
    expect(nearest('weather', tools)).toEqual([]);
    expect(nearest('', tools)).toEqual([]);
  });

  it('at most the wanted number is named', () => {
    expect(nearest('tool', ['tool1', 'tool2', 'tool3', 'tool4'])).toHaveLength(3);
    expect(nearest('tool', ['tool1', 'tool2', 'tool3', 'tool4'], 1)).toEqual(['tool1']);
  });
});
