/** Descriptors of tools that are called again and again: read from the registry anew only when their file changed. */
import { type Clock, fileKey, limits, statSync } from '../../base/index.ts';
import type { Read, Registry, ToolDescriptor } from '../../registry/index.ts';

export interface Descriptors {
  /** The registry's `tool`; the last look at the file may be {@link limits.callLookMs} old. */
  find(server: string, tool: string): Read<ToolDescriptor | undefined>;
  /** The registry was changed by this runtime: every file is looked at again. */
  forget(): void;
}

interface Kept {
  readonly file: string;
  readonly stamp: string;
  readonly read: Read<ToolDescriptor | undefined>;
  /** Clock.monotonicMs of the last look at the file. */
  lookedMs: number;
}

/** A memory before `registry`. */
export function createDescriptors(registry: Registry, clock: Clock): Descriptors {
  const kept = new Map<string, Kept>();
  return {
    find(server, tool) {
      const id = `${server}/${tool}`;
      const known = kept.get(id);
      const nowMs = clock.monotonicMs();
      if (known !== undefined && nowMs - known.lookedMs < limits.callLookMs) return known.read;
      if (known !== undefined && known.stamp === stampOf(known.file)) {
        known.lookedMs = nowMs;
        return known.read;
      }
      kept.delete(id);
      const file = registry.path(server, fileKey(tool));
      // Stamped before reading: a change in between is then seen by the next look.
      const stamp = stampOf(file);
      const read = registry.tool(server, tool);
      // Whatever is not simply there is looked for every time.
      if (stamp === undefined || read.value?.name !== tool || read.findings.length > 0) return read;
      if (kept.size >= limits.descriptorsKept) kept.clear();
      kept.set(id, { file, stamp, read, lookedMs: nowMs });
      return read;
    },
    forget: () => kept.clear(),
  };
}

function stampOf(file: string): string | undefined {
  const stamp = statSync(file);
  return stamp?.kind === 'file' ? `${stamp.inode} ${stamp.sizeBytes} ${stamp.modifiedMs}` : undefined;
}
