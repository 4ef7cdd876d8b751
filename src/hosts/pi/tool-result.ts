/** What Pi is given of a tool's output. */
import {
  type Execution,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  type TrestleError,
} from '../../base/index.ts';
import { failedOutcome } from '../../runtime/index.ts';
import { failedOutput, type ToolOutput } from '../../toolsets/index.ts';
import type { PiBlock, PiJson, PiToolResult } from './pi.ts';

export interface ResultOptions {
  /** Whether a script of Pi's code mode shall have the whole result. */
  readonly forScripts: boolean;
  readonly durationMs: number;
}

/** The result of a call. `details` are kept in Pi's session file, `structuredContent` goes to scripts alone. */
export function toPiResult(output: ToolOutput, { forScripts, durationMs }: ResultOptions): PiToolResult {
  const content = output.content.map((block): PiBlock => ({ ...block }));
  const structuredContent = forScripts ? forScript(output) : undefined;
  return {
    content,
    details: withoutBigIntegers({ ...output.details, durationMs: Math.round(durationMs) }),
    isError: output.isError,
    ...(structuredContent === undefined ? {} : { structuredContent: withoutBigIntegers(structuredContent) }),
  };
}

/** For an error of ours beside the tools, as they tell theirs. */
export function failedResult(error: TrestleError, pasteable: (text: string) => string): PiToolResult {
  return toPiResult(failedOutput(failedOutcome(error), pasteable), { forScripts: false, durationMs: 0 });
}

/** What became of the request that an output is about. */
export function executionOf({ details }: ToolOutput): Execution {
  return (details['execution'] as Execution | undefined) ?? 'unknown';
}

/**
 * The server's own result whole; one beyond the limit as it is shown, which says where the whole is. A call that failed before there
 * was a result has none: a script's promise rejects then, with the text.
 */
function forScript(output: ToolOutput): JsonValue | undefined {
  if (output.whole === undefined) return undefined;
  const whole = output.whole(limits.scriptResultBytes);
  if (isObject(whole) && Array.isArray(whole['content'])) return whole;
  const shown: JsonObject = { content: output.content.map((block) => ({ ...block })), isError: output.isError };
  return isObject(whole) ? { ...shown, structuredContent: whole } : shown;
}

/** A tool's output has none: they are texts in it. */
function withoutBigIntegers(value: JsonValue): PiJson {
  return value as PiJson;
}
