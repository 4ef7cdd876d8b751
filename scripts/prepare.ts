/**
 * Builds the command unless it is newer than everything it is made from. Run by `prepare`: by `npm ci`, and once more by the
 * first `npx trestle` in a clone (npx links the clone into its cache), when other processes may be running the command.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const sources = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsdown.config.ts'];

function changedMs(path: string): number {
  const stamp = statSync(path, { throwIfNoEntry: false });
  if (stamp === undefined) return 0;
  if (!stamp.isDirectory()) return stamp.mtimeMs;
  return Math.max(stamp.mtimeMs, ...readdirSync(path).map((name) => changedMs(join(path, name))));
}

const builtMs = changedMs(join(root, 'dist', 'cli.js'));
if (builtMs === 0 || sources.some((source) => changedMs(join(root, source)) > builtMs)) {
  if (existsSync(join(root, 'node_modules', 'tsdown'))) {
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  } else {
    // Whoever installs from git without dev dependencies, as Pi does.
    console.error(
      'Trestle cannot be built here, since its build tools were left out of the installation: install it as a package of npm, or from the folder of a clone in which `npm ci` has run.',
    );
    process.exitCode = 1;
  }
}
