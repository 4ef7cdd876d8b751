/**
 * Kills a process at the moment something shows on the disk: `kill-when.mjs KIND PATH`, then the process id as a line of standard input.
 * It looks as fast as it can: what it waits for may be over within a fraction of a millisecond.
 *
 * `lock`: the process holds the lock PATH. `begun`: the process has begun to write a file whose name begins with PATH.
 * `replaced`: the file PATH is another one than when this program was started.
 */
import { readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const [kind = '', path = ''] = process.argv.slice(2);
const inodeOf = (file) => statSync(file, { throwIfNoEntry: false })?.ino;
const inode = inodeOf(path);

/** What may be renamed or removed between two looks. */
function quietly(look) {
  try {
    return look();
  } catch {
    return false;
  }
}

const looks = {
  lock: (pid) => readdirSync(path).some((name) => readFileSync(join(path, name), 'utf8').startsWith(`${pid}\n`)),
  begun: () =>
    readdirSync(dirname(path)).some(
      (name) => name.startsWith(basename(path)) && statSync(join(dirname(path), name)).size > 0,
    ),
  replaced: () => inodeOf(path) !== inode,
};

process.stdout.write('ready\n');
const given = Buffer.alloc(32);
const pid = Number(given.toString('utf8', 0, readSync(0, given)).trim());
const endMs = Date.now() + 30_000;
while (!quietly(() => looks[kind](pid))) if (Date.now() > endMs) process.exit(1);
process.kill(pid, 'SIGKILL');
