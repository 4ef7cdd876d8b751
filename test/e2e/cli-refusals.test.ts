import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Cli, createCli, testServer } from '../support/cli.ts';

/** A home with one synced server; its log is emptied, so that whatever stands there later tells of a start. */
async function withCounting(): Promise<{ readonly cli: Cli; readonly started: () => boolean }> {
  const cli = createCli();
  const log = join(cli.home, 'started.log');
  await cli.run(['add', 'counting', '--', ...testServer('counting.mjs', 'stdio', log)]);
  writeFileSync(log, '');
  return { cli, started: () => readFileSync(log, 'utf8') !== '' };
}

it('L8: every refusal starts nothing and gives the typed command with only the wrong part replaced', async () => {
  const { cli, started } = await withCounting();
  const cases: readonly (readonly [readonly string[], string, string])[] = [
    [['call', 'countin', 'echo', 'message=a b'], 'unknown_server', "trestle call counting echo 'message=a b'"],
    [['call', 'counting', 'eko', 'message=hi', '--json=x'], 'usage', ''],
    [['call', 'counting', 'ecco', 'message=hi'], 'unknown_tool', 'trestle call counting echo message=hi'],
    [['call', 'counting', 'echo'], 'invalid_arguments', 'trestle call counting echo message='],
    [
      ['call', 'counting', 'large', 'bytes=many', '--timeout', '9'],
      'invalid_arguments',
      'trestle call counting large bytes=',
    ],
    [
      ['call', 'counting', 'echo', '--args', '{"message":1}'],
      'invalid_arguments',
      `trestle call counting echo --args '{"message":"1"}'`,
    ],
    [['call', 'counting', 'echo', '--args', '{}', 'message=x'], 'usage', ''],
    [
      ['call', 'counting', 'echo', 'message=x', '-o', 'taken.txt'],
      'exists',
      'trestle call counting echo message=x -o taken.txt --force',
    ],
    [['call', 'counting', 'echo', 'message=x', '-o', 'none/x.txt'], 'file_error', ''],
    [['read', 'counting', 'count://bytes', '-o', 'taken.txt'], 'exists', '--force'],
    [['call', 'counting'], 'usage', 'trestle list counting'],
    [['call', 'ftp://example.com', 'echo'], 'unknown_server', 'http:// or https://'],
    [['call', 'counting.echo', 'message=a b'], 'unknown_server', "trestle call counting echo 'message=a b'"],
    [['call', 'counting/echo'], 'usage', 'trestle call counting echo'],
    [['call', 'counting.echo', 'echo', 'message=x'], 'unknown_server', 'trestle call counting echo message=x'],
    [['show', 'counting.echo'], 'unknown_server', 'trestle show counting echo\n'],
    [['show', 'counting/echo'], 'unknown_server', 'trestle show counting echo\n'],
    [['list', 'counting/echo'], 'unknown_server', 'trestle list counting\n'],
    [
      ['call', 'counting', 'echo', '{"message":"a=b"}'],
      'usage',
      `trestle call counting echo --args '{"message":"a=b"}'`,
    ],
    [['call', 'counting', 'echo', 'a b'], 'usage', "trestle call counting echo 'message=a b'"],
    [['call', 'counting', 'echo', 'a', 'b'], 'usage', 'write key=value'],
    [['show', 'counting.echo', 'echo'], 'unknown_server', 'trestle show counting echo\n'],
    [['sync', 'counting.echo'], 'unknown_server', 'trestle sync counting\n'],
    [['call', 'localhost:9/mcp', 'echo'], 'unknown_server', 'trestle call http://localhost:9/mcp echo'],
    [['read', 'example.com/mcp', 'a:b'], 'unknown_server', 'trestle read https://example.com/mcp a:b'],
    [['sync', 'localhost:9/mcp'], 'unknown_server', 'Servers: counting'],
    [['add', 'new', 'npx', '-y', 'a package'], 'usage', "trestle add new -- npx -y 'a package'"],
    [['call', 'counting', 'echo', '--message', 'a b'], 'usage', "trestle call counting echo 'message=a b'"],
    [['call', 'counting', 'echo', '--message=hi'], 'usage', 'trestle call counting echo message=hi'],
    [['call', 'counting', 'echo', '--message'], 'usage', 'See the flags with --help.'],
    [['call', 'counting', 'echo', 'message:=a b'], 'usage', "'message=a b'"],
    [['call', 'counting', 'echo', 'message:=["a"'], 'usage', 'Quote it for the shell'],
    [['add', 'new', 'npx', 'a package'], 'usage', "trestle add new -- npx 'a package'"],
    [['add', 'new', 'https://example.com/mcp'], 'usage', 'trestle add new --url https://example.com/mcp'],
    [['add', 'counting', '--', 'npx'], 'exists', 'trestle add counting --replace -- npx'],
    [['add', 'Counting', '--', 'npx'], 'exists', 'Choose another name.'],
    [['cal', 'counting', 'echo'], 'usage', 'trestle call counting echo'],
  ];
  writeFileSync(join(cli.cwd, 'taken.txt'), '');
  for (const [args, code, command] of cases) {
    const refused = await cli.run(args);
    expect({ args, code: refused.code, stdout: refused.stdout }).toEqual({ args, code: 2, stdout: '' });
    expect(refused.stderr).toContain(`error[${code}]`);
    expect(refused.stderr).toContain(command);
  }
  expect(started()).toBe(false);
});

it('L8: list, show, status, context and validate start no server', async () => {
  const { cli, started } = await withCounting();
  for (const args of [
    ['list'],
    ['list', 'counting'],
    ['show', 'counting'],
    ['show', 'counting', 'echo'],
    ['status'],
    ['context'],
    ['context', '--explain'],
    ['validate'],
  ]) {
    expect(await cli.run(args)).toMatchObject({ code: 0 });
    expect(await cli.run([...args, '--json'])).toMatchObject({ code: 0 });
  }
  expect(started()).toBe(false);
});

it('L8: the corrected command of a refusal runs as pasted', async () => {
  const { cli } = await withCounting();
  const refused = await cli.run(['call', 'counting', 'large', 'bytes=7x', 'message=it is']);
  const [, words = ''] = /Try: trestle (.*)/.exec(refused.stderr) ?? [];
  expect(words).toContain("'message=it is'");
  const corrected = words
    .replaceAll(/'([^']*)'/g, (_all, quoted: string) => quoted.replaceAll(' ', '\u0001'))
    .split(' ');
  expect(await cli.run(corrected.map((word) => word.replaceAll('\u0001', ' ')))).toMatchObject({ code: 0 });
});

it('L2: a failure with --json is JSON on standard output, with kind and execution', async () => {
  const { cli } = await withCounting();
  const refused = await cli.run(['call', 'counting', 'nothing-like-it', '--json']);
  expect(refused).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(refused.stdout)).toMatchObject({
    error: { code: 'unknown_tool' },
    kind: 'not-found',
    execution: 'not-sent',
  });
});

it('L3: a tool error exits 1 with its content on standard output; a timeout 5; a crash 3', async () => {
  const { cli } = await withCounting();
  const failed = await cli.run(['call', 'counting', 'fail']);
  expect(failed).toMatchObject({ code: 1, stdout: 'it failed\n' });
  const slow = await cli.run(['call', 'counting', 'hang', '--timeout', '4']);
  expect(slow).toMatchObject({ code: 5, stdout: '' });
  expect(slow.stderr).toContain('error[timed_out]');
  expect(slow.stderr).toContain('may have executed');
  const crashed = await cli.run(['call', 'counting', 'crash']);
  expect(crashed).toMatchObject({ code: 3, stdout: '' });
  expect(crashed.stderr).toContain('the crash came');
});

it('L3: a configuration that cannot be read exits 2 and names file and line; one bad entry does not lose the others', async () => {
  const { cli } = await withCounting();
  const file = join(cli.home, 'servers.json');
  writeFileSync(file, '{ "mcpServers": {\n  "a": { "command": ');
  const refused = await cli.run(['list']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('error[config_unreadable]');
  expect(refused.stderr).toContain(file);
  writeFileSync(file, '{ "mcpServers": { "good": { "command": "x" }, "bad": { } } }');
  const listed = await cli.run(['list']);
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(/^bad .*broken entry/m);
  expect(listed.stdout).toMatch(/^good /m);
  expect(listed.stderr).toContain('trestle status');
  expect((await cli.run(['status'])).stdout).toContain('command or url is missing; a server has one of them.');
  expect(await cli.run(['call', 'bad', 'x'])).toMatchObject({ code: 2 });
});

it('L3: a broken registry file is named by validate, which exits 1; other servers go on working', async () => {
  const { cli } = await withCounting();
  writeFileSync(join(cli.home, 'registry', 'counting', 'tools', 'echo.json'), '{ "name": ');
  const found = await cli.run(['validate']);
  expect(found.code).toBe(1);
  expect(found.stdout).toContain('echo.json');
  expect(await cli.run(['call', 'counting', 'count'])).toMatchObject({ code: 0, stdout: 'counted\n' });
});

it.each([
  { file: 'servers.json', text: '{ "mcpServers": ', code: 'config_unreadable', hint: 'Correct the file' },
  {
    file: 'servers.json',
    text: '{ "mcpServers": { "a": { "command": "" } } }',
    code: 'config_entry_invalid',
    hint: 'Correct it in',
  },
  { file: 'settings.json', text: '{ "idleTimeout": "long" }', code: 'config_entry_invalid', hint: 'Correct it in' },
  { file: 'state/approvals.json', text: '[]', code: 'state_unusable', hint: 'trestle approve' },
])(
  'L3, L6: validate names $file that holds $text, with what to do, and exits 1',
  async ({ file, text, code, hint }) => {
    const cli = createCli();
    expect(await cli.run(['validate'])).toMatchObject({ code: 0 });
    mkdirSync(join(cli.home, 'state'), { recursive: true, mode: 0o700 });
    writeFileSync(join(cli.home, file), text, { mode: 0o600 });
    const found = await cli.run(['validate']);
    expect(found).toMatchObject({ code: 1, stderr: '' });
    expect(found.stdout).toMatch(/^error \w+: .*\nhint: .*\n/m);
    expect(found.stdout).toContain(join(cli.home, file));
    expect(found.stdout).toContain(hint);
    const told = JSON.parse((await cli.run(['validate', '--json'])).stdout) as { files: readonly unknown[] };
    expect(told.files).toMatchObject([{ level: 'trouble', code }]);
  },
);

it('R5: validate exits 1 when a stored text hides something, and 0 for an edit that only deserves a note', async () => {
  const { cli } = await withCounting();
  const file = join(cli.home, 'registry', 'counting', 'tools', 'count.json');
  const descriptor = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const write = (description: string): void => writeFileSync(file, JSON.stringify({ ...descriptor, description }));

  write('Edited by hand.');
  const noted = await cli.run(['validate']);
  expect(noted.stdout).toContain('note ');
  expect(noted).toMatchObject({ code: 0, stdout: expect.stringContaining('no findings') as string });

  write('Hidden \u202Etxet.');
  expect(await cli.run(['validate'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 warning') as string,
  });
});
