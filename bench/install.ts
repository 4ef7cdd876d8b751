/** What a user installs: the packed package in an empty folder. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './table.ts';

const root = join(import.meta.dirname, '..');

export function measureInstall(): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-install-'));
  const npm = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('npm', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
  try {
    const packed = npm(root, 'pack', '--json', '--pack-destination', folder);
    const [tarball] = globSync('*.tgz', { cwd: folder });
    if (tarball === undefined) throw new Error(`nothing was packed: ${packed}`);
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
    npm(folder, 'install', `./${tarball}`);
    const files = globSync('node_modules/**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
    const packages = globSync(['node_modules/*/package.json', 'node_modules/@*/*/package.json'], {
      cwd: folder,
    }).length;
    const megabytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) / 1e6;
    const row = (what: string, value: string, figures: { ratio: number; bar: number }): Row => ({
      what,
      value,
      against: '',
      ...figures,
    });
    return [
      row('packed install: packages', `${packages}`, { ratio: packages, bar: 10 }),
      row('packed install: size', `${megabytes.toFixed(1)} MB`, { ratio: megabytes, bar: 15 }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
