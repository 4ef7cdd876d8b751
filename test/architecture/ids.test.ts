import { describe, expect, it } from 'vitest';
import { claimedIds, requirements } from '../requirements.ts';
import { readProjectFiles } from '../support/project-files.ts';
import { coverageOf, idsIn, titlesOf } from './id-coverage.ts';

const coverage = coverageOf(readProjectFiles('src/**/*.test.ts', 'test/**/*.test.ts'));

describe('the requirements', () => {
  it('have distinct ids and one sentence each', () => {
    expect(new Set(requirements.map((requirement) => requirement.id)).size).toBe(requirements.length);
    expect(
      requirements.filter((requirement) => !/^[^.]+\.$/.test(requirement.says.replaceAll('.json', ' json'))),
    ).toEqual([]);
  });

  it('every id a test cites exists', () => expect(coverage.unknown).toEqual([]));

  it('every claimed id is cited by a test', () => expect(coverage.missing).toEqual([]));
});

describe('the reading of citations', () => {
  it('takes titles of tests and groups, whatever their form', () => {
    const source = [
      "describe('T1: a', () => {",
      "  it('T2: b', run);",
      "  it.each([[1, (2)]])('T3: c %i', run);",
      "  it.skipIf(process.platform === 'win32')(`T4: d ${x}`, run);",
      "  test.concurrent('T5: e', { timeout: 5 }, run);",
      "  // it('T6: f', run);",
      "  suite.it('T7: g', run); exit('T8: h');",
      '});',
    ].join('\n');
    expect(titlesOf(source)).toEqual(['T1: a', 'T2: b', 'T3: c %i', 'T4: d ${', 'T5: e']);
  });

  it('takes ids before the first colon only', () => {
    expect(idsIn('T3: a line')).toEqual(['T3']);
    expect(idsIn('S4, H5: a reply')).toEqual(['S4', 'H5']);
    expect(idsIn('S10 and P4: a sign')).toEqual(['S10', 'P4']);
    expect(idsIn('a line (T3): over')).toEqual([]);
    expect(idsIn('UTF8 split')).toEqual([]);
  });

  it('finds unknown and missing ids', () => {
    const found = coverageOf(new Map([['a.test.ts', "it('Q9: x', run); it('T1: y', run);"]]));
    expect(found.unknown).toEqual(['a.test.ts: Q9']);
    expect(found.missing).toEqual(claimedIds.filter((id) => id !== 'T1'));
  });
});
