import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leaveHeldLock } from '../../../test/support/killed-holder.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { listFolderSync } from './look.ts';
import { limits } from '../limits.ts';
import { withLock } from './lock.ts';
import { identityText, ownIdentity } from '../process-identity.ts';

const holder = join(import.meta.dirname, '../../../test/support/lock-holder.ts');

function start(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [holder, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function nextLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return chunk.toString().trim();
}

/** Two seconds on a quiet machine; a holder that were taken for a living one would keep its lock for longer than this on any. */
const soonMs = limits.lockSuspendedMs;

describe('withLock', () => {
  it('R2: the lock of a holder that was killed is free within 2 s', async () => {
    const path = join(tempFolder(), '.lock');
    await leaveHeldLock(path);
    const startedMs = performance.now();
    await withLock(path, async () => {});
    expect(performance.now() - startedMs).toBeLessThan(soonMs);
  });

  it('R2: the lock of a holder on an unknown machine is free within 2 s of its death', async () => {
    const path = join(tempFolder(), '.lock');
    await withLock(path, async () => {});
    const last = Math.max(...listFolderSync(path).map(Number));
    writeFileSync(join(path, String(last + 1)), '1\nanother machine\n5\n');
    const startedMs = performance.now();
    await withLock(path, async () => {});
    expect(performance.now() - startedMs).toBeLessThan(soonMs);
    expect(performance.now() - startedMs).toBeGreaterThan(limits.lockStaleMs);
  });

  it('R2: a pid that another process has now does not keep the lock', async () => {
    const path = join(tempFolder(), '.lock');
    await withLock(path, async () => {});
    const last = Math.max(...listFolderSync(path).map(Number));
    const { machine } = ownIdentity();
    writeFileSync(join(path, String(last + 1)), identityText({ pid: process.pid, machine, started: '1' }));
    const startedMs = performance.now();
    await withLock(path, async () => {});
    expect(performance.now() - startedMs).toBeLessThan(soonMs);
  });

  it('R2: a live holder keeps the lock as long as it works', async () => {
    const path = join(tempFolder(), '.lock');
    const child = start(path, 'hold');
    await nextLine(child);
    await expect(withLock(path, async () => {}, { waitMs: limits.lockSuspendedMs + 1_000 })).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(`process ${child.pid}`) as string,
    });
    child.stdin?.write('done\n');
    expect(await nextLine(child)).toBe('still held');
    await withLock(path, async () => {});
  });

  it.skipIf(process.platform === 'win32')(
    'R2: a holder that was suspended for too long loses the lock and notices before it writes on',
    async () => {
      const path = join(tempFolder(), '.lock');
      const child = start(path, 'suspended');
      await nextLine(child);
      child.kill('SIGSTOP');
      let release = (): void => {};
      const taken = new Promise<void>((resolve) => {
        void withLock(path, () => {
          resolve();
          return new Promise<void>((done) => {
            release = done;
          });
        });
      });
      await taken;
      child.kill('SIGCONT');
      child.stdin?.write('go\n');
      expect(await nextLine(child)).toBe('lost');
      await once(child, 'exit');
      const last = Math.max(...listFolderSync(path).map(Number));
      expect(readFileSync(join(path, String(last)), 'utf8')).toMatch(new RegExp(`^${process.pid}\n`));
      release();
    },
  );

  it('R2: ten processes under one lock lose no step', async () => {
    const folder = tempFolder();
    const file = join(folder, 'count');
    writeFileSync(file, '0');
    const children = Array.from({ length: 10 }, () => start(join(folder, '.lock'), 'count', file, '10'));
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as unknown));
    expect(codes).toEqual(Array.from({ length: 10 }, () => 0));
    expect(readFileSync(file, 'utf8')).toBe('100');
    expect(listFolderSync(join(folder, '.lock')).length).toBeLessThanOrEqual(2);
  });

  it('callers of one process queue in order, and a failure frees the lock', async () => {
    const path = join(tempFolder(), '.lock');
    const order: number[] = [];
    const first = withLock(path, async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      order.push(1);
      throw new Error('failed');
    });
    const others = [2, 3].map((number) =>
      withLock(path, async () => {
        order.push(number);
      }),
    );
    await expect(first).rejects.toThrow('failed');
    await Promise.all(others);
    expect(order).toEqual([1, 2, 3]);
  });

  it('a wait ends with its signal, and with its limit also in the queue of this process', async () => {
    const path = join(tempFolder(), '.lock');
    let release = (): void => {};
    const held = withLock(path, () => new Promise<void>((resolve) => (release = resolve)));
    const abort = new AbortController();
    const aborted = withLock(path, async () => {}, { signal: abort.signal });
    abort.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'cancelled' });
    await expect(withLock(path, async () => {}, { waitMs: 50 })).rejects.toMatchObject({ code: 'locked' });
    release();
    await held;
    await withLock(path, async () => {});
  });

  it('a lock that cannot be made is a file error', async () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    await expect(withLock(file, async () => {})).rejects.toMatchObject({ code: 'file_error' });
  });
});
