/** Descriptors of tools that are called again and again: read from the registry anew only when their file changed. */
import { fileKey, limits, statSync } from '../base/index.ts';
import type { Read, Registry, ToolDescriptor } from '../registry/index.ts';

type ReadTool = (server: string, tool: string) => Read<ToolDescriptor | undefined>;

interface Kept {
  readonly file: string;
  readonly stamp: string;
  readonly read: Read<ToolDescriptor | undefined>;
}

/** The registry's `tool` with a memory. */
export function createDescriptors(registry: Registry): ReadTool {
  const kept = new Map<string, Kept>();
  return (server, tool) => {
    const id = `${server}/${tool}`;
    const known = kept.get(id);
    if (known !== undefined && known.stamp === stampOf(known.file)) return known.read;
    kept.delete(id);
    const file = registry.path(server, fileKey(tool));
    // Stamped before reading: a change in between is then seen by the next look.
    const stamp = stampOf(file);
    const read = registry.tool(server, tool);
    // Whatever is not simply there is looked for every time.
    if (stamp === undefined || read.value?.name !== tool || read.findings.length > 0) return read;
    if (kept.size >= limits.descriptorsKept) kept.clear();
    kept.set(id, { file, stamp, read });
    return read;
  };
}

function stampOf(file: string): string | undefined {
  const stamp = statSync(file);
  return stamp?.kind === 'file' ? `${stamp.inode} ${stamp.sizeBytes} ${stamp.modifiedMs}` : undefined;
}
