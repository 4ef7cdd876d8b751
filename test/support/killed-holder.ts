import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Leaves the lock at `path` as a process does that is killed while it holds it. */
export async function leaveHeldLock(path: string): Promise<void> {
  const holder = spawn(process.execPath, [join(import.meta.dirname, 'lock-holder.ts'), path, 'hold'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(holder, 'exit');
  const left = exited.then(() => Promise.reject(new Error('the holder left')));
  await Promise.race([once(holder.stdout, 'data'), left]);
  holder.kill('SIGKILL');
  await exited;
}
