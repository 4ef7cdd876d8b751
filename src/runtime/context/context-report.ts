import type { ContextBlock } from '../../context/index.ts';
import type { Asker } from '../asker.ts';

/** Whose servers: default the runtime's own. */
export interface ContextRequest extends Asker {
  /** Of the whole block in o200k tokens; default: the setting `contextBudgetTokens`. */
  readonly budgetTokens?: number | undefined;
  /**
   * Whether the model can read files, default true. Else the text has no paths and says how to read a descriptor through the tools
   * (CallMcpTool and FetchMcpResource of the server `registry`).
   */
  readonly readsFiles?: boolean | undefined;
}

/** The text about servers and tools for a model, and what stands behind it. */
export interface ContextReport extends ContextBlock {
  readonly servers: number;
  readonly tools: number;
  /** What is wrong with files of the registry, one line each; the rest of it is in the block. */
  readonly problems: readonly string[];
  /** What is different from an earlier one of the same runtime, in a line or two, whatever came and went between them. */
  changesSince(before: ContextReport): readonly string[];
}
