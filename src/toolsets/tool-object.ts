/** A tool as a host gives it to a model. */
import type { JsonObject, Scope } from '../base/index.ts';
import type { ShownBlock } from '../policy/index.ts';
import type { Progress } from '../session/index.ts';

export interface ToolControl {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly scope?: Scope | undefined;
}

export interface ToolOutput {
  /** What the model sees; never empty. */
  readonly content: readonly ShownBlock[];
  readonly isError: boolean;
  /** For the host, not the model: kind, execution, failure, the raw result while it is small, else a summary and the path. */
  readonly details: JsonObject;
}

export interface ToolObject {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (2020-12) of the arguments. Never changes at run time. */
  readonly inputSchema: JsonObject;
  /** Never rejects for what a server or a model did. */
  execute(args: unknown, control?: ToolControl): Promise<ToolOutput>;
}
