/** Consent at the command: asked at a terminal, refused elsewhere, given and taken back by commands of their own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configureServers } from '../../test/support/home.ts';
import { type CommandPlace, type CommandRun, interrupt } from '../../test/support/run-command.ts';
import { runTyped } from '../../test/support/run-typed.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { countingStdio } from '../../test/support/trestle-home.ts';

interface Shell {
  readonly home: string;
  readonly called: () => readonly string[];
  /** Runs a command; a person at its terminal types `lines`, without them there is no terminal. */
  readonly run: (words: string, lines?: CommandPlace['lines']) => Promise<CommandRun>;
}

function shell(settings: object = { requireConsent: true }): Shell {
  const counting = countingStdio();
  const home = tempFolder();
  configureServers(home, { counting: counting.entry });
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  return {
    home,
    called: () => counting.ran().filter((line) => line.startsWith('call')),
    run: (words, lines) => runTyped(words, { home, lines }),
  };
}

const call = 'call counting echo message=hello';

describe('consent at the command', () => {
  it('K1, L3: without a terminal a call is denied with exit code 4, and one line says what to do', async () => {
    const { run, called } = shell();
    const { code, stdout, stderr } = await run(call);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain('error[approval_needed]: A person has to approve counting first: requireConsent in ');
    expect(stderr).toContain('trestle approve counting');
    expect(called()).toEqual([]);
  });

  it('K1: at a terminal a person chooses by a letter, on standard error', async () => {
    const { run, called } = shell();
    const { code, stdout, stderr } = await run(call, ['x', 'o']);
    expect([code, stdout]).toEqual([0, 'hello\n']);
    expect(stderr).toContain('Use the server counting?');
    expect(stderr).toContain('counting.mjs');
    expect(stderr).toContain('[o] Yes, this once  [s] Yes, for this session  [a] Yes, always  [n] No');
    expect(stderr).toContain('There is no choice "x".');
    expect(called()).toEqual(['call echo']);
  });

  it('K1: approve approves what it has shown: an entry that changes before the answer is not', async () => {
    const { home, run } = shell();
    const changed = (): string => {
      configureServers(home, { counting: { command: 'sh', args: ['-c', 'evil'] } });
      return 'y';
    };
    const { code, stderr } = await run('approve counting', [changed]);
    expect(code).toBe(4);
    expect(stderr).toContain('The entry of counting was changed while you looked at it, so nothing was approved.');
    expect((await run('approve')).stdout).toContain('Nothing is approved for good.');
    expect((await run('approve counting', ['y'])).code).toBe(0);
  });

  it.each([
    ['Enter', ['']],
    ['n', ['n']],
    ['the end of the input', []],
  ])('K1: %s means no', async (_what, lines) => {
    const { run, called } = shell();
    expect((await run(call, lines)).code).toBe(4);
    expect(called()).toEqual([]);
  });

  it('L3: Ctrl-C while a person is asked ends the command with 130', async () => {
    const { run, called } = shell();
    expect((await run(call, [interrupt])).code).toBe(130);
    expect(called()).toEqual([]);
  });

  it('K1: always is kept for commands to come', async () => {
    const { run } = shell();
    expect((await run(call, ['always'])).code).toBe(0);
    expect((await run(call)).code).toBe(0);
  });

  it('L1: approve shows what is approved and asks; its answer no approves nothing', async () => {
    const { run } = shell();
    const refused = await run('approve counting', ['']);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('counting.mjs');
    expect((await run('approve')).stdout).toBe('Nothing is approved for good.\n');
    expect((await run('approve counting', ['y'])).stdout).toContain('Approved: counting: use (');
    expect((await run(call)).code).toBe(0);
  });

  it('L1: approve without a terminal wants --yes, and says so', async () => {
    const { run } = shell();
    const { code, stderr } = await run('approve counting');
    expect([code, stderr]).toEqual([2, expect.stringContaining('trestle approve counting --yes')]);
    expect((await run('approve counting --yes')).code).toBe(0);
    expect((await run(call)).code).toBe(0);
  });

  it('L1: approve takes tools, arguments and a span; without a server it lists', async () => {
    const { run, home } = shell();
    const words = 'approve counting --tool ec* --arg message=h* --expires 30d --yes --json';
    const { stdout } = await run(words);
    expect(JSON.parse(stdout)).toMatchObject({
      approval: { server: 'counting', kind: 'use', tools: ['ec*'], arguments: { message: 'h*' } },
      question: { kind: 'call', server: 'counting' },
    });
    expect((await run(call)).code).toBe(0);
    expect((await run('call counting echo message=other')).code).toBe(4);
    expect((await run('call counting count')).code).toBe(4);
    expect((await run('approve')).stdout).toMatch(
      new RegExp(`^counting: use of ec\\*, where message is h\\*, until .* \\(${home}/servers\\.json\\), since `),
    );
    expect((await run('approve --json')).stdout).toContain('"identity"');
    await run('approve counting --yes');
    const known = (approvals: readonly object[]): readonly boolean[] => approvals.map((one) => 'descriptors' in one);
    const file = JSON.parse(readFileSync(join(home, 'state', 'approvals.json'), 'utf8')) as { approvals: object[] };
    expect(known(file.approvals)).toContain(true);
    const told = JSON.parse((await run('approve --json')).stdout) as { approvals: object[]; session: object[] };
    expect([told.approvals.length, known(told.approvals)]).toEqual([2, [false, false]]);
    const { revoked } = JSON.parse((await run('revoke --all --json')).stdout) as { revoked: object[] };
    expect(known(revoked)).toEqual([false, false]);
  });

  it.each([
    ['approve counting --expires soon --yes', 'span'],
    ['approve counting --tool a --arg path --yes', 'path=/tmp/*'],
    ['approve counting --arg a=b --yes', 'name their tools with --tool'],
    ['approve counting --tool echo --connect --yes', 'leave --connect out'],
    ['approve countin --yes', 'counting'],
    ['revoke', '--all'],
    ['revoke countin', 'counting'],
  ])('L1, L3: %s is put wrongly', async (words, told) => {
    const { run } = shell();
    const { code, stderr } = await run(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
  });

  it('L1: approve says where a pattern fits no tool that is known', async () => {
    const { run } = shell();
    expect((await run('approve counting --tool ecko --yes')).stderr).not.toContain('no tool now');
    await run('sync counting');
    expect((await run('approve counting --tool ecko --tool ec* --yes')).stderr).toContain(
      'note: counting has no tool now that fits ecko.\n',
    );
  });

  it('L1, K2: approve lists what waits; shown and approved it is used without another question', async () => {
    const { run, home } = shell({});
    mkdirSync(join(home, '.git'));
    const { mcpServers } = JSON.parse(readFileSync(join(home, 'servers.json'), 'utf8')) as {
      readonly mcpServers: Record<string, unknown>;
    };
    writeFileSync(join(home, '.mcp.json'), JSON.stringify({ mcpServers: { shared: mcpServers['counting'] } }));
    const listed = (await run('approve')).stdout;
    expect(listed).toContain(
      `shared: not approved (${home}/.mcp.json). See what it is: trestle approve shared --connect`,
    );
    expect(JSON.parse((await run('approve --json')).stdout)).toMatchObject({ waiting: [{ server: 'shared' }] });
    const { stderr } = await run('approve shared --connect --yes');
    expect(stderr).toContain('Start the server shared?');
    expect(stderr).toContain('counting.mjs');
    expect((await run('approve')).stdout).not.toContain('not approved');
    expect((await run('call shared echo message=hello')).code).toBe(0);
    await run('revoke shared');
    expect((await run('call shared echo message=hello')).code).toBe(4);
  });

  it('L1: revoke takes back what was approved, all of it, or what names a tool', async () => {
    const { run } = shell();
    await run('approve counting --yes');
    await run('approve counting --tool echo --yes');
    expect((await run('revoke counting --tool echo')).stdout).toMatch(
      /^counting: use of echo .*\n1 approval revoked\.\n$/,
    );
    expect((await run(call)).code).toBe(0);
    expect(JSON.parse((await run('revoke --all --json')).stdout)).toMatchObject({ revoked: [{ server: 'counting' }] });
    expect((await run(call)).code).toBe(4);
    expect((await run('revoke counting')).stdout).toBe('0 approvals revoked.\n');
  });
});
