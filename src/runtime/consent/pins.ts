/** How a server's tools are described now: what an approval of them is bound to (R8). */
import type { Definition } from '../../config/index.ts';
import { descriptorDigest, partDigests, type ToolDescriptor } from '../../registry/index.ts';
import type { Core } from '../core.ts';
import type { Pins } from './approvals.ts';

export function pinsOf(tools: readonly ToolDescriptor[]): Pins {
  return {
    descriptors: Object.fromEntries(tools.map((tool) => [tool.name, descriptorDigest(tool)])),
    parts: Object.fromEntries(tools.map((tool) => [tool.name, partDigests(tool)])),
  };
}

/** Approvals that were given before anybody knew the server's tools hold for the tools that it told of first. */
export async function pinApprovals(
  core: Core,
  { name, source }: Definition,
  tools: readonly ToolDescriptor[],
): Promise<void> {
  await core.approvals.pin({ server: name, file: source.file ?? null }, pinsOf(tools));
}
