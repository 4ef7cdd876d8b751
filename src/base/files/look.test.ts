import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { canonicalPathSync, isThereSync, listEntriesSync } from './look.ts';

const posix = process.platform !== 'win32';

describe('looking', () => {
  it('whether something stands at a path that cannot be looked at is for the asker to say', () => {
    const folder = tempFolder();
    expect([isThereSync(folder, false), isThereSync(join(folder, 'none'), true)]).toEqual([true, false]);
    const tooLong = join(folder, 'x'.repeat(10_000));
    expect([isThereSync(tooLong, true), isThereSync(tooLong, false)]).toEqual([true, false]);
  });

  it('entries are sorted and links are told apart', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'b'));
    writeFileSync(join(folder, 'a'), '');
    if (posix) symlinkSync(join(folder, 'b'), join(folder, 'c'));
    expect(listEntriesSync(folder)).toEqual([
      { name: 'a', kind: 'file' },
      { name: 'b', kind: 'folder' },
      ...(posix ? [{ name: 'c', kind: 'link' }] : []),
    ]);
  });

  it.runIf(posix)('a canonical path has its links resolved, as far as it exists', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    expect(canonicalPathSync(join(folder, 'link', 'x', 'y'))).toBe(join(folder, 'real', 'x', 'y'));
  });
});
