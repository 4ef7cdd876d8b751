import { chmodSync, mkdirSync, readFileSync, statSync as statOf, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { listFolderSync, statSync } from './look.ts';
import { readTextSync } from './read.ts';
import { writeFileAtomic, writeFilesAtomic, writeNewFile } from './write.ts';
import { writeCacheSync } from './write-cache.ts';

const posix = process.platform !== 'win32';

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
