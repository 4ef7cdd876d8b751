/** `doctor` and `reload` as a person meets them: real commands, real servers. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Cli, createCli, createDaemonCli, finished, testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { configureServers } from '../support/home.ts';
import { isAlive, processesWithEnvironment } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

function entryOf(name: string, ...args: readonly string[]): Readonly<Record<string, unknown>> {
  const [command, ...rest] = testServer(name, ...args);
  return { command, args: rest };
}

const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
const counting = (cli: Cli): Readonly<Record<string, unknown>> =>
  entryOf('counting.mjs', 'stdio', join(cli.home, 'ran'));

it('L6: a configuration that cannot be read is told as that, not as an empty one', async () => {
  const cli = createCli();
  writeFileSync(join(cli.home, 'servers.json'), '{"mcpServers": {');
  const seen = await cli.run(['doctor']);
  expect(seen.code).toBe(1);
  expect(seen.stdout).toMatch(/^No server was looked at\.$/m);
  expect(seen.stdout).toMatch(/^configuration +trouble +.*servers\.json/m);
});

it('L6: doctor tells what works and what does not, each with what to do, and exits 1', async () => {
  const cli = createCli();
  configureServers(cli.home, {
    well: counting(cli),
    gone: { command: 'no-such-command-anywhere' },
    hangs: silent,
    off: { ...silent, enabled: false },
  });
  const seen = await cli.run(['doctor', '--timeout', '4']);
  expect(seen.code).toBe(1);
  expect(seen.stdout).toMatch(/^gone +failed +.*no-such-command-anywhere.*\n +hint: /m);
  expect(seen.stdout).toMatch(/^hangs +failed +.*timed out after 4 s.*\n +hint: /m);
  expect(seen.stdout).toMatch(/^off +disabled$/m);
  expect(seen.stdout).toMatch(/^well +ok +11 tools, /m);
  expect(seen.stdout).toContain('4 servers: 2 failed, 1 disabled, 1 ok.');
  // Who waits is told at whom it looks; what was called is nothing.
  expect(seen.stderr).toContain('hangs: looking at it');
  expect(readFileSync(join(cli.home, 'ran'), 'utf8')).not.toContain('call ');
});

it('L6: doctor of a home that cannot be written names the folder', async () => {
  const cli = createCli();
  // A file in the place of a folder stops everybody, root too.
  writeFileSync(join(cli.home, 'registry'), '');
  writeFileSync(join(cli.home, 'spill'), '');
  const seen = await cli.run(['doctor', '--json']);
  expect(seen.code).toBe(1);
  const { house } = JSON.parse(seen.stdout) as { readonly house: readonly Readonly<Record<string, string>>[] };
  const troubles = house.filter(({ level }) => level === 'trouble').map(({ subject, text }) => `${subject}: ${text}`);
  expect(troubles.filter((text) => text.startsWith('home: '))).toEqual([
    expect.stringContaining(join(cli.home, 'registry')),
    expect.stringContaining(join(cli.home, 'spill')),
  ]);
  expect(house.map(({ subject }) => subject)).toContain('node');
});

it('L8: doctor knows a server that does not exist from its name alone', async () => {
  const cli = createCli();
  configureServers(cli.home, { counting: counting(cli) });
  const seen = await cli.run(['doctor', 'countin']);
  expect(seen).toMatchObject({ code: 2, stdout: '' });
  expect(seen.stderr).toContain('trestle doctor counting');
  expect(existsSync(join(cli.home, 'ran'))).toBe(false);
});

it.runIf(process.platform === 'linux')(
  'P9: doctor finds what a Trestle left that was killed with its watcher, and ends it on request',
  async () => {
    const cli = createCli();
    // Of this name alone, so that nothing of anybody else is looked at or ended.
    const name = `left-${process.pid}`;
    const pidsFile = join(tempFolder(), 'pids');
    configureServers(cli.home, { [name]: { ...entryOf('family.mjs', 'stubborn'), env: { PIDS_FILE: pidsFile } } });
    const trestle = cli.start(['call', name, 'hang']);
    const over = finished(trestle);
    await eventually(() => existsSync(`${pidsFile}.hanging`), 'the call');
    const [pid = 0] = readFileSync(pidsFile, 'utf8').trim().split('\n').map(Number);
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    });
    // Stopped first: it would start another watcher.
    trestle.kill('SIGSTOP');
    for (const watcher of processesWithEnvironment('TRESTLE_WATCHER=1')) {
      if (parentOf(watcher) === trestle.pid) process.kill(watcher, 'SIGKILL');
    }
    trestle.kill('SIGKILL');
    await over;
    expect(isAlive(pid)).toBe(true);

    configureServers(cli.home, { [name]: counting(cli) });
    const found = await cli.run(['doctor', name]);
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(new RegExp(`^${name} +left +.* ${pid}; `, 'm'));
    expect(found.stdout).toContain('trestle doctor --leaks');
    expect(isAlive(pid)).toBe(true);

    const ended = await cli.run(['doctor', name, '--leaks']);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/ended/) as string });
    expect(isAlive(pid)).toBe(false);
    expect(await cli.run(['doctor', name, '--leaks'])).toMatchObject({ stdout: 'Nothing is left of earlier runs.\n' });
  },
);

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

it('L6, L7: doctor asks the daemon and tells of it, also of one that is in the way', async () => {
  const cli = createDaemonCli();
  configureServers(cli.home, { counting: counting(cli) });
  expect(await cli.run(['sync', 'counting'])).toMatchObject({ code: 0 });
  const seen = await cli.run(['doctor', 'counting']);
  expect(seen).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^daemon +ok +Runs, pid \d+, version \S+, for \d+ s\.$/m) as string,
  });
  expect(seen.stdout).toMatch(/^counting +ok +11 tools/m);
  await cli.run(['daemon', 'stop']);
  const record = join(cli.home, 'run', 'daemon.json');
  writeFileSync(record, '{}', { mode: 0o644 });
  const odd = await cli.run(['doctor', 'counting']);
  rmSync(record);
  expect(odd.code).toBe(1);
  expect(odd.stdout).toMatch(
    /^daemon +trouble +The daemon cannot be used: .*daemon\.json.*\n +hint: .*chmod 600 .*daemon\.json$/m,
  );
  expect(odd.stdout).toMatch(/^counting +ok +11 tools/m);
  chmodSync(join(cli.home, 'run'), 0o755);
  const open = await cli.run(['doctor', 'counting']);
  const stop = await cli.run(['daemon', 'stop']);
  chmodSync(join(cli.home, 'run'), 0o700);
  expect(open.stdout).toMatch(/can be used by others \(mode 755\)\.\n +hint: .*chmod 700 .*run$/m);
  expect(stop.stderr).toMatch(/^hint: chmod 700 .*run$/m);
});

it('R6: reload without a daemon says what is due and starts nothing', async () => {
  const cli = createCli();
  configureServers(cli.home, { counting: counting(cli) });
  const due = await cli.run(['reload']);
  expect(due).toMatchObject({ code: 1, stdout: 'counting: never synced: trestle sync counting\n' });
  expect(existsSync(join(cli.home, 'ran'))).toBe(false);
  expect(await cli.run(['sync', 'counting'])).toMatchObject({ code: 0 });
  expect(await cli.run(['reload'])).toMatchObject({ code: 0, stdout: 'counting: unchanged\n' });
});

it('R6: reload lets the daemon bring into force what has changed', async () => {
  const cli = createDaemonCli();
  configureServers(cli.home, { counting: counting(cli) });
  expect(await cli.run(['call', 'counting', 'count'])).toMatchObject({ code: 0 });
  configureServers(cli.home, {
    counting: { ...counting(cli), timeout: 5 },
    late: counting(cli),
    gone: { command: 'no-such-command' },
  });
  const seen = await cli.run(['reload', '--json']);
  expect(seen.code).toBe(1);
  expect(JSON.parse(seen.stdout)).toMatchObject({
    applied: true,
    servers: [
      { name: 'counting', kind: 'synced', due: { why: 'changed' } },
      { name: 'gone', kind: 'failed', failure: { code: 'command_not_found' } },
      { name: 'late', kind: 'synced', due: { why: 'never-synced' } },
    ],
  });
  configureServers(cli.home, { counting: { ...counting(cli), timeout: 5 } });
  const again = await cli.run(['reload']);
  expect(again.code).toBe(0);
  expect(again.stdout).toBe(
    'counting: unchanged\ngone: removed\nlate: removed; its descriptors stay until: trestle remove late\n',
  );
});
