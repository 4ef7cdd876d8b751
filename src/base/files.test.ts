import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync as statOf, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import {
  canonicalPathSync,
  isThereSync,
  listEntriesSync,
  listFolderSync,
  makeFolder,
  readBytes,
  readBytesSync,
  readTextSync,
  removePath,
  statSync,
  writeCacheSync,
  writeFileAtomic,
  writeFilesAtomic,
  writeNewFile,
} from './files.ts';

const posix = process.platform !== 'win32';

describe('reading', () => {
  it('whether something stands at a path that cannot be looked at is for the asker to say', () => {
    const folder = tempFolder();
    expect([isThereSync(folder, false), isThereSync(join(folder, 'none'), true)]).toEqual([true, false]);
    const tooLong = join(folder, 'x'.repeat(10_000));
    expect([isThereSync(tooLong, true), isThereSync(tooLong, false)]).toEqual([true, false]);
  });

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
});

describe('writing', () => {
  it('R2: readers see the old or the new contents, never a mixture, and nothing is left beside', async () => {
    const file = join(tempFolder(), 'deep', 'file.json');
    const texts = ['a', 'b'].map((letter) => letter.repeat(200_000));
    await writeFileAtomic(file, texts[0] ?? '');
    const state = { writing: true };
    const writer = (async () => {
      for (let round = 0; round < 20; round += 1) await writeFileAtomic(file, texts[round % 2] ?? '');
      state.writing = false;
    })();
    while (state.writing) {
      expect(texts).toContain(readTextSync(file));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer;
    expect(listFolderSync(join(file, '..'))).toEqual(['file.json']);
  });

  it('a failed write leaves the old contents and nothing beside', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'target'));
    await expect(writeFileAtomic(join(folder, 'target'), 'x')).rejects.toMatchObject({ code: 'file_error' });
    expect(listFolderSync(folder)).toEqual(['target']);
  });

  it('many files are written at once, each whole', async () => {
    const folder = tempFolder();
    const files = Array.from({ length: 30 }, (_, index) => ({ path: join(folder, `f${index}`), contents: `${index}` }));
    await writeFilesAtomic(files);
    expect(files.map(({ path }) => readTextSync(path))).toEqual(files.map(({ contents }) => contents));
    expect(listFolderSync(folder)).toHaveLength(30);
  });

  it.runIf(posix)('a replaced file keeps its mode, a private one gets 0600', async () => {
    const folder = tempFolder();
    const kept = join(folder, 'kept');
    writeFileSync(kept, 'x');
    chmodSync(kept, 0o640);
    await writeFileAtomic(kept, 'y');
    await writeFileAtomic(join(folder, 'private'), 'z', { mode: 0o600 });
    expect([kept, join(folder, 'private')].map((path) => statOf(path).mode & 0o777)).toEqual([0o640, 0o600]);
  });

  it.runIf(posix)('a link at the target is replaced and what it points to stays', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'outside'), 'old');
    symlinkSync(join(folder, 'outside'), join(folder, 'link'));
    await writeFileAtomic(join(folder, 'link'), 'new');
    expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('old');
    expect(statSync(join(folder, 'link'))?.kind).toBe('file');
  });

  it('a new file is refused where something stands, a dangling link too', async () => {
    const folder = tempFolder();
    await writeNewFile(join(folder, 'sub', 'new'), 'x');
    await expect(writeNewFile(join(folder, 'sub', 'new'), 'y')).rejects.toMatchObject({ code: 'exists' });
    expect(readTextSync(join(folder, 'sub', 'new'))).toBe('x');
    if (!posix) return;
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    await expect(writeNewFile(join(folder, 'link'), 'y')).rejects.toMatchObject({ code: 'exists' });
    expect(statSync(join(folder, 'nowhere'))).toBeUndefined();
  });

  it('a cache that cannot be written is no error', () => {
    expect(writeCacheSync(join(tempFolder(), 'missing', 'cache'), 'x')).toBe(false);
    const file = join(tempFolder(), 'cache');
    expect(writeCacheSync(file, 'x')).toBe(true);
    expect(readTextSync(file)).toBe('x');
  });
});

describe('reading', () => {
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

describe('making folders', () => {
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
});
