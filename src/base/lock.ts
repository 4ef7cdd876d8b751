/**
 * A lock between processes that is free soon after its holder's death: the holder refreshes a stamp, and a stamp that
 * stands still is a dead holder's.
 */

export interface LockOptions {
  /** Longest wait for the lock, milliseconds; default limits.lockWaitMs. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs `work` while holding the lock at `path` (a file or folder beside the data). Throws `locked` when the wait is over. */
export async function withLock<T>(path: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  throw new Error(`not built: ${path} ${typeof work} ${String(options.waitMs)}`);
}
