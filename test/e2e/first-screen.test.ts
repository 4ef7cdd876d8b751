/**
 * The README's first command, as it stands, in a clean copy of the project and with the machine's own Node.js: installs, builds,
 * adds a server, calls a tool. Needs the npm registry, as whoever reads the README does.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stopDaemon } from '../support/cli.ts';
import { projectRoot } from '../support/project-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('the first command of the README ends with what the README says', () => {
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const [, command] = /```sh\n(npm ci && npx trestle add .*)\n```/.exec(readme) ?? [];
  const [, answer] = /\n```\n(Echo: .*)\n```/.exec(readme) ?? [];
  if (command === undefined || answer === undefined) throw new Error('The README has no first command, or no answer.');
  const clone = cleanCopy();
  const home = tempFolder();
  onTestFinished(() => stopDaemon(home));
  const { stdout, stderr, status } = spawnSync('sh', ['-c', command], {
    cwd: clone,
    env: { ...process.env, PATH: machinePath(), TRESTLE_HOME: home, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(answer);
  expect(existsSync(join(home, 'registry', 'everything', 'tools', 'echo.json'))).toBe(true);
}, 600_000);

/** The files under version control as they stand in the working tree, so that nothing untracked is missed by accident. */
function cleanCopy(): string {
  const copy = tempFolder();
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: projectRoot, encoding: 'utf8' });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(projectRoot, name)))) {
    cpSync(join(projectRoot, file), join(copy, file));
  }
  return copy;
}

/** The path without the project's own programs, which `npm test` puts first. */
function machinePath(): string {
  const path = process.env['PATH'] ?? '';
  return path
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
    .join(delimiter);
}
