import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeWith } from '../../test/support/home.ts';
import { type CommandRun, runCommand } from '../../test/support/run-command.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const value = 'the-value-of-it';

/** Runs a command line over a home, by somebody who has no variables. */
const run = (
  home: string,
  argv: readonly string[],
  given: { readonly input?: string; readonly typed?: string } = {},
): Promise<CommandRun> => runCommand(argv, { home, cwd: tempFolder(), env: {}, ...given });

/** A home that keeps its secrets in a file, whatever this machine has. */
function homeOf(servers: Readonly<Record<string, unknown>> = {}): string {
  const home = homeWith(servers);
  writeFileSync(join(home, 'settings.json'), '{ "secretStore": "file" }');
  return home;
}

const kept = (home: string): unknown => JSON.parse(readFileSync(join(home, 'state', 'secrets.json'), 'utf8'));

describe('trestle secret', () => {
  it('K5, L1: set keeps what comes by standard input or is typed, and says where; no output has the value', async () => {
    const home = homeOf();
    const piped = await run(home, ['secret', 'set', 'piped'], { input: `${value}\r\n` });
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(piped.stdout).toContain(join(home, 'state', 'secrets.json'));
    expect(piped.stdout).toContain('(no keychain: the settings say so)');
    expect(piped.stdout).toContain('${keychain:piped}');
    const typed = await run(home, ['secret', 'set', 'typed', '--json'], { typed: `${value}\n` });
    expect(typed).toMatchObject({ code: 0, stderr: 'Value of typed (not shown): \n' });
    expect(JSON.parse(typed.stdout)).toMatchObject({ name: 'typed', kept: 'file', why: 'the settings say so' });
    expect(kept(home)).toEqual({ piped: value, typed: `${value}\n` });
    expect(JSON.stringify([piped, typed])).not.toContain(value);
  });

  it('K4, L1: list shows names and who uses them, no value, and none of sign-ins', async () => {
    const home = homeOf({ docs: { url: 'https://docs.example/mcp', headers: { A: 'Bearer ${keychain:docs}' } } });
    for (const name of ['docs', 'other']) await run(home, ['secret', 'set', name], { input: value });
    const file = join(home, 'state', 'secrets.json');
    writeFileSync(file, JSON.stringify({ ...(kept(home) as object), 'oauth:x': value }));
    const listed = await run(home, ['secret', 'list']);
    expect(listed.stdout.split('\n').slice(0, 2)).toEqual(['docs   docs', 'other  not used']);
    expect(listed.stdout).toContain('2 secrets in ');
    const json = await run(home, ['secret', 'list', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      kept: 'file',
      secrets: [
        { name: 'docs', usedBy: ['docs'] },
        { name: 'other', usedBy: [] },
      ],
    });
    expect(JSON.stringify([listed, json])).not.toContain(value);
  });

  it('L1: remove removes one, says who still refers to it, and that an unknown one is unknown', async () => {
    const home = homeOf({ docs: { command: 'x', args: ['${keychain:docs}'] } });
    await run(home, ['secret', 'set', 'docs'], { input: value });
    const removed = await run(home, ['secret', 'remove', 'docs']);
    expect(removed).toMatchObject({ code: 0, stdout: 'docs is removed.\n' });
    expect(removed.stderr).toBe('note: Still referred to by docs.\n');
    const again = await run(home, ['secret', 'remove', 'docs', '--json']);
    expect(again.code).toBe(2);
    expect(JSON.parse(again.stdout)).toMatchObject({ error: { code: 'missing_secret' } });
  });

  it('K4: a value among the arguments is refused and not repeated', async () => {
    const home = homeOf();
    const ran = await run(home, ['secret', 'set', 'docs', value]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('never its value');
    expect(ran.stdout + ran.stderr).not.toContain(value);
  });

  it('L1: what is no name, no value or no action is one sentence and code 2', async () => {
    const home = homeOf();
    for (const argv of [['secret'], ['secret', 'sett', 'x'], ['secret', 'set'], ['secret', 'set', 'oauth:x']]) {
      expect((await run(home, argv, { input: value })).code, argv.join(' ')).toBe(2);
    }
    expect((await run(home, ['secret', 'set', 'x'], { input: '\n' })).stderr).toContain('is empty');
    expect((await run(home, ['secret', 'sett', 'x'])).stderr).toContain('secret set x');
    expect((await run(home, ['secret', 'rm', 'x'])).stderr).toContain('Did you mean: trestle secret remove x');
  });
});

describe('a literal secret that is added', () => {
  it.each([
    [['--env', 'API_TOKEN=literal-value', '--', 'no-such-command'], 'secret set api-token'],
    [['--url', 'http://127.0.0.1:9', '--header', 'Authorization=literal-value'], 'secret set authorization'],
  ])('K4: is told in one line, without it: %s', async (flags, says) => {
    const { stderr, stdout } = await run(homeOf(), ['add', 'it', ...flags]);
    expect(stderr.split('\n').filter((line) => line.includes(says))).toHaveLength(1);
    expect(stdout + stderr).not.toContain('literal-value');
  });

  it('K4: nothing is said of references', async () => {
    const flags = ['--env', 'API_TOKEN', '--env', 'MODE=x', '--', 'no-such-command'];
    expect((await run(homeOf(), ['add', 'it', ...flags])).stderr).not.toContain('secret set');
  });
});
