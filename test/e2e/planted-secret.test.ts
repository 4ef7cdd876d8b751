/** K4 over the daemon: what it sends, logs and keeps has no secret of a server, and no process of ours has one among its arguments. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commandLines, commandOrder } from '../secrets/every-command.ts';
import { filesOf, jsonForm, stageOf } from '../secrets/stage.ts';
import { createDaemonCli } from '../support/cli.ts';
import { leakIn } from '../support/planted-secret.ts';

const secret = 'sk-live-0123456789abcdefXYZ';

it('K4: a planted secret does not leave the daemon, by no command, log or file', async () => {
  const cli = createDaemonCli();
  const stage = await stageOf(secret, cli.home);
  const env = { API_TOKEN: secret, HEADER_TOKEN: secret };
  const found: string[] = [];
  const run = async (argv: readonly string[]): Promise<void> => {
    const { stdout, stderr } = await cli.run(stage.filled(argv), { env });
    const leak = leakIn(stdout, secret) ?? leakIn(stderr, secret);
    if (leak !== undefined) found.push(`${argv.join(' ')}: ${leak}`);
  };
  for (const command of commandOrder) {
    // Half of them as JSON: both forms of each command are looked at without a daemon.
    for (const [at, argv] of (commandLines[command] ?? []).entries()) await run(at % 2 === 0 ? argv : jsonForm(argv));
  }
  // Connections are up by now.
  await run(['call', 'it', 'tell']);
  for (const argv of [
    ['status', '--json'],
    ['daemon', 'logs'],
    ['daemon', 'status', '--json'],
  ])
    await run(argv);
  expect((await cli.run(['daemon', 'status'], { env })).stdout).toContain('pid');
  expect([...found, ...filesOf(stage, secret)]).toEqual([]);
}, 300_000);

it.skipIf(process.platform === 'win32')(
  'K4: no process that Trestle starts for itself has a secret among its arguments',
  async () => {
    const cli = createDaemonCli();
    const stage = await stageOf(secret, cli.home);
    await cli.run(stage.filled(['call', 'it', 'tell']), { env: { API_TOKEN: secret, HEADER_TOKEN: secret } });
    const ours = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(cli.home) || line.includes('trap'))
      // What a person wrote into a server's arguments stands there.
      .filter((line) => !line.includes('telltale'));
    expect(ours.some((line) => line.includes('daemon run'))).toBe(true);
    expect(leakIn(ours.join('\n'), secret)).toBeUndefined();
  },
);
