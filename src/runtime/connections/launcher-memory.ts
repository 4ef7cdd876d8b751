/** `state/launchers.json`: when a package launcher last ran for a cached package, and so looked for a newer version of it. */
import { type Clock, limits, type Log } from '../../base/index.ts';
import type { LauncherMemory } from '../../wire/index.ts';
import { openStoredMemory } from '../stored-memory.ts';

export interface StoredLauncherMemory extends LauncherMemory {
  /** Writes what is not written yet. Never rejects. */
  close(): Promise<void>;
}

/** The memory in `file`. */
export function openLauncherMemory(
  file: string,
  options: { readonly clock: Clock; readonly log: Log },
): StoredLauncherMemory {
  const memory = openStoredMemory({
    file,
    subject: 'runs of package launchers',
    most: limits.launcherRuns,
    read: ({ atMs }) => (typeof atMs === 'number' ? { atMs } : undefined),
    ...options,
  });
  return {
    ranAtMs: (folder) => memory.get(folder)?.atMs,
    ran: (folder, atMs) => memory.set(folder, { atMs }),
    close: () => memory.close(),
  };
}
