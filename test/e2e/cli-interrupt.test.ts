import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCli, finished, testServer } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { processesWithEnvironment } from '../support/processes.ts';

it.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('L3, T7: %s cancels the running call, leaves no process and exits with %d', async (signal, code) => {
  const cli = createCli();
  const log = join(cli.home, 'log');
  const mark = `trestle_e2e_${process.pid}_${signal}`;
  await cli.run(['add', 'counting', '--env', `MARK=${mark}`, '--', ...testServer('counting.mjs', 'stdio', log)]);
  const child = cli.start(['call', 'counting', 'hang']);
  const end = finished(child);
  await eventually(() => readFileSync(log, 'utf8').includes('call hang'), 'the call');
  child.kill(signal);
  expect(await end).toMatchObject({ code, stdout: '' });
  expect(readFileSync(log, 'utf8')).toContain('cancelled');
  expect(leftOver(mark)).toEqual([]);
});

it.skipIf(process.platform !== 'linux')('T7: after an ordinary end no process of a server is left', async () => {
  const cli = createCli();
  const mark = `trestle_e2e_${process.pid}_end`;
  await cli.run([
    'add',
    'counting',
    '--env',
    `MARK=${mark}`,
    '--',
    ...testServer('counting.mjs', 'stdio', join(cli.home, 'log')),
  ]);
  expect((await cli.run(['call', 'counting', 'count'])).code).toBe(0);
  expect(processesWithEnvironment(`MARK=${mark}`)).toEqual([]);
});

/** Pids of the server's processes; only Linux shows the environment of others. */
function leftOver(mark: string): readonly number[] {
  return process.platform === 'linux' ? processesWithEnvironment(`MARK=${mark}`) : [];
}
