/** What a tool object gives back: blocks for the model, details for the host. */
import { asTrestleError, type JsonObject, limits } from '../base/index.ts';
import { cleanText, type ShownBlock } from '../policy/index.ts';
import type { Failed, Outcome, Runtime } from '../runtime/index.ts';
import { failureDetails, rawDetails } from './details.ts';
import { failureText } from './failure-text.ts';
import type { ToolOutput } from './tool-object.ts';

export interface Rendered {
  /** Guarded: from the runtime. */
  readonly blocks: readonly ShownBlock[];
  /** Further members of the details; one of the name of an ordinary member replaces it. */
  readonly details: JsonObject;
  /** Member of the details that `raw` is given under: `result`, `contents`, … */
  readonly member: string;
  readonly raw: unknown;
  /** Path of the whole when what is shown was cut. */
  readonly path: string | undefined;
}

/** The output for an outcome with a value; its notes stand after the blocks. */
export function valueOutput(
  runtime: Runtime,
  outcome: Exclude<Outcome<unknown>, Failed>,
  { blocks, details, member, raw, path }: Rendered,
): ToolOutput {
  const notes: readonly ShownBlock[] = outcome.notes.map((note) => ({ type: 'text', text: `Note: ${note}` }));
  const content = [...blocks, ...notes];
  const { kind, execution } = outcome;
  const redact = (text: string): string => runtime.redact(text);
  return {
    content: content.length === 0 ? [{ type: 'text', text: '(no output)' }] : content,
    isError: kind === 'tool-error',
    details: {
      kind,
      execution,
      ...details,
      ...rawDetails({ member, raw, maxBytes: detailsBytes(runtime), path, redact }),
    },
  };
}

/** What a tool object itself wrote of what a server said. */
export interface Written extends Omit<Rendered, 'blocks' | 'path'> {
  readonly text: string;
  /** Names the file of the whole, should it be cut. */
  readonly label: string;
}

/** The output for text that a tool object wrote: guarded here. Rejects with an error that says the request was done. */
export async function textOutput(
  runtime: Runtime,
  outcome: Exclude<Outcome<unknown>, Failed>,
  { text, label, ...rest }: Written,
): Promise<ToolOutput> {
  try {
    const { blocks, cut } = await runtime.present([{ type: 'text', text }], label);
    return valueOutput(runtime, outcome, { ...rest, blocks, path: cut?.path });
  } catch (thrown) {
    // Whatever became of showing it.
    throw asTrestleError(thrown, { execution: 'done' });
  }
}

export function failureOutput(failed: Failed): ToolOutput {
  // Refusals of the tools themselves hold names and paths that somebody else chose.
  const text = cleanText(failureText(failed));
  return { content: [{ type: 'text', text }], isError: true, details: failureDetails(failed) };
}

/** A settings file that broke during the call must not cost its result. */
function detailsBytes(runtime: Runtime): number {
  try {
    return runtime.settings().outputGuard.detailsMaxBytes;
  } catch {
    return limits.detailsBytes;
  }
}
