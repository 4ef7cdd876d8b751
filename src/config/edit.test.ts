import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { TrestleError } from '../base/index.ts';
import { addEntry, type NewEntry, removeEntry } from './edit.ts';
import { loadConfig } from './load.ts';

/** A servers file with this text; undefined = none yet. */
function fileWith(text: string | undefined): string {
  const file = join(tempFolder(), 'servers.json');
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

const names = (file: string): readonly string[] => [
  ...loadConfig({ serversFile: file, settingsFile: '' }).servers.keys(),
];

const entry: NewEntry = { command: 'node', args: ['a.js'] };

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error instanceof TrestleError ? error.code : String(error)),
  );
}

it('F4: what is not in UTF-8 cannot be written back, so it is not edited', async () => {
  const file = fileWith(undefined);
  const latin = Buffer.from(
    '{\n  "mcpServers": {\n    "it": { "command": "x", "description": "Gr\u00fc\u00dfe" }\n  }\n}',
    'latin1',
  );
  writeFileSync(file, latin);
  const refused = { code: 'config_unreadable', message: expect.stringContaining('line 3 is not in UTF-8') as string };
  await expect(addEntry(file, 'other', { entry })).rejects.toMatchObject(refused);
  await expect(removeEntry(file, 'it')).rejects.toMatchObject(refused);
  expect(readFileSync(file)).toEqual(latin);
  expect(names(file)).toEqual(['it']);
  // The character itself is one like any other.
  writeFileSync(file, '{"mcpServers": {"it": {"command": "\uFFFD"}}}');
  await addEntry(file, 'other', { entry });
  expect(names(file)).toEqual(['it', 'other']);
});

describe('adding', () => {
  it('F4: a missing file is made, private, with the shape people know', async () => {
    const file = join(tempFolder(), 'home', 'servers.json');
    const edit = await addEntry(file, 'it', { entry: { ...entry, description: 'd' } });
    expect(readFileSync(file, 'utf8')).toBe(
      '{\n  "mcpServers": {\n    "it": {\n      "command": "node",\n      "args": [\n        "a.js"\n      ],\n      "description": "d"\n    }\n  }\n}\n',
    );
    expect(edit).toMatchObject({ file, kind: 'added' });
    expect(process.platform === 'win32' ? 0o600 : lstatSync(file).mode & 0o777).toBe(0o600);
  });

  it('F4: a file that has nothing yet says where its schema is, one that has something is left as it is', async () => {
    const file = join(tempFolder(), 'servers.json');
    const schema = './schemas/servers.schema.json';
    await addEntry(file, 'it', { entry, schema });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ $schema: schema, mcpServers: { it: entry } });
    writeFileSync(file, '{}');
    await addEntry(file, 'it', { entry, schema });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { it: entry } });
  });

  it.each([
    ['an empty file', ''],
    ['blank space', '\n\n'],
    ['comments alone', '// my servers\n'],
    ['an empty object', '{}'],
    ['another shape', '{"mcp": {"other": {"type": "remote", "url": "https://x"}}}'],
    ['an empty shape', '{"mcpServers": {}}'],
    ['a byte order mark', '\ufeff{\r\n\t"mcpServers": {}\r\n}\r\n'],
  ])('F2: %s takes an entry and stays readable', async (_, text) => {
    const file = fileWith(text);
    expect((await addEntry(file, 'it', { entry })).kind).toBe('added');
    expect(names(file)).toContain('it');
    const after = readFileSync(file, 'utf8');
    expect(after.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'));
    expect(after.includes('// my servers')).toBe(text.includes('// my servers'));
  });

  it('F4: comments, order, indentation and line ends stay, and only the new lines are shown', async () => {
    const before = [
      '{',
      '\t// first',
      '\t"mcpServers": {',
      '\t\t"a": { "command": "x" }, /* beside */',
      '\t\t// last',
      '\t\t"b": { "command": "y" }',
      '\t},',
      '\t"other": 1, // kept',
      '}',
      '',
    ].join('\r\n');
    const file = fileWith(before);
    const { diff } = await addEntry(file, 'c', { entry: { url: 'https://x' } });
    const after = readFileSync(file, 'utf8');
    expect(after).toBe(
      before.replace(
        '"b": { "command": "y" }\r\n',
        '"b": { "command": "y" },\r\n\t\t"c": {\r\n\t\t\t"url": "https://x"\r\n\t\t}\r\n',
      ),
    );
    expect(diff).toEqual(['+ \t\t"c": {', '+ \t\t\t"url": "https://x"', '+ \t\t}']);
    const next = await addEntry(file, 'd', { entry: { url: 'https://y' } });
    expect(next.diff).toEqual(['+ \t\t"d": {', '+ \t\t\t"url": "https://y"', '+ \t\t}']);
    expect((await removeEntry(file, 'd')).diff).toEqual(['- \t\t"d": {', '- \t\t\t"url": "https://y"', '- \t\t}']);
  });

  it('K4: literal secrets are masked in what is shown, references are not', async () => {
    const file = fileWith('{"mcpServers":{}}');
    const env = { API_KEY: 'hunter2"quoted', TOKEN: '${TOKEN}', MODE: 'fast' };
    const added = await addEntry(file, 'it', { entry: { ...entry, env } });
    const replaced = await addEntry(file, 'it', {
      entry: { url: 'https://x?token=hunter3', headers: { Authorization: 'Bearer hunter4' } },
      replace: true,
    });
    const shown = [...added.diff, ...replaced.diff].join('\n');
    expect(shown).not.toMatch(/hunter\d/);
    expect(shown).toContain('"API_KEY": "[redacted]"');
    expect(shown).toContain('"TOKEN": "${TOKEN}"');
    expect(shown).toContain('"MODE": "fast"');
    expect(readFileSync(file, 'utf8')).toContain('Bearer hunter4');
  });

  it('F4: an existing name needs to be replaced on purpose, from whichever shape', async () => {
    const file = fileWith('{"mcpServers":{"a":{"command":"x"}},"mcp":{"b":{"type":"local","command":["y"]}}}');
    for (const name of ['a', 'b', 'A']) expect(await codeOf(addEntry(file, name, { entry }))).toBe('exists');
    expect((await addEntry(file, 'b', { entry, replace: true })).kind).toBe('replaced');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: { a: { command: 'x' }, b: { command: 'node', args: ['a.js'] } },
      mcp: {},
    });
    expect(await addEntry(file, 'b', { entry, replace: true })).toEqual({ file, kind: 'unchanged', diff: [] });
    expect(await codeOf(addEntry(file, 'B', { entry, replace: true }))).toBe('exists');
  });

  it.each<[string, string, NewEntry, string]>([
    ['a bad name', '../x', entry, 'invalid_name'],
    ['an empty command', 'it', { command: '', args: [] }, 'config_entry_invalid'],
    ['an empty url', 'it', { url: '' }, 'config_entry_invalid'],
    ['a timeout of zero', 'it', { ...entry, timeout: 0 }, 'config_entry_invalid'],
  ])('F3: %s is refused and nothing is written', async (...row) => {
    const [, name, refused, code] = row;
    const file = fileWith(undefined);
    expect(await codeOf(addEntry(file, name, { entry: refused }))).toBe(code);
    expect(existsSync(file)).toBe(false);
  });

  it.each(['{"mcpServers": {', '[]', '{"mcpServers": 5}', '{"a": 1} x'])('F2: %s is never written', async (text) => {
    const file = fileWith(text);
    expect(await codeOf(addEntry(file, 'it', { entry }))).toBe('config_unreadable');
    expect(await codeOf(removeEntry(file, 'it'))).toBe('config_unreadable');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('F4: ten at once lose nothing', async () => {
    const file = fileWith(undefined);
    const all = Array.from({ length: 10 }, (_, index) => `server-${index}`);
    await Promise.all(all.map((name) => addEntry(file, name, { entry })));
    expect(names(file)).toEqual(all);
  });

  it.skipIf(process.platform === 'win32')('F4: a link to the file stays a link', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'dotfiles'));
    writeFileSync(join(folder, 'dotfiles', 'mine.json'), '{}');
    symlinkSync(join(folder, 'dotfiles', 'mine.json'), join(folder, 'servers.json'));
    await addEntry(join(folder, 'servers.json'), 'it', { entry });
    expect(lstatSync(join(folder, 'servers.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'dotfiles', 'mine.json'), 'utf8')).toContain('"it"');
  });
});

describe('removing', () => {
  it('F4: the entry goes, what stands around it stays', async () => {
    const file = fileWith(
      '{\n  // mine\n  "mcpServers": {\n    "a": {"command": "x"},\n    "b": {"command": "y"} // b\n  }\n}\n',
    );
    const edit = await removeEntry(file, 'a');
    expect(edit).toEqual({ file, kind: 'removed', diff: ['-     "a": {"command": "x"},'] });
    expect(readFileSync(file, 'utf8')).toBe(
      '{\n  // mine\n  "mcpServers": {\n    "b": {"command": "y"} // b\n  }\n}\n',
    );
    expect((await removeEntry(file, 'b')).kind).toBe('removed');
    expect(names(file)).toEqual([]);
  });

  it('F4: an entry of the other shape, and one that stands several times, go too', async () => {
    const file = fileWith(
      '{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}},"mcp":{"a":{"type":"local","command":["y"]},"b":{"type":"remote","url":"https://x"}}}',
    );
    await removeEntry(file, 'a');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: {},
      mcp: { b: { type: 'remote', url: 'https://x' } },
    });
  });

  it('F4: what is not there is told, and no file is made', async () => {
    const file = fileWith(undefined);
    expect(await removeEntry(file, 'a')).toEqual({ file, kind: 'unchanged', diff: [] });
    expect(existsSync(file)).toBe(false);
  });
});
