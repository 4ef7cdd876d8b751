#!/usr/bin/env node
/**
 * The `trestle` command's first file: small, without imports when it is built, and in a syntax that old releases of Node.js can parse,
 * so that they can say what is needed. Everything else is loaded after the check.
 */
import { codeFolder } from './code-folder.ts';

declare const TRESTLE_VERSION: string;

const needed = [22, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.stderr.write(
    `error[usage]: trestle needs Node.js ${needed.join('.')} or later, and this is ${process.versions.node} (${process.execPath}).\n` +
      'hint: Install a newer Node.js; in a clone, `npx trestle` uses the one that the clone brings.\n',
  );
  process.exitCode = 2;
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  // A reader that left is an ordinary end; a full disk is not.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`error[file_error]: The version could not be written (${String(error.code)}).\n`);
    process.exitCode = 2;
  });
  process.stdout.write(`${TRESTLE_VERSION}\n`);
} else {
  keepCompiledCode();
  // No top-level await: with one, the bundler puts a file of its own between this one and what it loads.
  void import('./main.ts').then(({ main }) => main());
}

/**
 * Lets Node.js keep compiled code, in Trestle's own home: the usual place, the system's temporary folder, is other users' too.
 * A folder that cannot be written does no harm, and where there is no home or working folder none is kept.
 */
function keepCompiledCode(): void {
  try {
    const userHome = process.getBuiltinModule('node:os').homedir();
    if (userHome === '') return;
    const folder = codeFolder({ env: process.env, cwd: process.cwd(), userHome });
    process.getBuiltinModule('node:module').enableCompileCache(folder);
  } catch {
    // Whatever needs them says so.
  }
}
