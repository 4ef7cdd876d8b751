/** A result on its way to the person: what is shown of it, or all of it, on standard output or in a file. */
import { dirname, resolve } from 'node:path';
import { formatBytes, statSync, TrestleError, writeFileAtomic, writeNewFile } from '../base/index.ts';
import { type Presented, redactBytes, type ShownBlock } from '../policy/index.ts';
import { redactedJson } from '../runtime/index.ts';
import type { CommandContext } from './command.ts';
import type { FlagTable, FlagValues } from './flags.ts';
import type { Output } from './output.ts';
import { renderJson } from './render/json.ts';
import { describeCut, renderPresented, wholeText } from './render/result.ts';
import { correctedCommand } from './typed-command.ts';

/** Flags that ask for all of a result. */
export const wholeFlags = {
  full: { kind: 'switch', doc: 'Print all of it, uncut; into a pipe byte for byte.' },
  output: { kind: 'text', short: 'o', value: 'FILE', doc: 'Write all of it to FILE; an existing file is refused.' },
  force: { kind: 'switch', doc: 'Let -o replace an existing file.' },
} as const satisfies FlagTable;

/** The guarded form, and where the rest of it is. */
export async function deliverShown(output: Output, shown: Presented): Promise<void> {
  await output.write(renderPresented(shown));
  if (shown.cut !== undefined) output.note(describeCut(shown.cut));
}

/** All of a result, in the forms it can be asked for. */
export interface WholeResult {
  readonly json: unknown;
  blocks(): readonly ShownBlock[];
  /** Its bytes when it is nothing but one file. */
  bytes(): Uint8Array | undefined;
  /** Its only image, sound or file, and the rest of it. */
  file(): { readonly bytes: Uint8Array; readonly besides: () => readonly ShownBlock[] } | undefined;
  /** Replaces known secrets, which a server may send back. */
  readonly redact: (text: string) => string;
  readonly flags: FlagValues<typeof wholeFlags>;
}

/**
 * Refuses a file for `-o` that cannot be written. Asked before anything starts: once the tool has run, its result would be
 * lost. Throws `exists`, `file_error`.
 */
export function checkDestination(context: CommandContext, flags: FlagValues<typeof wholeFlags>): void {
  if (flags.output === undefined) return;
  const path = resolve(context.surroundings.cwd, flags.output);
  if (statSync(dirname(path)) === undefined) {
    throw new TrestleError({
      code: 'file_error',
      message: `There is no folder ${dirname(path)}.`,
      hint: 'Make it first, or choose another FILE.',
      execution: 'not-sent',
    });
  }
  if (flags.force || statSync(path) === undefined) return;
  throw new TrestleError({
    code: 'exists',
    message: `${path} exists already and is not overwritten.`,
    hint: `To replace it: ${correctedCommand(context.typed, [], ['--force'])}`,
    execution: 'not-sent',
  });
}

/** Writes all of a result to the last byte. Throws `exists`, `file_error`. */
export async function deliverWhole(context: CommandContext, whole: WholeResult): Promise<void> {
  const { output } = context;
  const { flags } = whole;
  if (flags.output !== undefined) {
    const where = { ...flags, output: flags.output };
    const file = output.json ? undefined : whole.file();
    const contents = output.json ? asJson(whole) : (asBytes(whole, file?.bytes) ?? asText(whole));
    await save(context, contents, where);
    // A picture with a caption is saved as a picture.
    const besides = file?.besides() ?? [];
    if (besides.length > 0) await output.write(renderPresented({ blocks: redacted(whole, besides), cut: undefined }));
  } else if (output.json) await output.write(asJson(whole));
  // What a terminal shows must not be able to command it.
  else if (output.terminal) await output.write(renderPresented({ blocks: redacted(whole), cut: undefined }));
  else await output.write(asBytes(whole, whole.bytes()) ?? asText(whole));
}

function asJson({ json, redact }: WholeResult): string {
  return redactedJson(json, renderJson, redact);
}

function asBytes(whole: WholeResult, bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes === undefined ? undefined : redactBytes(bytes, (text) => whole.redact(text));
}

function asText(whole: WholeResult): string {
  return wholeText(redacted(whole));
}

function redacted(whole: WholeResult, blocks = whole.blocks()): readonly ShownBlock[] {
  return blocks.map((block) => (block.type === 'text' ? { ...block, text: whole.redact(block.text) } : block));
}

/** Follows no link: a new file is made where none is, and a replaced one is renamed over. */
async function save(
  context: CommandContext,
  contents: string | Uint8Array,
  where: { readonly output: string; readonly force: boolean },
): Promise<void> {
  const path = resolve(context.surroundings.cwd, where.output);
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
  if (where.force) await writeFileAtomic(path, bytes);
  else await writeNewFile(path, bytes);
  context.output.note(`${formatBytes(bytes.length)} written to ${path}.`);
}
