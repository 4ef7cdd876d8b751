import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { homeWith } from '../../test/support/home.ts';
import { type CommandRun, runCommand } from '../../test/support/run-command.ts';
import { createRuntime, placesOf, questionOf, type Runtime } from '../runtime/index.ts';
import type { Dialogs } from './dialogs.ts';
import { completeLine } from './complete-line.ts';
import { createOutput, type TextStream } from './output.ts';
import { showProgress } from './progress.ts';

const program = {
  name: '/x',
  inside: {
    commands: new Set(['add', 'list', 'status', 'approve', 'remove', 'login']),
    elsewhere: 'trestle --home pi',
  },
};

/** A host's own runtime, and command lines over it. */
function host() {
  const home = homeWith({ demo: { command: 'x' }, other: { command: 'y', description: 'Another one' } });
  const own = createRuntime({ places: placesOf(home), cwd: home, userHome: home, env: {}, platform: process.platform });
  let closed = false;
  const runtime = Object.create(own, {
    close: { value: async () => void (closed = true) },
  }) as Runtime;
  const asked: (readonly string[])[] = [];
  const run = (argv: readonly string[], says?: boolean): Promise<CommandRun> => {
    const dialogs: Dialogs = {
      confirm: async (about) => {
        asked.push(about);
        return says === true;
      },
      choose: async () => undefined,
      enter: async () => undefined,
    };
    return runCommand(argv, { home, program, runtime, ...(says === undefined ? {} : { dialogs }) });
  };
  return { run, runtime, asked, isClosed: () => closed };
}

describe('a command line inside of a host', () => {
  it('N1: runs over the runtime of the host and leaves it open', async () => {
    const { run, isClosed } = host();
    const { code, stdout } = await run(['list']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^demo .*\nother .*Another one\n$/)]);
    expect(isClosed()).toBe(false);
  });

  it('N1: help shows the commands and flags that there are, and names them as they are typed here', async () => {
    const { run } = host();
    const { code, stdout } = await run([]);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: /x <command>');
    expect(stdout).toContain('  remove, rm, delete');
    expect(stdout).not.toMatch(/^ {2}(call|secret|daemon|sync)\b/m);
    expect(stdout).toContain('/x help <command>');
    expect(stdout).toContain('Other commands are for a shell: trestle --home pi help');
    const help = (await run(['remove', '--help'])).stdout;
    expect(help).toContain('/x remove <server> [--keep-config]');
    expect(help).toContain('log out first: trestle --home pi logout <server>');
    expect(help).not.toMatch(/^ +--(home|no-daemon)/m);
    for (const name of program.inside.commands) {
      const text = (await run(['help', name])).stdout;
      expect(text).toContain(`\n  /x ${name}`);
      expect(text).not.toMatch(/(?<![\w@./-])trestle [a-z]/);
    }
  });

  it.each([
    [['stat'], 'There is no command "stat".', 'Did you mean: /x status'],
    [['ls', 'demo'], 'There is no command "ls".', 'Did you mean: /x list demo'],
    [['frobnicate'], 'There is no command "frobnicate".', 'See them: /x help'],
    [['call', 'demo', 'a b'], '"call" is not a command of /x.', "In a shell: trestle --home pi call demo 'a b'"],
    [['run', 'demo'], '"run" is not a command of /x.', 'In a shell: trestle --home pi call demo'],
    [['help', 'call'], '"call" is not a command of /x.', 'In a shell: trestle --home pi help call'],
    [['version'], 'There is no command "version".', 'Did you mean: /x --version'],
    [['list', '--home', 'pi'], 'There is no flag --home here.', ''],
    [['list', 'dem'], 'There is no server named "dem".', 'Did you mean: /x list demo'],
    [['login'], "The server's name is missing.", 'For example: /x login docs'],
  ])('N1: %j is refused with what was probably meant', async (argv, message, hint) => {
    const { code, stderr } = await host().run(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it('N1: approve shows its facts in a dialog, and only a yes is one', async () => {
    const { run, runtime, asked } = host();
    const refused = await run(['approve', 'demo'], false);
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toContain('Nothing was approved.');
    expect((await runtime.approvals()).approvals).toEqual([]);
    const { code, stdout, stderr } = await run(['approve', 'demo'], true);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Take it back: trestle --home pi revoke demo');
    expect(asked[1]?.join('\n')).toMatch(
      /^Use the server demo\?\n[^]*Command: +x\n[^]*A yes covers[^]*Approve this\?$/,
    );
    expect((await runtime.approvals()).approvals).toMatchObject([{ server: 'demo' }]);
    expect(await run(['approve', 'other'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Where a person wants it: /x approve other --yes') as string,
    });
    expect(await run(['approve', 'other', '--yes'], false)).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(2);
  });

  it('K1: approve lists what holds for the session only, as that', async () => {
    const { run, runtime } = host();
    writeFileSync(runtime.places.settingsFile, '{ "requireConsent": true }');
    const outcome = await runtime.call({ server: 'demo', tool: 'echo' });
    await runtime.answer({ question: questionOf(outcome)?.id ?? '', choice: 'session' });
    expect((await run(['approve'])).stdout).toMatch(
      /^Nothing is approved for good\.\ndemo: use \(.*servers\.json\), for this session\n$/,
    );
    const told: unknown = JSON.parse((await run(['approve', '--json'])).stdout);
    expect(told).toMatchObject({ approvals: [], session: [{ server: 'demo', kind: 'use' }] });
    await runtime.revoke({ server: 'demo' });
    expect((await run(['approve'])).stdout).toBe('Nothing is approved for good.\n');
  });

  it('N1: progress is shown where the host says, each state once, and nothing in the end', async () => {
    const shown: (readonly string[])[] = [];
    const stream: TextStream = { write: () => expect.unreachable(), on() {} };
    const output = createOutput({
      stdout: stream,
      stderr: stream,
      env: {},
      json: false,
      program,
      progressPlace: (lines) => shown.push(lines),
    });
    const clock = createManualClock();
    const progress = showProgress(output, clock);
    progress.for('demo').onStep('reading\u001B[2J tools');
    await clock.advance(700);
    progress[Symbol.dispose]();
    expect(shown).toEqual([['demo: reading tools (0 s)'], []]);
    expect(clock.pending).toBe(0);
  });
});

describe('completion inside of a host', () => {
  it.each([
    ['', ['add ', 'approve ', 'help ', 'list ', 'login ', 'remove ', 'status ']],
    ['re', ['remove ']],
    ['call de', []],
    ['approve ', ['approve demo ', 'approve other ']],
    ['  approve   d', ['  approve   demo ']],
    ['remove demo --', ['remove demo --help ', 'remove demo --json ', 'remove demo --keep-config ']],
    ['add x --transport=s', ['add x --transport=sse ', 'add x --transport=streamable ']],
    ["approve 'd", []],
    ['help ap', ['help approve ']],
    ['add x -- no', []],
  ])('N1: %j goes on as %j', async (line, expected) => {
    const lines = (await completeLine(line, { runtime: host().runtime, program })).map((way) => way.line);
    expect(lines.toSorted()).toEqual(expected);
  });

  it('N1: names its server in a few clean words, and fails as nothing', async () => {
    const { runtime } = host();
    const [way] = await completeLine('approve dem', { runtime, program });
    expect(way).toEqual({ line: 'approve demo ', label: 'demo' });
    const broken = Object.create(runtime, { registry: { get: () => expect.unreachable() } }) as Runtime;
    expect(await completeLine('approve dem', { runtime: broken, program })).toEqual([]);
  });
});
