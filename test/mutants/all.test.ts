import { describe, expect, it } from 'vitest';
import { mutantIds, requirements } from '../requirements.ts';
import { readProjectFiles } from '../support/project-files.ts';
import { idsWithoutMutant, loadMutants, problemOf } from './all.ts';
import type { Mutant } from './mutant.ts';

const mutants = await loadMutants();
const files = readProjectFiles('src/**/*.ts', 'test/**/*.ts');

describe('the mutants', () => {
  it('each can be applied: its line occurs exactly once', () => {
    const problems = mutants.flatMap((mutant) => {
      const problem = problemOf(mutant, files.get(mutant.file));
      return problem === undefined ? [] : [`${mutant.id} (${mutant.breaks}): ${problem}`];
    });
    expect(problems).toEqual([]);
  });

  it('each names tests that exist and an id that exists', () => {
    const known = new Set(requirements.map((requirement) => requirement.id));
    const wrong = mutants.filter((mutant) => {
      const isMissing = mutant.tests.length === 0 || mutant.tests.some((path) => !files.has(path));
      return isMissing || !known.has(mutant.id);
    });
    expect(wrong.map((mutant) => `${mutant.id} (${mutant.breaks})`)).toEqual([]);
  });

  it('every claimed id under T, H, P, R and K has one', () => expect(idsWithoutMutant(mutants)).toEqual([]));
});

describe('the check of a mutant', () => {
  const mutant: Mutant = { id: 'T1', breaks: 'a', file: 'src/a.ts', find: 'x < 1', replace: 'x < 2', tests: ['b'] };

  it('accepts one that changes one place', () => expect(problemOf(mutant, 'if (x < 1) y();')).toBeUndefined());

  it.each([
    ['a missing file', mutant, undefined],
    ['a line that is gone', mutant, 'if (x <= 1) y();'],
    ['a line that occurs twice', mutant, 'x < 1 && x < 1'],
    ['more than a line', { ...mutant, find: 'a\nb' }, 'a\nb'],
    ['no change', { ...mutant, replace: 'x < 1' }, 'x < 1'],
  ] as const)('refuses %s', (...[, changed, text]) => expect(problemOf(changed, text)).toBeTypeOf('string'));

  it('names the ids that have none', () => {
    expect(idsWithoutMutant([mutant])).toEqual(mutantIds.filter((id) => id !== 'T1'));
  });
});
