/** What a tool object gives back: blocks for the model, details for the host. */
import { asTrestleError, type JsonObject, limits, type Scope } from '../base/index.ts';
import { cleanText, jsonText, type Presented, type ShownBlock } from '../policy/index.ts';
import type { Failed, Outcome, Runtime } from '../runtime/index.ts';
import { failureDetails, rawDetails, wholeRaw } from './details.ts';
import { failureText } from './failure-text.ts';
import type { ToolOutput } from './tool-object.ts';

export interface Rendered {
  /** Guarded: from the runtime. */
  readonly shown: Presented;
  /** Further members of the details; one of the name of an ordinary member replaces it. */
  readonly details: JsonObject;
  /** Member of the details that `raw` is given under: `result`, `contents`, … */
  readonly member: string;
  readonly raw: unknown;
  /** Names the file of the whole: server and tool. */
  readonly label: string;
  /** Whose output it is. */
  readonly scope: Scope | undefined;
}

/** The output for an outcome with a value; its notes stand after the blocks. */
export async function valueOutput(
  runtime: Runtime,
  outcome: Exclude<Outcome<unknown>, Failed>,
  { shown, details, member, raw, label, scope }: Rendered,
): Promise<ToolOutput> {
  const notes: readonly ShownBlock[] = outcome.notes.map((note) => ({ type: 'text', text: `Note: ${note}` }));
  const content = [...shown.blocks, ...notes];
  const { kind, execution } = outcome;
  const redact = (text: string): string => runtime.redact(text);
  // What is shown and was cut is on disk already; else nothing has all of what is too large here.
  const whole = async (): Promise<string | undefined> => shown.cut?.path ?? runtime.keep(jsonText(raw), label, scope);
  const maxBytes = shown.unguarded === true ? Number.POSITIVE_INFINITY : detailsBytes(runtime);
  return {
    content: content.length === 0 ? [{ type: 'text', text: '(no output)' }] : content,
    isError: kind === 'tool-error',
    details: {
      kind,
      execution,
      ...details,
      ...(await rawDetails({ member, raw, maxBytes, whole, redact })),
    },
    whole: (mostBytes) => wholeRaw({ raw, maxBytes: mostBytes, redact }),
  };
}

/** What a tool object itself wrote of what a server said. */
export interface Written extends Omit<Rendered, 'shown'> {
  readonly text: string;
}

/** The output for text that a tool object wrote: guarded here. Rejects with an error that says the request was done. */
export async function textOutput(
  runtime: Runtime,
  outcome: Exclude<Outcome<unknown>, Failed>,
  { text, label, ...rest }: Written,
): Promise<ToolOutput> {
  try {
    const shown = await runtime.present([{ type: 'text', text }], label, rest.scope);
    return await valueOutput(runtime, outcome, { ...rest, shown, label });
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
