import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { filesFolder } from '../formats/read-file.ts';
import { type Cli, createCli } from '../support/cli.ts';

/** Files of other tools: where they lie in the home, and in the project. */
const inHome = {
  '.claude.json': 'claude-code/user.claude.json',
  '.cursor/mcp.json': 'cursor/usual.json',
  '.config/Code/User/mcp.json': 'vscode/mcp.json',
  '.codeium/windsurf/mcp_config.json': 'windsurf/usual.json',
  '.config/zed/settings.json': 'zed/usual.json',
  '.codex/config.toml': 'codex/usual.toml',
  '.config/opencode/opencode.jsonc': 'opencode/usual.jsonc',
  '.config/goose/config.yaml': 'goose/usual.yaml',
  '.config/Claude/claude_desktop_config.json': 'claude-desktop/windows.json',
  '.pi/agent/mcp.json': 'pi/mcp.json',
};
const inProject = { '.mcp.json': 'claude-code/project.mcp.json', '.gemini/settings.json': 'gemini/project.json' };

/** A home whose user has other tools, and a project. */
function createUser(): Cli {
  const cli = createCli();
  const put = (files: Readonly<Record<string, string>>, folder: string): void => {
    for (const [place, source] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, place)), { recursive: true });
      copyFileSync(join(filesFolder, source), join(folder, place));
    }
  };
  put(inHome, cli.home);
  put(inProject, cli.cwd);
  mkdirSync(join(cli.cwd, '.git'));
  writeFileSync(join(cli.home, 'settings.json'), '{ "secretStore": "file" }');
  return cli;
}

const sums = (cli: Cli): readonly string[] =>
  [
    ...Object.keys(inHome).map((file) => join(cli.home, file)),
    ...Object.keys(inProject).map((file) => join(cli.cwd, file)),
  ].map((file) => createHash('sha256').update(readFileSync(file)).digest('hex') + statSync(file).mtimeMs);

const environment = {
  APPDATA: '',
  XDG_CONFIG_HOME: '',
  CLAUDE_CONFIG_DIR: '',
  CODEX_HOME: '',
  GEMINI_CLI_HOME: '',
  GOOSE_PATH_ROOT: '',
  OPENCODE_CONFIG: '',
  OPENCODE_CONFIG_DIR: '',
  PI_CODING_AGENT_DIR: '',
};

it('F1 L1: import shows its plan, writes it once, keeps project servers in the project and secrets apart, and touches no source', async () => {
  const cli = createUser();
  const before = sums(cli);
  const dry = await cli.run(['import', '--dry-run'], { env: environment });
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stdout).toContain('Nothing is written.');
  for (const title of [
    'Claude Code',
    'Cursor',
    'VS Code',
    'Windsurf',
    'Zed',
    'Codex',
    'Gemini CLI',
    'OpenCode',
    'Goose',
    'Pi',
  ]) {
    expect(dry.stdout).toContain(title);
  }
  expect(dry.stdout).not.toMatch(/ghp_example|pi-literal|abc\b/);
  expect(existsSync(join(cli.home, 'servers.json'))).toBe(false);

  const done = await cli.run(['import', '--yes', '--conflicts', 'rename'], { env: environment });
  expect(done).toMatchObject({ code: 0 });
  const user = readFileSync(join(cli.home, 'servers.json'), 'utf8');
  const project = readFileSync(join(cli.cwd, '.trestle', 'servers.json'), 'utf8');
  expect(user).not.toMatch(/ghp_example|pi-literal|playwright/);
  expect(user).toContain('Bearer ${keychain:github.headers.Authorization}');
  expect(Object.keys((JSON.parse(project) as { mcpServers: object }).mcpServers)).toContain('playwright');
  expect(statSync(join(cli.home, 'servers.json')).mode & 0o777).toBe(0o600);
  expect(done.stderr).toContain('trestle secret set vscode-perplexity-key');

  const again = await cli.run(['import', '--yes', '--conflicts', 'rename', '--json'], { env: environment });
  const plan = JSON.parse(again.stdout) as { servers: { state: string }[]; written: unknown[]; problems: unknown[] };
  expect(new Set(plan.servers.map(({ state }) => state))).toEqual(new Set(['equal']));
  expect(plan.written).toEqual([]);
  expect(plan.problems.length).toBeGreaterThan(5);
  expect(readFileSync(join(cli.home, 'servers.json'), 'utf8')).toBe(user);
  expect(readFileSync(join(cli.cwd, '.trestle', 'servers.json'), 'utf8')).toBe(project);
  expect(sums(cli)).toEqual(before);
  expect(globSync('**/.trestle-tmp-*', { cwd: cli.home })).toEqual([]);

  // What was moved is found again when a server is shown or started.
  const secrets = await cli.run(['secret', 'list', '--json']);
  expect(secrets.stdout).toContain('"github.headers.Authorization"');
});

it('F1: without a yes nothing is written, and nothing to do is no failure', async () => {
  const cli = createUser();
  const asked = await cli.run(['import', '--from', 'zed'], { env: environment });
  expect(asked).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('trestle import --from zed --yes') as string,
  });
  expect(existsSync(join(cli.home, 'servers.json'))).toBe(false);
  expect(asked.stdout).not.toContain('Cursor');
  const none = await createCli().run(['import', '--from', 'zed'], { env: environment });
  expect(none).toMatchObject({ code: 0, stdout: 'No configuration of another tool was found.\n' });
});

it('F1: a file of any place is read when it is named with its tool', async () => {
  const cli = createUser();
  const file = join(filesFolder, 'codex', 'forms.toml');
  const done = await cli.run(['import', '--from', 'codex', file, '--yes', '--secrets', 'leave']);
  expect(done).toMatchObject({ code: 0 });
  expect((await cli.run(['list'])).stdout).toMatch(/dotted[\s\S]*inline[\s\S]*umlaut[\s\S]*with-space/);
  expect(await cli.run(['import', file])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from') as string,
  });
  expect(await cli.run(['import', '--from', 'codex', 'none.toml'])).toMatchObject({ code: 2 });
});

it('F1: install shows the change, writes nothing that could not start, and has nothing to remove', async () => {
  const cli = createUser();
  const before = sums(cli);
  const dry = await cli.run(['install', '--host', 'cursor', '--dry-run'], { env: environment });
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/\+ .*"trestle": \{[\s\S]*"serve"/) as string });
  const refused = await cli.run(['install', '--host', 'cursor', '--yes'], { env: environment });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('trestle serve') as string });
  expect(refused.stdout).toBe(dry.stdout);
  const removed = await cli.run(['install', '--host', 'cursor', '--remove', '--yes'], { env: environment });
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('unchanged') as string });
  expect(await cli.run(['install'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--host') as string });
  expect(sums(cli)).toEqual(before);
});

it('F1: what is exported for another tool is what that tool reads', async () => {
  const cli = createUser();
  await cli.run(['import', '--yes'], { env: environment });
  for (const format of ['mcpServers', 'opencode', 'vscode', 'codex']) {
    const { code, stdout } = await cli.run(['export', '--format', format, 'time', 'figma']);
    expect({ format, code }).toEqual({ format, code: 0 });
    expect(stdout).toContain('mcp-server-time');
  }
  const saved = await cli.run(['export', '--format', 'codex', 'time', '-o', 'servers.toml']);
  expect(saved).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(join(cli.cwd, 'servers.toml'), 'utf8')).toContain('[mcp_servers.time]');
  expect(await cli.run(['export', '--format', 'codex', '-o', 'servers.toml'])).toMatchObject({ code: 2 });
  expect(await cli.run(['export', '--format', 'codex', 'nobody'])).toMatchObject({ code: 2 });
});
