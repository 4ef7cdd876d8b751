import { describe, expect, it } from 'vitest';
import { compareVersions, judge, type Side } from './verdict.ts';

const program = { path: '/a/cli.js', modifiedMs: 1 };
const side = (version: string, more: Partial<Side> = {}): Side => ({ protocol: 1, version, program, ...more });

describe('whether a client uses the daemon it has met', () => {
  it('L7: an older daemon is replaced, whatever it speaks', () => {
    expect(judge(side('1.1.0'), side('1.0.9'))).toEqual({ kind: 'replace' });
    expect(judge(side('1.1.0', { protocol: 2 }), side('1.0.9'))).toEqual({ kind: 'replace' });
  });

  it('L7: a newer one is used when both speak the same protocol, and left alone when not', () => {
    expect(judge(side('1.0.0'), side('1.0.1'))).toEqual({ kind: 'use' });
    expect(judge(side('1.0.0'), side('2.0.0', { protocol: 2 }))).toMatchObject({ kind: 'alone', why: /2\.0\.0/ });
  });

  it('L7: one of the same version is used, unless its program was changed since it started', () => {
    expect(judge(side('1.0.0'), side('1.0.0'))).toEqual({ kind: 'use' });
    const changed = { program: { ...program, modifiedMs: 2 } };
    expect(judge(side('1.0.0', changed), side('1.0.0'))).toEqual({ kind: 'replace' });
    const elsewhere = { program: { path: '/b/cli.js', modifiedMs: 2 } };
    expect(judge(side('1.0.0', elsewhere), side('1.0.0'))).toEqual({ kind: 'use' });
    expect(judge(side('1.0.0', { protocol: 2 }), side('1.0.0'))).toEqual({ kind: 'replace' });
  });
});

it('versions are ordered as semantic versioning says', () => {
  const ascending = [
    '0.0.0-source',
    '0.1.0-alpha.2',
    '0.1.0-alpha.10',
    '0.1.0-beta',
    '0.1.0',
    '0.1.1',
    '0.10.0',
    '1.0.0',
  ];
  for (const [at, version] of ascending.entries()) {
    expect(compareVersions(version, version)).toBe(0);
    for (const newer of ascending.slice(at + 1)) {
      expect(compareVersions(version, newer), `${version} < ${newer}`).toBeLessThan(0);
      expect(compareVersions(newer, version), `${newer} > ${version}`).toBeGreaterThan(0);
    }
  }
});
