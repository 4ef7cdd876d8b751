/** A tool as a host gives it to a model. */
import type { JsonObject, JsonValue, Scope } from '../base/index.ts';
import type { ShownBlock } from '../policy/index.ts';
import type { Progress } from '../session/index.ts';

export interface ToolControl {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Steps of a server's long start, one line each. */
  readonly onStep?: ((line: string) => void) | undefined;
  readonly scope?: Scope | undefined;
}

export interface ToolOutput {
  /** What the model sees; never empty. */
  readonly content: readonly ShownBlock[];
  readonly isError: boolean;
  /**
   * For the host, not the model: kind, execution, failure, the raw result while it is small, else a summary and the path. It may be
   * written with `JSON.stringify`: an integer that a double cannot keep is the text of its digits.
   */
  readonly details: JsonObject;
  /**
   * For a program that goes on with it (a script in a host): the raw result whole, however little of it is shown, secrets replaced and
   * otherwise as the server sent it. Undefined where it takes more bytes than that; absent where there is none. Made when it is asked for.
   */
  readonly whole?: (maxBytes: number) => JsonValue | undefined;
}

/** What a model is told of a tool. Constant: a host may cache it for ever, and a prompt that holds it stays byte-identical. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (2020-12) of the arguments. */
  readonly inputSchema: JsonObject;
}

export interface ToolObject extends ToolDefinition {
  /** Never rejects for what a server or a model did. */
  execute(args: unknown, control?: ToolControl): Promise<ToolOutput>;
}
