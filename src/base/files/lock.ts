/**
 * A lock between processes that is free soon after its holder's death.
 *
 * The lock is a folder of numbered files, one a holder; the highest number decides. Somebody gets the lock by creating the
 * next number exclusively, which only one process can do, and only while the highest is marked free or its holder is
 * dead. Nobody ever removes the highest number, so it only grows, and a waiter who was too slow sees that at once. (With
 * one lock file that is removed and made anew, a slow waiter can remove the file of the next holder.)
 *
 * A holder is dead when its process is gone from this machine, or when the stamp that it refreshes has stood still for
 * limits.lockStaleMs on the waiter's own clock (limits.lockSuspendedMs where the process is known to live: it may be busy
 * in one long step). A holder that was suspended finds a higher number than its own.
 */
import { join } from 'node:path';
import { TrestleError } from '../errors.ts';
import { makeFolder } from './folders.ts';
import { jittered } from '../jitter.ts';
import { limits } from '../limits.ts';
import { identityText, lifeOf, ownIdentity, type ProcessIdentity, readIdentity } from '../process-identity.ts';

const fs = process.getBuiltinModule('node:fs');

export interface LockOptions {
  /** Longest wait for the lock, milliseconds; default limits.lockWaitMs. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** What the work under a lock may ask. */
export interface HeldLock {
  /** Refreshes the stamp; throws `locked` when another process took the lock because this one stood still. Ask before each write. */
  check(): void;
}

/** Work of this process that waits for a lock or holds it: it queues here instead of polling itself. */
const queues = new Map<string, Promise<void>>();

/**
 * Runs `work` while holding the lock at `path` (a folder beside the data, made when missing). Throws `locked` when the
 * wait is over, `cancelled` when the signal aborts it; not reentrant.
 */
export async function withLock<T>(
  path: string,
  work: (lock: HeldLock) => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const endMs = performance.now() + (options.waitMs ?? limits.lockWaitMs);
  const wait: Wait = { path, endMs, signal: options.signal };
  const before = queues.get(path);
  const turn = Promise.withResolvers<void>();
  const behind = before === undefined ? turn.promise : before.then(() => turn.promise);
  queues.set(path, behind);
  try {
    if (before !== undefined) await inTurn(before, wait);
    return await holding(path, await acquire(wait), work);
  } finally {
    turn.resolve();
    if (queues.get(path) === behind) queues.delete(path);
  }
}

interface Wait {
  readonly path: string;
  readonly endMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Resolves with `turn`; rejects when the wait is over before. */
async function inTurn(turn: Promise<void>, wait: Wait): Promise<void> {
  const came = turn.then(() => true);
  const notYet = (): Promise<boolean> => pause(limits.lockPollMs).then(() => false);
  while (!(await Promise.race([came, notYet()]))) throwIfOver(wait, undefined);
}

/** Waits for the lock and resolves with the path of the file that proves it. */
async function acquire(wait: Wait): Promise<string> {
  await makeFolder(wait.path);
  let seen: Sight | undefined;
  for (;;) {
    const now = look(wait.path);
    seen = seen !== undefined && isSame(seen, now) ? seen : { ...now, sinceMs: performance.now() };
    if (isFree(seen)) {
      const mine = claim(wait.path, now.generation + 1);
      if (mine !== undefined) return mine;
    }
    throwIfOver(wait, seen.holder);
    await pause(jittered(limits.lockPollMs, 0.5));
  }
}

/** What a waiter sees of the highest number. */
interface Sight {
  /** 0 when there is no file yet. */
  readonly generation: number;
  readonly stampMs: number;
  readonly free: boolean;
  /** Undefined while its file is being written. */
  readonly holder: ProcessIdentity | undefined;
  /** When this sight was first had, on the waiter's monotonic clock. */
  readonly sinceMs: number;
}

function look(path: string): Omit<Sight, 'sinceMs'> {
  const generation = highest(path);
  const nobody = { generation, stampMs: 0, free: generation === 0, holder: undefined };
  if (generation === 0) return nobody;
  const file = join(path, String(generation));
  try {
    const stampMs = fs.statSync(file).mtimeMs;
    const text = fs.readFileSync(file, 'utf8');
    return { generation, stampMs, free: text === freeMark, holder: readIdentity(text) };
  } catch {
    // Replaced since it was listed, or held open on Windows: the next look tells.
    return nobody;
  }
}

const freeMark = 'free\n';

const isSame = (a: Omit<Sight, 'sinceMs'>, b: Omit<Sight, 'sinceMs'>): boolean =>
  a.generation === b.generation && a.stampMs === b.stampMs && a.free === b.free;

function isFree(sight: Sight): boolean {
  if (sight.free) return true;
  const life = sight.holder === undefined ? 'unknown' : lifeOf(sight.holder);
  const allowedMs = life === 'alive' ? limits.lockSuspendedMs : limits.lockStaleMs;
  return life === 'dead' || performance.now() - sight.sinceMs > allowedMs;
}

/** Creates the file of `generation`; undefined when another process was faster. */
function claim(path: string, generation: number): string | undefined {
  const mine = join(path, String(generation));
  try {
    fs.writeFileSync(mine, identityText(ownIdentity()), { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // The folder may have been removed with all in it; Windows says EPERM of a file that is being removed.
    if (code === 'EEXIST' || code === 'ENOENT' || (process.platform === 'win32' && code === 'EPERM')) return undefined;
    throw new TrestleError({
      code: 'file_error',
      message: `Cannot take the lock ${path} (${String(code)}).`,
      hint: 'Check that the folder can be written.',
      details: { path, reason: code },
      cause: error,
    });
  }
  // Too slow: that number had been used and removed by those who hold higher ones.
  if (highest(path) !== generation) {
    remove(mine);
    return undefined;
  }
  // The one before stays, so that a listing during which the highest changes still shows a high one.
  for (const old of generations(path)) if (old < generation - 1) remove(join(path, String(old)));
  return mine;
}

function generations(path: string): readonly number[] {
  try {
    return fs
      .readdirSync(path)
      .filter((name) => /^\d{1,15}$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

const highest = (path: string): number => Math.max(0, ...generations(path));

function remove(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch {
    // Somebody else cleaned up, or Windows holds it open; a later holder removes it.
  }
}

async function holding<T>(path: string, mine: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  let refreshedMs = performance.now();
  const refresh = (): boolean => {
    try {
      const now = new Date();
      fs.utimesSync(mine, now, now);
      refreshedMs = performance.now();
      return true;
    } catch {
      return false;
    }
  };
  const timer = setInterval(refresh, limits.lockRefreshMs);
  timer.unref();
  try {
    return await work({
      check() {
        const held = join(path, String(highest(path))) === mine;
        if (!held) throw lost(path);
        if (performance.now() - refreshedMs > limits.lockRefreshMs) refresh();
      },
    });
  } finally {
    clearInterval(timer);
    release(mine);
  }
}

function release(mine: string): void {
  try {
    // r+ makes no new file where a later holder removed this one.
    fs.writeFileSync(mine, freeMark, { flag: 'r+' });
    fs.truncateSync(mine, freeMark.length);
  } catch {
    // Taken over and cleaned up, or not writable any more: the next waiter finds the stamp standing still.
  }
}

function throwIfOver(wait: Wait, holder: ProcessIdentity | undefined): void {
  if (wait.signal?.aborted === true) {
    const reason: unknown = wait.signal.reason;
    if (reason instanceof TrestleError) throw reason;
    throw new TrestleError({ code: 'cancelled', message: `The wait for the lock ${wait.path} was cancelled.` });
  }
  if (performance.now() < wait.endMs) return;
  throw new TrestleError({
    code: 'locked',
    message: `The lock ${wait.path} is held by ${holder === undefined ? 'another task' : `process ${holder.pid}`}.`,
    hint: 'Wait until the other command has finished, then try again.',
    details: { path: wait.path, ...(holder === undefined ? {} : { pid: holder.pid }) },
  });
}

function lost(path: string): TrestleError {
  return new TrestleError({
    code: 'locked',
    message: `The lock ${path} was lost, since this process stood still for too long.`,
    hint: 'Try again.',
    details: { path, lost: true },
  });
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
