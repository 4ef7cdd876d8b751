/** Everything that people and servers get wrong: one sentence, a code, a hint, an exit code, and the rest goes on working. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Cli, createCli, testServer } from '../support/cli.ts';
import { freePort } from '../support/everything.ts';
import { configureServers } from '../support/home.ts';
import { serveHttp } from '../support/http-server.ts';

const over = ([command, ...args]: readonly string[]): Readonly<Record<string, unknown>> => ({ command, args });
const good = over(testServer('one-vice.mjs', 'none'));
const withVice = (vice: string): Readonly<Record<string, unknown>> => over(testServer('one-vice.mjs', vice));

/** A command over a home with a good server, synced, and one called `bad`. */
async function prepared(bad: Readonly<Record<string, unknown>> = {}): Promise<Cli> {
  const cli = createCli();
  configureServers(cli.home, { good });
  const synced = await cli.run(['sync', 'good']);
  expect(synced.code, synced.stderr).toBe(0);
  configureServers(cli.home, { good, ...bad });
  return cli;
}

interface Refusal {
  readonly code: string;
  readonly exit: number;
  /** What the sentence must name. */
  readonly names: readonly (string | RegExp)[];
  readonly hint?: RegExp;
}

/** Runs a command that must fail, as text and as JSON; both say the same. Then the good server is called. */
async function expectRefusal(cli: Cli, args: readonly string[], expected: Refusal): Promise<void> {
  const run = await cli.run(args);
  expect(run.stderr).toContain(`error[${expected.code}]: `);
  expect(run.code, run.stderr).toBe(expected.exit);
  expect(run.stdout).toBe('');
  const [sentence = '', hint = ''] = run.stderr.slice(run.stderr.indexOf('error[')).split('\n');
  for (const name of expected.names) expect(sentence).toMatch(name);
  expect(hint).toMatch(expected.hint ?? /^hint: \S/);

  const json = await cli.run([...args, '--json']);
  expect(json.code, json.stdout).toBe(expected.exit);
  const { error } = JSON.parse(json.stdout) as { readonly error: { readonly code: string; readonly hint?: string } };
  expect(error).toMatchObject({ code: expected.code, hint: expect.any(String) as string });

  const after = await cli.run(['call', 'good', 'echo', 'message=still here']);
  expect(after, after.stderr).toMatchObject({ code: 0, stdout: 'still here\n' });
}

describe('bad input on the command line', () => {
  it.each([
    {
      what: 'an unknown server',
      args: ['call', 'goood', 'echo', 'message=x'],
      expected: { code: 'unknown_server', exit: 2, names: ['goood'] },
    },
    {
      what: 'an unknown tool',
      args: ['call', 'good', 'ecco', 'message=x'],
      expected: { code: 'unknown_tool', exit: 2, names: ['ecco', 'good'] },
    },
    {
      what: 'a missing argument',
      args: ['call', 'good', 'echo'],
      expected: { code: 'invalid_arguments', exit: 2, names: ['message'] },
    },
    {
      what: 'an argument of the wrong type',
      args: ['call', 'good', 'echo', 'message:=5'],
      expected: { code: 'invalid_arguments', exit: 2, names: ['message'] },
    },
    {
      what: 'an unknown command',
      args: ['cal', 'good'],
      expected: { code: 'usage', exit: 2, names: ['cal'] },
    },
  ])('L3, L8: $what is refused with the corrected command', async ({ args, expected }) => {
    await expectRefusal(await prepared(), args, expected);
  });
});

describe('bad definitions', () => {
  it('T1, L3: a command that is not found', async () => {
    const cli = await prepared({ bad: { command: 'no-such-program-anywhere' } });
    const expected = { code: 'command_not_found', exit: 3, names: ['bad', 'no-such-program-anywhere'] };
    await expectRefusal(cli, ['call', 'bad', 'echo', 'message=x'], expected);
  });

  it('T1, L3: a working folder that is not there', async () => {
    const cli = await prepared({ bad: { ...good, cwd: '/no/such/folder' } });
    const expected = { code: 'cwd_not_found', exit: 3, names: ['bad', '/no/such/folder'] };
    await expectRefusal(cli, ['call', 'bad', 'echo', 'message=x'], expected);
  });

  it('K5, L3: a variable that is not set', async () => {
    const cli = await prepared({ bad: { ...good, env: { TOKEN: '${NO_SUCH_VARIABLE}' } } });
    const expected = { code: 'missing_variable', exit: 2, names: ['bad', 'NO_SUCH_VARIABLE', 'TOKEN'] };
    await expectRefusal(cli, ['call', 'bad', 'echo', 'message=x'], expected);
  });

  it('F3, L3: an entry with both command and url', async () => {
    const cli = await prepared({ bad: { ...good, url: 'http://127.0.0.1:1/mcp' } });
    const expected = { code: 'config_entry_invalid', exit: 2, names: ['bad', /url|command/] };
    await expectRefusal(cli, ['call', 'bad', 'echo', 'message=x'], expected);
  });
});

describe('bad files', () => {
  it('F2, L3: a truncated servers.json names line and column, and is not written', async () => {
    const cli = await prepared();
    const file = join(cli.home, 'servers.json');
    const whole = readFileSync(file, 'utf8');
    const half = whole.slice(0, whole.length / 2);
    writeFileSync(file, half);
    for (const args of [['call', 'good', 'echo', 'message=x'], ['list'], ['add', 'more', '--', 'true']]) {
      const run = await cli.run(args);
      expect(run.stderr).toMatch(/^error\[config_unreadable\]: .*servers\.json.*\d+/m);
      expect(run.stderr).toMatch(/^hint: /m);
      expect(run.code).toBe(2);
    }
    expect(readFileSync(file, 'utf8')).toBe(half);
    writeFileSync(file, whole);
    expect(await cli.run(['call', 'good', 'echo', 'message=x'])).toMatchObject({ code: 0, stdout: 'x\n' });
  });

  it('R2, R5: a truncated descriptor is reported by name, left as it is, and the other tools work', async () => {
    const cli = await prepared();
    const folder = join(cli.home, 'registry/good/tools');
    const big = join(folder, readdirSync(folder).find((name) => name.startsWith('big')) ?? '');
    writeFileSync(big, '{"name": "big", "inputSch');
    const validated = await cli.run(['validate']);
    expect(validated.code, validated.stdout).toBe(1);
    expect(validated.stdout).toContain(big);
    const broken = await cli.run(['call', 'good', 'big']);
    expect(broken.stderr).toMatch(/^error\[registry_\w+\]: .*big/m);
    expect(broken.code).toBe(2);
    expect(readFileSync(big, 'utf8')).toBe('{"name": "big", "inputSch');
    expect(await cli.run(['call', 'good', 'echo', 'message=x'])).toMatchObject({ code: 0, stdout: 'x\n' });
  });

  it('R2, R5: a truncated meta.json is reported, and the next sync says so instead of overwriting it silently', async () => {
    const cli = await prepared();
    const meta = join(cli.home, 'registry/good/meta.json');
    writeFileSync(meta, '{"name": "go');
    const validated = await cli.run(['validate']);
    expect(validated.code, validated.stdout).toBe(1);
    expect(validated.stdout).toContain(meta);
    const synced = await cli.run(['sync', 'good']);
    expect(`${synced.stdout}${synced.stderr}`).toContain(meta);
    expect(await cli.run(['call', 'good', 'echo', 'message=x'])).toMatchObject({ code: 0, stdout: 'x\n' });
  });
});

describe('bad servers', () => {
  it('L3: a dead URL', async () => {
    const cli = await prepared({ bad: { url: `http://127.0.0.1:${await freePort()}/mcp` } });
    const expected = { code: 'connection_failed', exit: 3, names: ['bad', '127.0.0.1'] };
    await expectRefusal(cli, ['call', 'bad', 'echo', 'message=x'], expected);
  });

  it('H7, L3: a web page instead of a server, without the page', async () => {
    const { origin } = await serveHttp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Welcome</title><p>hello');
    });
    const cli = await prepared({ bad: { url: `${origin}/mcp` } });
    const args = ['call', 'bad', 'echo', 'message=x'];
    await expectRefusal(cli, args, { code: 'not_mcp', exit: 3, names: ['bad', /HTML|web page/i] });
    expect((await cli.run(args)).stderr).not.toContain('<p>');
  });

  it('S1, L3: a revision nobody knows', async () => {
    const cli = await prepared({ bad: withVice('wrong-revision') });
    const expected = { code: 'version_mismatch', exit: 3, names: ['bad', '2099-01-01', '2025-11-25'] };
    await expectRefusal(cli, ['call', 'bad', 'echo', 'message=x'], expected);
  });

  it('T3, L3: a message over the limit', async () => {
    const cli = await prepared({ bad: withVice('oversize') });
    const expected = { code: 'message_too_large', exit: 1, names: ['bad', /16(\.0)? MiB/] };
    await expectRefusal(cli, ['call', 'bad', 'big'], expected);
  });

  it('S9, L3: a server that never answers a call', async () => {
    const cli = await prepared({ bad: withVice('hangs') });
    const expected = { code: 'timed_out', exit: 5, names: ['bad', /1 s/] };
    await expectRefusal(cli, ['call', 'bad', 'echo', 'message=x', '--timeout', '1'], expected);
  });

  it('S9, T6, L3: a server that never says a word, whose hint names what it may be waiting for', async () => {
    const cli = await prepared({ bad: withVice('mute') });
    const expected = { code: 'timed_out', exit: 5, names: ['bad'], hint: /"framing": "content-length"/ };
    await expectRefusal(cli, ['call', 'bad', 'echo', 'message=x', '--timeout', '2'], expected);
  });
});
