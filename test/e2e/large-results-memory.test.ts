import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { finished, testServer } from '../support/cli.ts';
import { configureServers } from '../support/home.ts';
import { projectRoot } from '../support/project-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Memory {
  readonly heap: number;
  readonly buffers: number;
  readonly resident: number;
}

const mebibyte = 1024 * 1024;

it.each(['in-process', 'daemon'])(
  'B5: a hundred results of 5 MB leave memory where it was: %s',
  async (mode) => {
    const home = tempFolder();
    const [command = '', ...args] = testServer('large.mjs');
    configureServers(home, { large: { command, args } });
    const program = join(projectRoot, 'test', 'support', 'large-results-process.ts');
    const child = spawn(process.execPath, ['--expose-gc', program, home, mode, '100'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    });
    const { code, stdout, stderr } = await finished(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { before, after } = JSON.parse(stdout) as { readonly before: Memory; readonly after: Memory };
    // Half a result; what is kept of one alone would be a hundred times 5 MB.
    expect(after.heap - before.heap).toBeLessThan(2.5 * mebibyte);
    expect(after.buffers - before.buffers).toBeLessThan(2.5 * mebibyte);
    // Pages that the system has not taken back; they do not grow with the number of results.
    expect(after.resident - before.resident).toBeLessThan(100 * mebibyte);
  },
  180_000,
);
