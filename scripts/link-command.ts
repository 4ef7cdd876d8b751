/**
 * Puts the built command into this clone's node_modules/.bin, so that `npx trestle` inside the clone runs the clone: npx
 * looks for a package's own command nowhere else. Run by `prepare`.
 */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'node_modules', '.bin');
const command = join(folder, 'trestle');

mkdirSync(folder, { recursive: true });
rmSync(command, { force: true });
chmodSync(join(import.meta.dirname, '..', 'dist', 'cli.js'), 0o755);
if (process.platform === 'win32') {
  writeFileSync(command, '#!/bin/sh\nexec node "$(dirname "$0")/../../dist/cli.js" "$@"\n');
  writeFileSync(`${command}.cmd`, '@ECHO off\r\nnode "%~dp0\\..\\..\\dist\\cli.js" %*\r\n');
} else {
  symlinkSync('../../dist/cli.js', command);
}
