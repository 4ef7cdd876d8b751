import { spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Cli, cliPath, createCli, finished, testServer } from '../support/cli.ts';

async function withCounting(): Promise<Cli> {
  const cli = createCli();
  await cli.run(['add', 'counting', '--', ...testServer('counting.mjs', 'stdio', join(cli.home, 'log'))]);
  return cli;
}

const bytes = 3_000_000;

it('L2: --full and --json give everything to the last byte through a slow pipe', async () => {
  const cli = await withCounting();
  for (const flag of ['--full', '--json']) {
    const child = cli.start(['call', 'counting', 'large', `bytes=${bytes}`, flag]);
    child.stdout?.pause();
    // The reader is late: what the pipe does not hold must not be lost.
    setTimeout(() => child.stdout?.resume(), 1_500);
    const { code, stdout } = await finished(child);
    expect(code).toBe(0);
    const text = flag === '--full' ? stdout : (JSON.parse(stdout) as { content: [{ text: string }] }).content[0].text;
    expect(text.length).toBe(bytes);
  }
});

it('L2: a reader that leaves is no error', async () => {
  const cli = await withCounting();
  const child = cli.start(['call', 'counting', 'large', `bytes=${bytes}`, '--full']);
  child.stdout?.once('data', () => child.stdout?.destroy());
  const { code, stderr } = await finished(child);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

it('B5: the text form is cut, with size and path of the whole on standard error', async () => {
  const cli = await withCounting();
  const cut = await cli.run(['call', 'counting', 'large', `bytes=${bytes}`]);
  expect(cut.stdoutBytes.length).toBeLessThan(60 * 1024);
  const [path = ''] = /\/\S+spill\/\S+|[A-Z]:\\\S+spill\\\S+/.exec(cut.stderr + cut.stdout) ?? [];
  expect(readFileSync(path, 'utf8')).toBe('x'.repeat(bytes));
});

it('B5: MCP_OUTPUT_GUARD=0 lifts the cut', async () => {
  const cli = await withCounting();
  const whole = await cli.run(['call', 'counting', 'large', `bytes=${bytes}`], { env: { MCP_OUTPUT_GUARD: '0' } });
  expect(whole.stdout.trimEnd().length).toBe(bytes);
});

const hostile = 'a\u001B[31mred\u001B[0m\u202Eevil\u0007\u009Bz';

it('C5: text is cleaned; --full into a pipe is the very bytes; --json escapes', async () => {
  const cli = await withCounting();
  const args = ['call', 'counting', 'echo', '--args', JSON.stringify({ message: hostile })];
  expect((await cli.run(args)).stdout).toBe('aredevil\n');
  expect((await cli.run([...args, '--full'])).stdout).toBe(hostile);
  const json = (await cli.run([...args, '--json'])).stdout;
  expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(json)).toMatchObject({ content: [{ type: 'text', text: hostile }] });
});

it('L2: -o writes the whole, refuses an existing file and follows no link', async () => {
  const cli = await withCounting();
  const args = ['call', 'counting', 'echo', 'message=saved', '-o', 'out.txt'];
  expect(await cli.run(args)).toMatchObject({ code: 0, stdout: '' });
  const file = join(cli.cwd, 'out.txt');
  expect(readFileSync(file, 'utf8')).toBe('saved');
  const refused = await cli.run(args);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('error[exists]');
  expect(await cli.run([...args, '--force'])).toMatchObject({ code: 0 });
});

it.skipIf(process.platform === 'win32')('L2: -o never writes through a link', async () => {
  const cli = await withCounting();
  const target = join(cli.cwd, 'target.txt');
  const link = join(cli.cwd, 'link.txt');
  writeFileSync(target, 'untouched');
  symlinkSync(target, link);
  const args = ['call', 'counting', 'echo', 'message=saved', '-o', 'link.txt'];
  expect((await cli.run(args)).code).toBe(2);
  expect(await cli.run([...args, '--force'])).toMatchObject({ code: 0 });
  expect(readFileSync(target, 'utf8')).toBe('untouched');
  symlinkSync(join(cli.cwd, 'nowhere.txt'), join(cli.cwd, 'dangling.txt'));
  expect((await cli.run([...args.slice(0, -1), 'dangling.txt'])).code).toBe(2);
  expect(existsSync(join(cli.cwd, 'nowhere.txt'))).toBe(false);
});

it('L2: arguments come from --args, a file, or standard input', async () => {
  const cli = await withCounting();
  const json = JSON.stringify({ message: 'from elsewhere' });
  writeFileSync(join(cli.cwd, 'args.json'), `\uFEFF${json}`);
  for (const given of [json, '@args.json', '-']) {
    const called = await cli.run(['call', 'counting', 'echo', '--args', given], { input: json });
    expect(called.stdout).toBe('from elsewhere\n');
  }
});

it('L4: no colour and no progress codes reach a pipe', async () => {
  const cli = await withCounting();
  const listed = await cli.run(['list', 'counting'], { env: { NO_COLOR: '' } });
  expect(listed.stdout + listed.stderr).not.toContain('\u001B');
  const forced = await cli.run(['list', 'counting'], { env: { NO_COLOR: '', FORCE_COLOR: '1' } });
  expect(forced.stdout).toContain('\u001B[1mecho');
});

it('T4: what a server prints to stdout beside its messages is told once, short and clean, on standard error', async () => {
  const cli = createCli();
  await cli.run(['add', 'noisy', '--', ...testServer('one-vice.mjs', 'noisy')]);
  const called = await cli.run(['call', 'noisy', 'echo', 'message=hello']);
  expect(called).toMatchObject({ code: 0, stdout: 'hello\n' });
  expect(called.stderr).toMatch(
    /^note: noisy: prints to stdout what is no MCP message; it is skipped: ready to serve\n$/,
  );
});

it('S7, L3: a sync that could not list the tools says why with its exit code, and brings the rest up to date', async () => {
  const cli = createCli();
  const file = join(cli.cwd, 'lists.json');
  const tools = { tools: [{ name: 'look', inputSchema: {} }] };
  const says = (lists: object): void =>
    writeFileSync(
      file,
      JSON.stringify({ 'resources/list': { resources: [] }, 'prompts/list': { prompts: [] }, ...lists }),
    );
  says({ 'tools/list': 'out of order' });
  const added = await cli.run(['add', 'odd', '--', ...testServer('odd-lists.mjs', file)]);
  expect(added.stderr).toContain('error[protocol_error]');
  expect(added.code).toBe(1);
  says({ 'tools/list': tools });
  expect(await cli.run(['sync', 'odd'])).toMatchObject({ code: 0 });
  says({ 'tools/list': 'out of order', 'prompts/list': { prompts: [{ name: 'greet' }] } });
  for (const args of [['sync', 'odd'], ['sync']]) {
    const synced = await cli.run(args);
    expect(synced.stdout).toContain('out of order');
    expect(synced.code).toBe(1);
  }
  expect((await cli.run(['list', 'odd'])).stdout).toContain('look');
});

it.runIf(existsSync('/dev/full'))(
  'L2, L3: a result that a full disk does not take is an error, also when the call went well',
  async () => {
    const cli = await withCounting();
    for (const args of [['--version'], ['list'], ['call', 'counting', 'count'], ['list', '--json']]) {
      const child = spawn('/bin/sh', ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, cliPath, ...args], {
        env: { ...process.env, TRESTLE_HOME: cli.home },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const { code, stderr } = await finished(child);
      expect(stderr, args.join(' ')).toMatch(/^error\[file_error\]: .*ENOSPC/);
      expect(code).toBe(2);
    }
  },
);

it.runIf(process.platform === 'linux')(
  'L3: without a working folder or a home folder there is one sentence, not a stack',
  async () => {
    const cli = createCli();
    const inNowhere = async (script: string, args: readonly string[]) => {
      const child = spawn('/bin/sh', ['-c', `${script}; exec "$@"`, 'sh', process.execPath, cliPath, ...args], {
        cwd: cli.cwd,
        env: { PATH: process.env['PATH'] ?? '', HOME: cli.home },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      return finished(child);
    };
    const gone = await inNowhere('mkdir gone && cd gone && rmdir ../gone', ['list']);
    expect(gone).toMatchObject({ code: 2, stdout: '' });
    expect(gone.stderr).toMatch(/^error\[file_error\]: The working folder does not exist any more\.\nhint: /);
    const homeless = await inNowhere('HOME=', ['list']);
    expect(homeless).toMatchObject({ code: 2, stdout: '' });
    expect(homeless.stderr).toMatch(/^error\[file_error\]: The user's home folder is no absolute path: ""\.\nhint: /);
    expect(await inNowhere('HOME=; mkdir -p nowhere && cd nowhere && rmdir ../nowhere', ['help'])).toMatchObject({
      code: 0,
      stderr: '',
    });
  },
);

it('K4: probe --call shows no secret that a server repeats, raw or encoded', async () => {
  const cli = createCli();
  const env = { MY_TOKEN: 'hunter2-hunter2' };
  await cli.run(['add', 'it', '--env', 'API_TOKEN=${MY_TOKEN}', '--', ...testServer('indiscreet.mjs')], { env });
  for (const args of [
    ['probe', 'it', '--call'],
    ['probe', 'it', '--call', '--json'],
  ]) {
    const { code, stdout, stderr } = await cli.run(args, { env });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('[redacted]');
    expect(stdout + stderr).not.toContain(env.MY_TOKEN);
    expect(stdout).not.toContain(Buffer.from(`Bearer ${env.MY_TOKEN}`).toString('base64').slice(12));
  }
});
