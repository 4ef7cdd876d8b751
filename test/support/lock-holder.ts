/**
 * A process that takes the lock in argv[2] and does argv[3]:
 *
 * - `hold`: says "held" and holds it until it is killed.
 * - `count FILE N`: N times, adds one to the number in FILE under the lock.
 * - `suspended`: says "held", and after a line on stdin whether it still holds the lock.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withLock } from '../../src/base/index.ts';

const [, , path = '', work = '', file = '', times = '0'] = process.argv;

if (work === 'count') {
  for (let round = 0; round < Number(times); round += 1) {
    await withLock(path, async () => {
      const count = Number(readFileSync(file, 'utf8'));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      writeFileSync(file, String(count + 1));
    });
  }
} else {
  await withLock(path, async (lock) => {
    process.stdout.write('held\n');
    await new Promise<void>((resolve) => {
      process.stdin.once('data', () => resolve());
    });
    try {
      lock.check();
      process.stdout.write('still held\n');
    } catch {
      process.stdout.write('lost\n');
    }
  });
  process.exit();
}
