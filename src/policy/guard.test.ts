import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { limits, type Scope } from '../base/index.ts';
import type { ShownBlock } from './blocks.ts';
import { guardBlocks, type Presented, type PresentOptions } from './guard.ts';
import { cleanText } from './hygiene.ts';
import { createRedactor } from './redact.ts';
import { sweepSpills } from './spill.ts';

const nowMs = Date.UTC(2026, 0, 31, 12, 30);
const text = (value: string): ShownBlock => ({ type: 'text', text: value });

function options(changes: Partial<PresentOptions> = {}): PresentOptions {
  return {
    guard: { enabled: true, maxBytes: limits.shownBytes, maxLines: limits.shownLines },
    redactor: createRedactor(),
    spillFolder: join(tempFolder(), 'home', 'spill'),
    scope: 'library',
    label: 'web/fetch page',
    nowMs,
    ...changes,
  };
}

function allText({ blocks }: Presented): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

function lineCount({ blocks }: Presented): number {
  return blocks.reduce(
    (sum, block) => sum + (block.type === 'text' ? block.text.replace(/\n$/, '').split('\n').length : 0),
    0,
  );
}

describe('the cut', () => {
  it('B5: what fits is shown whole and nothing is written', async () => {
    const given = options();
    const blocks = [text('x'.repeat(limits.shownBytes))];
    expect(await guardBlocks(blocks, given)).toEqual({ blocks, cut: undefined });
    expect(existsSync(given.spillFolder)).toBe(false);
  });

  it.each<[string, string[]]>([
    ['one long text', ['0123456789'.repeat(20_000)]],
    ['characters of four bytes', [`x${'\u{1f98a}'.repeat(50_000)}`]],
    ['many lines', [Array.from({ length: 200_000 }, (_, row) => `row ${row}`).join('\n')]],
    ['blank lines', ['\n'.repeat(5_000)]],
    ['many blocks', Array.from({ length: 5_000 }, (_, block) => `block ${block}`)],
    ['a long one behind a short one', ['short', 'y'.repeat(60_000), 'end']],
    ['one byte too much', ['x'.repeat(limits.shownBytes + 1)]],
    ['one line too much', [Array.from({ length: limits.shownLines + 1 }, () => 'x').join('\n')]],
  ])('B5: %s stays within bytes and lines, and the whole is on disk', async (_, texts) => {
    const presented = await guardBlocks(texts.map(text), options());
    const shown = allText(presented);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(limits.shownBytes);
    expect(lineCount(presented)).toBeLessThanOrEqual(limits.shownLines);
    expect(shown.isWellFormed()).toBe(true);
    const whole = texts.join('\n');
    expect(readFileSync(presented.cut?.path ?? '', 'utf8')).toBe(whole);
    expect(presented.cut?.totalBytes).toBe(Buffer.byteLength(whole));
    const [head = ''] = presented.blocks.map((block) => (block.type === 'text' ? block.text : ''));
    expect(whole.startsWith(head)).toBe(true);
    expect(presented.cut?.shownBytes).toBeGreaterThan(0);
  });

  it('B5: it says how much is left out, where the whole is and how to read on', async () => {
    const lines = Array.from({ length: 3_000 }, (_, row) => `row ${row + 1}`).join('\n');
    const { blocks, cut } = await guardBlocks([text(lines)], options());
    const notice = blocks.at(-1);
    const next = (cut?.shownLines ?? 0) + 1;
    expect(notice).toEqual(
      text(
        `[Output cut: the first ${((cut?.shownBytes ?? 0) / 1024).toFixed(1)} KiB of 25.3 KiB are shown; ` +
          `${((Buffer.byteLength(lines) - (cut?.shownBytes ?? 0)) / 1024).toFixed(1)} KiB and ${3_000 - next + 1} of 3000 lines are left out. ` +
          `The whole output is in ${cut?.path}; read on from line ${next}, or search it.]`,
      ),
    );
    const rest = readFileSync(cut?.path ?? '', 'utf8').split('\n');
    expect(blocks[0]).toEqual(text(`${rest.slice(0, next - 1).join('\n')}\n`));
  });

  it('B5: inside a line it says the byte to read on from', async () => {
    const { blocks, cut } = await guardBlocks([text('a\u{1f98a}b'.repeat(20_000))], options());
    expect(allText({ blocks, cut })).toContain(`read on from byte ${cut?.shownBytes} (in line 1)`);
    const bytes = readFileSync(cut?.path ?? '');
    expect(allText({ blocks: blocks.slice(0, 1), cut })).toBe(bytes.subarray(0, cut?.shownBytes).toString());
  });

  it('B5: the byte to read on from counts the newlines between blocks', async () => {
    const { blocks, cut } = await guardBlocks([text('one'), text('two'), text('x'.repeat(60_000))], options());
    expect(allText({ blocks, cut })).toContain(`read on from byte ${cut?.shownBytes} (in line 3)`);
  });

  it.each<[string, string, string | RegExp]>([
    ['returns', `${'progress\r'.repeat(3_000)}\n${'row\n'.repeat(3_000)}`, /^byte (\d+) \(in line 1\)$/],
    ['escapes', `\u001b[31mred\u001b[0m ${'\u001b[1mx'.repeat(60_000)}`, /^byte (\d+) \(in line 1\)$/],
    ['line ends of Windows', 'row\r\n'.repeat(3_000), 'line 1999'],
  ])(
    'B5: the place to read on from is one in the file, which has all that was cleaned away: %s',
    async (_, raw, from) => {
      const { blocks, cut } = await guardBlocks([text(raw)], options());
      const [, place = ''] = /read on from (.*), or search it/.exec(allText({ blocks, cut })) ?? [];
      expect(place).toMatch(from);
      const file = readFileSync(cut?.path ?? '');
      const byte = /^byte (\d+)/.exec(place)?.[1];
      const lineNumber = Number(/line (\d+)/.exec(place)?.[1]);
      const rest =
        byte === undefined
          ? file
              .toString()
              .split('\n')
              .slice(lineNumber - 1)
              .join('\n')
          : file.subarray(Number(byte)).toString();
      const head = allText({ blocks: blocks.slice(0, 1), cut });
      // What was shown and what is read on are the whole, and nothing stands in both.
      expect(head + cleanText(rest)).toBe(cleanText(raw));
    },
  );

  it('B5: characters that belong together are not parted', async () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
    for (let lead = 0; lead < 20; lead += 1) {
      const { blocks } = await guardBlocks([text('x'.repeat(lead) + family.repeat(5_000))], options());
      const [head] = blocks;
      expect(head?.type === 'text' && head.text.endsWith(family)).toBe(true);
    }
  });

  it('B5: images are kept, up to a number of them', async () => {
    const image: ShownBlock = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
    const { blocks } = await guardBlocks([text('x'.repeat(60_000)), image], options());
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    const many = await guardBlocks(
      Array.from({ length: 50 }, () => image),
      options(),
    );
    expect(many.blocks.filter(({ type }) => type === 'image')).toHaveLength(limits.shownImages);
    expect(many.blocks).toHaveLength(50);
  });

  it('B5: without the guard all is shown, still redacted and cleaned', async () => {
    const given = options({ guard: { enabled: false, maxBytes: 10, maxLines: 1 } });
    given.redactor.add('hunter2-secret');
    const { blocks, cut } = await guardBlocks([text(`${'x\n'.repeat(5_000)}\u001b[31mhunter2-secret`)], given);
    expect(cut).toBeUndefined();
    expect(blocks).toEqual([text(`${'x\n'.repeat(5_000)}[redacted]`)]);
  });

  it('B5: limits smaller than the sentence about the cut still show something', async () => {
    const given = options({ guard: { enabled: true, maxBytes: 20, maxLines: 1 } });
    const { blocks } = await guardBlocks([text('0123456789'.repeat(10))], given);
    expect(blocks[0]).toEqual(text('0123456789'));
  });
});

describe('redact, spill, clean, cut', () => {
  it('B5: the spill is redacted and otherwise the bytes of the server', async () => {
    const given = options();
    given.redactor.add('hunter2-secret');
    const raw = `\u001b[31mred\u0007\r\n${'x'.repeat(60_000)} hunter2-secret \ud83e\udd8a`;
    const { blocks, cut } = await guardBlocks([text(raw)], given);
    expect(readFileSync(cut?.path ?? '', 'utf8')).toBe(raw.replace('hunter2-secret', '[redacted]'));
    expect(blocks[0]).toMatchObject({ text: expect.stringMatching(/^red\nxxx/) as string });
  });

  it('K4: a secret broken up by invisible characters does not appear when these are removed', async () => {
    const given = options();
    given.redactor.add('hunter2-secret');
    const { blocks } = await guardBlocks([text('hunter2\u200b-secret and hunter2-\u001b[0msecret')], given);
    expect(blocks).toEqual([text('[redacted] and [redacted]')]);
  });

  it('B5: what is small once cleaned is not cut', async () => {
    expect(await guardBlocks([text('\u001b[0m'.repeat(50_000))], options())).toEqual({
      blocks: [text('')],
      cut: undefined,
    });
  });
});

describe('the spill', () => {
  const long = [text('x'.repeat(60_000))];

  it.skipIf(process.platform === 'win32')('B5: file and folder are private', async () => {
    const given = options();
    const { cut } = await guardBlocks(long, given);
    expect((lstatSync(cut?.path ?? '').mode & 0o777).toString(8)).toBe('600');
    for (const folder of [given.spillFolder, join(given.spillFolder, 'library')]) {
      expect((lstatSync(folder).mode & 0o777).toString(8)).toBe('700');
    }
  });

  it('B5: each scope has a folder of its own, whose name tells nothing of it and leads nowhere', async () => {
    const scopes = ['session:1', 'session:2', 'project:/home/me/../work', 'library', 'shared'] as const;
    const given = options();
    const cuts = await Promise.all(scopes.map((scope) => guardBlocks(long, { ...given, scope })));
    const folders = cuts.map(({ cut }) => dirname(cut?.path ?? ''));
    expect(new Set(folders).size).toBe(scopes.length);
    expect(new Set(folders.map((folder) => dirname(folder)))).toEqual(new Set([given.spillFolder]));
    expect(folders.map((folder) => basename(folder).replace(/[0-9a-f]{12}$/, '…'))).toEqual([
      'session-…',
      'session-…',
      'project-…',
      'library',
      'shared',
    ]);
    const again = await guardBlocks(long, { ...given, scope: 'session:1' });
    expect(dirname(again.cut?.path ?? '')).toBe(folders[0]);
  });

  it('B5: its name says when and what, and nothing in it leads elsewhere', async () => {
    const given = options({ label: '../../etc/pass wd\u0000' });
    const { cut } = await guardBlocks(long, given);
    const own = join(given.spillFolder, 'library');
    const [name] = readdirSync(own);
    expect(cut?.path).toBe(join(own, name ?? ''));
    expect(name).toMatch(/^2026-01-31T12-30-00-etc-pass-wd-[0-9a-f]{12}\.txt$/);
  });

  it('B5: two outputs of one moment are two files', async () => {
    const given = options();
    const cuts = await Promise.all([guardBlocks(long, given), guardBlocks(long, given)]);
    expect(new Set(cuts.map(({ cut }) => cut?.path)).size).toBe(2);
  });

  it('B5: a folder that cannot be written is told with its reason, and the cut stays', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    const presented = await guardBlocks(long, options({ spillFolder: join(folder, 'file', 'spill') }));
    expect(presented.cut?.path).toBeUndefined();
    expect(presented.cut?.reason).toMatch(/^Cannot /);
    expect(allText(presented)).toContain('The whole could not be saved: Cannot ');
    expect(Buffer.byteLength(allText(presented))).toBeLessThanOrEqual(limits.shownBytes);
  });

  it.skipIf(process.platform === 'win32')('B5: a link in place of the folder is not followed', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'spill'));
    const { cut } = await guardBlocks(long, options({ spillFolder: join(folder, 'spill') }));
    expect(cut).toMatchObject({ path: undefined, reason: expect.stringMatching(/link/) as string });
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
    mkdirSync(join(folder, 'other'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'other', 'library'));
    const within = await guardBlocks(long, options({ spillFolder: join(folder, 'other') }));
    expect(within.cut).toMatchObject({ path: undefined, reason: expect.stringMatching(/link/) as string });
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('B5: a folder that others could use is closed to them first', async () => {
    const given = options();
    mkdirSync(given.spillFolder, { recursive: true, mode: 0o755 });
    const { cut } = await guardBlocks(long, given);
    expect(existsSync(cut?.path ?? '')).toBe(true);
    expect((lstatSync(given.spillFolder).mode & 0o777).toString(8)).toBe('700');
  });

  it.skipIf(process.getuid?.() !== 0)("B5: another user's folder is not written to", async () => {
    const given = options();
    mkdirSync(given.spillFolder, { recursive: true, mode: 0o777 });
    chownSync(given.spillFolder, 4_321, 4_321);
    const { cut } = await guardBlocks(long, given);
    expect(cut).toMatchObject({ path: undefined, reason: `${given.spillFolder} belongs to another user (4321).` });
    expect(readdirSync(given.spillFolder)).toEqual([]);
  });

  it('B5: old ones are removed with the folders of scopes that are empty then, and nothing else', async () => {
    const given = options();
    const spilled = async (scope: Scope): Promise<string> =>
      (await guardBlocks(long, { ...given, scope })).cut?.path ?? '';
    const [old, young, last] = [await spilled('library'), await spilled('library'), await spilled('session:1')];
    // As versions did that had no folders for scopes.
    const former = join(given.spillFolder, basename(old));
    const foreign = [join(given.spillFolder, 'notes.txt'), join(given.spillFolder, 'library', 'notes.txt')];
    for (const path of [former, ...foreign]) writeFileSync(path, '');
    mkdirSync(join(given.spillFolder, 'mine'));
    const beforeSeconds = (nowMs - limits.spillAgeMs - 1_000) / 1_000;
    for (const path of [old, last, former, ...foreign]) utimesSync(path, beforeSeconds, beforeSeconds);
    utimesSync(young, nowMs / 1_000, nowMs / 1_000);
    expect(await sweepSpills(given.spillFolder, nowMs)).toBe(3);
    const isThere = (path: string): boolean => existsSync(path);
    expect([old, last, former, dirname(last)].map(isThere)).toEqual([false, false, false, false]);
    expect([young, ...foreign, join(given.spillFolder, 'mine')].map(isThere)).toEqual([true, true, true, true]);
    expect(await sweepSpills(join(given.spillFolder, 'none'), nowMs)).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('B5: a link in the place of a scope is not swept through', async () => {
    const given = options();
    const old = (await guardBlocks(long, given)).cut?.path ?? '';
    const beforeSeconds = (nowMs - limits.spillAgeMs - 1_000) / 1_000;
    utimesSync(old, beforeSeconds, beforeSeconds);
    const other = join(tempFolder(), 'spill');
    mkdirSync(other);
    symlinkSync(dirname(old), join(other, 'library'));
    expect(await sweepSpills(other, nowMs)).toBe(0);
    expect(existsSync(old)).toBe(true);
  });
});
