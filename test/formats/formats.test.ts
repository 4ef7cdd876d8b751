import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/index.ts';
import { findSources, type FormatId, formatIds, formats, readSource } from '../../src/config/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import expected from './expected.json' with { type: 'json' };
import { filesFolder, readFormatFile, summary } from './read-file.ts';

const paths = globSync('*/*', { cwd: filesFolder })
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

const bytes = (path: string): string =>
  createHash('sha256')
    .update(readFileSync(join(filesFolder, path)))
    .digest('hex');

it('F1: there are at least 40 files, of every format', () => {
  expect(paths.length).toBeGreaterThanOrEqual(40);
  expect(new Set(paths.map((path) => dirname(path)))).toEqual(new Set(formatIds));
  expect(Object.keys(expected).sort()).toEqual(paths);
});

describe.each(paths)('%s', (path) => {
  it('F1: every good server is found with all members, every bad one is named with member and reason; the file is not touched', async () => {
    const before = bytes(path);
    const reading = await readFormatFile(join(filesFolder, path));
    expect(summary(reading)).toEqual(expected[path as keyof typeof expected]);
    expect(reading.problems.every(({ file }) => file.endsWith(path))).toBe(true);
    expect(bytes(path)).toBe(before);
  });
});

describe.each(formatIds)('the contract of formats: %s', (id) => {
  const format = formats[id];
  const machine = { platform: 'linux', userHome: '/home/me', env: {} };

  it('F1: says where it keeps its files on each system, in what unit it counts time, and how it writes variables', () => {
    for (const platform of ['linux', 'darwin', 'win32']) {
      const home = platform === 'win32' ? 'C:\\Users\\me' : '/home/me';
      const files = format.userFiles({ platform, userHome: home, env: {} });
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(file.startsWith(home)).toBe(true);
    }
    expect(format.projectFiles.every((file) => !file.startsWith('/') && !file.includes('\\'))).toBe(true);
    const counts = Object.values(format.fields).filter(({ becomes }) => becomes.startsWith('`timeout`'));
    expect(counts.length > 0).toBe(format.timeUnit !== undefined);
    expect(counts.filter(({ becomes }) => becomes.includes(String(format.timeUnit)))).not.toHaveLength(
      format.timeUnit === undefined ? 1 : 0,
    );
    expect(format.variables.says).not.toBe('');
  });

  it('F1: is found in the home and in the project, user files first', () => {
    const sources = findSources({ ...machine, cwd: '/code/project' }, [id]);
    expect(sources.map(({ file }) => file)).toEqual([
      ...format.userFiles(machine).filter((file) => !file.includes('*')),
      ...format.projectFiles.map((file) => `/code/project/${file}`),
    ]);
    expect(sources.every(({ folder, file }) => (folder === undefined) === file.startsWith('/home/me'))).toBe(true);
  });

  it('F1: an entry that says nothing of a server is named; a document without entries is none at all', async () => {
    const nothing = await readText(id, { jsonc: '{}', toml: '', yaml: '' }[format.language]);
    expect(nothing).toMatchObject({ servers: [], problems: [] });
    const key = format.key.split(';')[0] ?? '';
    const empty = { jsonc: `{"${key}": {"x": {}}}`, toml: `[${key}.x]`, yaml: `${key}:\n  x: {}\n` }[format.language];
    const reading = await readText(id, empty);
    expect(reading?.servers).toEqual([]);
    expect(reading?.problems).toMatchObject([{ format: id, server: 'x' }]);
  });
});

/** What is read of a file of this format with this text, in a home of its own. */
async function readText(id: FormatId, text: string | Uint8Array): ReturnType<typeof readSource> {
  const root = tempFolder();
  const file = join(root, 'settings');
  writeFileSync(file, text);
  return readSource(
    { format: formats[id], file, root, folder: undefined },
    { platform: 'linux', isProject: () => false },
  );
}

describe('files that are no configuration', () => {
  const read = (file: string, root: string): ReturnType<typeof readSource> =>
    readSource(
      { format: formats.cursor, file, root, folder: undefined },
      { platform: 'linux', isProject: () => false },
    );
  const good = '{"mcpServers": {"x": {"command": "x"}}}';

  it('F1: a link within the home is followed, one that leads out of it is named and not read', async () => {
    const home = join(tempFolder(), 'home');
    const away = tempFolder();
    mkdirSync(join(home, 'dotfiles'), { recursive: true });
    writeFileSync(join(home, 'dotfiles', 'mcp.json'), good);
    writeFileSync(join(away, 'mcp.json'), good);
    symlinkSync(join(home, 'dotfiles', 'mcp.json'), join(home, 'inside.json'));
    symlinkSync(join(away, 'mcp.json'), join(home, 'outside.json'));
    symlinkSync(away, join(home, 'folder'));
    expect((await read(join(home, 'inside.json'), home))?.servers).toHaveLength(1);
    for (const file of [join(home, 'outside.json'), join(home, 'folder', 'mcp.json')]) {
      const reading = await read(file, home);
      expect(reading?.servers).toEqual([]);
      expect(reading?.problems).toMatchObject([
        { file, reason: expect.stringContaining('a link leads out of') as string },
      ]);
    }
  });

  it('F1: a folder, a huge file and a missing one: named, named, nothing', async () => {
    const home = tempFolder();
    mkdirSync(join(home, 'folder.json'));
    writeFileSync(join(home, 'huge.json'), '');
    truncateSync(join(home, 'huge.json'), limits.importFileBytes + 1);
    expect((await read(join(home, 'folder.json'), home))?.problems).toMatchObject([
      { reason: expect.stringContaining('it is a folder') as string },
    ]);
    expect((await read(join(home, 'huge.json'), home))?.problems).toMatchObject([
      { reason: expect.stringContaining('it is too large') as string },
    ]);
    expect(await read(join(home, 'missing.json'), home)).toBeUndefined();
  });

  it('F1: what stands in a broken place is not repeated: it may be a secret', async () => {
    const reading = await readText(
      'cursor',
      '{"mcpServers": {"x": {"command": "x", "env": {"TOKEN": "sk-secret" "A": 1}}}}',
    );
    expect(reading?.problems).toHaveLength(1);
    expect(JSON.stringify(reading)).not.toContain('sk-secret');
    const wrong = await readText('cursor', '{"mcpServers": {"x": {"command": ["sk-secret"], "args": "sk-secret"}}}');
    expect(wrong?.problems).toMatchObject([{ server: 'x', field: 'command', reason: 'must be text, got a list' }]);
    expect(
      JSON.stringify(await readText('cursor', '{"mcpServers": {"x": {"command": "x", "args": "sk-secret"}}}')),
    ).not.toContain('sk-');
  });

  it('F1: the profiles of VS Code have files of their own, and each is found', () => {
    const userHome = tempFolder();
    const profiles = join(userHome, '.config', 'Code', 'User', 'profiles');
    mkdirSync(join(profiles, 'a1b2'), { recursive: true });
    mkdirSync(join(profiles, 'c3d4'));
    writeFileSync(join(profiles, 'notes.txt'), '');
    const found = findSources({ platform: 'linux', userHome, env: {}, cwd: '/code/project' }, ['vscode']);
    expect(found.map(({ file }) => file).filter((file) => file.startsWith(profiles))).toEqual([
      join(profiles, 'a1b2', 'mcp.json'),
      join(profiles, 'c3d4', 'mcp.json'),
    ]);
  });

  it('F1: variables decide where files are, as they do for the tools', () => {
    const env = {
      XDG_CONFIG_HOME: '/x',
      CODEX_HOME: '/c',
      PI_CODING_AGENT_DIR: '/p',
      CLAUDE_CONFIG_DIR: '/l',
      GEMINI_CLI_HOME: '/g',
      OPENCODE_CONFIG: '/o/mine.json',
      OPENCODE_CONFIG_DIR: '/o',
      GOOSE_PATH_ROOT: '/r',
    };
    const linux = { platform: 'linux', userHome: '/home/me', env };
    expect(formats.zed.userFiles(linux)).toEqual(['/x/zed/settings.json']);
    expect(formats['claude-code'].userFiles(linux)).toEqual(['/l/.claude.json']);
    expect(formats.gemini.userFiles(linux)).toEqual(['/g/.gemini/settings.json']);
    expect(formats.opencode.userFiles(linux).slice(3)).toEqual([
      '/o/mine.json',
      '/o/opencode.json',
      '/o/opencode.jsonc',
    ]);
    expect(formats.goose.userFiles(linux)[0]).toBe('/r/config/config.yaml');
    const relative = { ...linux, env: { CLAUDE_CONFIG_DIR: 'here', GOOSE_PATH_ROOT: '' } };
    expect(formats['claude-code'].userFiles(relative)).toEqual(['/home/me/.claude.json']);
    expect(formats.goose.userFiles(relative)).toEqual(['/home/me/.config/goose/config.yaml']);
    expect(formats.codex.userFiles(linux)).toEqual(['/c/config.toml']);
    expect(formats.pi.userFiles(linux)).toEqual([
      '/p/mcp.json',
      '/p/mcp-servers.json',
      '/x/mcp/mcp.json',
      '/home/me/.agents/mcp.json',
      '/home/me/.agents/mcp/mcp.json',
    ]);
    const windows = { platform: 'win32', userHome: 'C:\\Users\\me', env: { APPDATA: 'D:\\Data' } };
    expect(formats['claude-desktop'].userFiles(windows)).toEqual(['D:\\Data\\Claude\\claude_desktop_config.json']);
    expect(formats.goose.userFiles(windows).map((file) => basename(file.replaceAll('\\', '/')))).toEqual([
      'config.yaml',
    ]);
  });
});
