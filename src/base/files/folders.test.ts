import { lstatSync, mkdirSync, statSync as statOf, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { makeFolder, removePath } from './folders.ts';
import { listFolderSync } from './look.ts';

const posix = process.platform !== 'win32';

describe('making and removing folders', () => {
  it('makes what is missing of a path, and leaves what is there', async () => {
    const folder = join(tempFolder(), 'a', 'b', 'c');
    await makeFolder(folder, 0o700);
    await makeFolder(folder);
    expect(statOf(folder).isDirectory()).toBe(true);
    expect(statOf(folder).mode & 0o777).toBe(posix ? 0o700 : statOf(folder).mode & 0o777);
  });

  it.runIf(process.platform === 'linux')('ends where no folder can be made: below a file, below /proc', async () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    await expect(makeFolder(join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'file_error' });
    // Node.js's own recursion never comes back from here.
    await expect(makeFolder('/proc/none/a/b')).rejects.toMatchObject({ code: 'file_error' });
  });

  it.runIf(posix)('removing a link, or a folder with links, leaves what they point to', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'outside', 'kept'), 'x');
    mkdirSync(join(folder, 'inside'));
    symlinkSync(join(folder, 'outside'), join(folder, 'inside', 'link'));
    symlinkSync(join(folder, 'outside'), join(folder, 'link'));
    expect(await removePath(join(folder, 'inside'))).toBe(true);
    expect(await removePath(join(folder, 'link'))).toBe(true);
    expect(lstatSync(join(folder, 'outside', 'kept')).isFile()).toBe(true);
    expect(listFolderSync(folder)).toEqual(['outside']);
  });
});
