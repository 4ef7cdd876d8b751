import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { removePath } from './folders.ts';
import { listFolderSync, statSync } from './look.ts';
import { readBytes, readBytesSync, readTextSync } from './read.ts';

const posix = process.platform !== 'win32';

describe('reading', () => {
  it.runIf(posix)('a pipe or device in place of a file is refused at once, also behind a link', () => {
    const folder = tempFolder();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const device = join(folder, 'device');
    symlinkSync('/dev/zero', device);
    for (const path of [pipe, device]) {
      const refused = expect.objectContaining({
        code: 'file_error',
        message: expect.stringContaining(path) as string,
      }) as Error;
      expect(() => readTextSync(path)).toThrow(refused);
      expect(() => readBytesSync(path)).toThrow(refused);
    }
  });

  it('what is not there is undefined, empty or false', async () => {
    const missing = join(tempFolder(), 'missing');
    expect(readTextSync(missing)).toBeUndefined();
    expect(await readBytes(missing)).toBeUndefined();
    expect(statSync(missing)).toBeUndefined();
    expect(listFolderSync(missing)).toEqual([]);
    expect(await removePath(missing)).toBe(false);
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(readTextSync(join(file, 'below'))).toBeUndefined();
  });

  it('what cannot be read is an error that names path and reason', () => {
    const folder = tempFolder();
    expect(() => readTextSync(folder)).toThrow(
      expect.objectContaining({ code: 'file_error', message: `Cannot read ${folder}: it is a folder (EISDIR).` }),
    );
  });
});
