import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { checkedUserHome, checkedWorkingFolder, containedPath } from './paths.ts';

describe('containedPath', () => {
  it('a path inside is resolved, whether it exists or not', () => {
    const root = tempFolder();
    expect(containedPath(root, 'a/b.txt')).toBe(join(root, 'a', 'b.txt'));
    expect(containedPath(root, './a')).toBe(join(root, 'a'));
  });

  it.each([
    '',
    '..',
    '../x',
    'a/../../x',
    String.raw`a\..\..\x`,
    '/etc/passwd',
    String.raw`\\host\x`,
    'C:x',
    'a\0b',
    'nul',
    'a/CON.txt',
  ])('R3: %j is refused', (relative) => {
    expect(() => containedPath(tempFolder(), relative)).toThrow(expect.objectContaining({ code: 'invalid_path' }));
  });

  it.skipIf(process.platform === 'win32')('R3: a link may lead around inside, never out', () => {
    const [root, outside] = [tempFolder(), tempFolder()];
    mkdirSync(join(root, 'sub'));
    symlinkSync(join(root, 'sub'), join(root, 'in'));
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join(outside, 'not-yet'), join(root, 'dangling'));
    expect(containedPath(root, 'in/x')).toBe(join(root, 'in', 'x'));
    expect(() => containedPath(root, 'out/x')).toThrow(expect.objectContaining({ code: 'invalid_path' }));
    expect(() => containedPath(root, 'dangling')).toThrow(expect.objectContaining({ code: 'invalid_path' }));
  });
});

it('a home folder that is empty or relative is refused, since the folder somebody is in would become it', () => {
  const home = tempFolder();
  expect(checkedUserHome(() => home)).toBe(home);
  for (const wrong of ['', '.', 'home/me']) {
    expect(() => checkedUserHome(() => wrong)).toThrow(expect.objectContaining({ code: 'file_error' }) as Error);
  }
  const unknown = (): string => {
    throw new Error('ENOENT: uv_os_homedir');
  };
  expect(() => checkedUserHome(unknown)).toThrow("The user's home folder is not known.");
  expect(() => checkedWorkingFolder(unknown)).toThrow('The working folder does not exist any more.');
});
