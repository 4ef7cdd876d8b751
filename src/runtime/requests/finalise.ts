/** Finalise: what a result says beside itself, and what of it is shown. */
import { asTrestleError } from '../../base/index.ts';
import {
  checkOutput,
  guardBlocks,
  type Presented,
  type ShownBlock,
  sweepSpills,
  toBlocks,
  toJsonBlocks,
  type ToolResult,
  writeSpill,
} from '../../policy/index.ts';
import type { ToolDescriptor } from '../../registry/index.ts';
import type { Asker } from '../asker.ts';
import type { Core } from '../core.ts';

/** Nothing was asked to be shown. */
export const nothingShown: Presented = { blocks: [], cut: undefined };

/** Notes about a delivered result: an output schema that it does not fit. Errors are not checked, and nothing is lost. */
export async function outputNotes(tool: ToolDescriptor, result: ToolResult): Promise<readonly string[]> {
  if (tool.outputSchema === undefined || result.isError === true) return [];
  const note = await checkOutput(tool.outputSchema, result.structuredContent);
  return note === undefined ? [] : [note];
}

/** For whom something is shown, and the name of its spill: server and tool. */
export interface Shown {
  readonly label: string;
  readonly asker: Asker;
}

/** The guarded form of blocks. */
export function presentBlocks(core: Core, blocks: readonly ShownBlock[], { label, asker }: Shown): Promise<Presented> {
  core.spillSweeps.begin(() => sweepSpills(core.places.spillFolder, core.clock.now()));
  return guardBlocks(blocks, {
    guard: core.guard(asker.caller ?? core.caller),
    redactor: core.redactor,
    spillFolder: core.places.spillFolder,
    scope: asker.scope ?? core.scope,
    label,
    nowMs: core.clock.now(),
  });
}

/** Writes the whole of an output to a private file, redacted; its path, or undefined where it cannot be written. */
export async function keepWhole(core: Core, text: string, { label, asker }: Shown): Promise<string | undefined> {
  const { clock, places, redactor } = core;
  core.spillSweeps.begin(() => sweepSpills(places.spillFolder, clock.now()));
  const spill = await writeSpill(redactor.redact(text), {
    folder: places.spillFolder,
    scope: asker.scope ?? core.scope,
    label,
    nowMs: clock.now(),
  });
  return 'path' in spill ? spill.path : undefined;
}

/** The guarded form of a result. A result that cannot be shown is not lost for that: it says so. */
export async function presentResult(
  core: Core,
  result: ToolResult,
  shown: Shown & { readonly asJson: boolean },
): Promise<Presented> {
  try {
    return await presentBlocks(core, shown.asJson ? toJsonBlocks(result) : toBlocks(result), shown);
  } catch (error) {
    core.log.warn(`${shown.label} cannot be shown: ${asTrestleError(error).message}`);
    return { blocks: [{ type: 'text', text: '(the result could not be shown)' }], cut: undefined };
  }
}
