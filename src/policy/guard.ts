/** What of a result is shown, and where the rest is (B5). */
import { formatBytes, limits, type Scope } from '../base/index.ts';
import type { ShownBlock } from './blocks.ts';
import { cleanText, lengthBeforeCleaning } from './hygiene.ts';
import type { Redactor } from './redact.ts';
import { type Spill, writeSpill } from './spill.ts';

/** That something was cut, and where the whole is. */
export interface Cut {
  readonly totalBytes: number;
  readonly totalLines: number;
  readonly shownBytes: number;
  readonly shownLines: number;
  /** Absolute path of the whole; undefined when it could not be written (`reason` says why). */
  readonly path: string | undefined;
  readonly reason?: string;
}

export interface Presented {
  readonly blocks: readonly ShownBlock[];
  readonly cut: Cut | undefined;
  /** The guard is off: nothing is cut, and what a host gets beside it is whole too. */
  readonly unguarded?: true;
}

export interface GuardSettings {
  readonly enabled: boolean;
  readonly maxBytes: number;
  readonly maxLines: number;
}

export interface PresentOptions {
  readonly guard: GuardSettings;
  readonly redactor: Redactor;
  /** Folder for whole outputs. */
  readonly spillFolder: string;
  /** Whose output it is. */
  readonly scope: Scope;
  /** Names the spill file: server and tool. */
  readonly label: string;
  readonly nowMs: number;
}

/**
 * Redact, spill, clean, cut: in this order. The limits hold for all text blocks together, the sentence about the cut
 * included. Never throws for a full disk: the cut then says so.
 */
export async function guardBlocks(blocks: readonly ShownBlock[], options: PresentOptions): Promise<Presented> {
  const { guard, redactor } = options;
  const redacted = mapTexts(blocks, (text) => redactor.redact(text));
  // Once more after cleaning: an invisible character inside a secret would have hidden it.
  const cleaned = mapTexts(redacted, (text) => {
    const clean = cleanText(text);
    return clean === text ? text : redactor.redact(clean);
  });
  if (!guard.enabled) return { blocks: cleaned, cut: undefined, unguarded: true };
  const limited = limitImages(cleaned);
  if (fits(limited, guard)) return { blocks: limited, cut: undefined };
  const total = measure(limited);
  const spill = await writeSpill(textsOf(redacted).join('\n'), {
    folder: options.spillFolder,
    scope: options.scope,
    label: options.label,
    nowMs: options.nowMs,
  });
  return cutBlocks(limited, { guard, spill, total, saved: redacted });
}

function mapTexts(blocks: readonly ShownBlock[], change: (text: string) => string): readonly ShownBlock[] {
  return blocks.map((block) => {
    if (block.type !== 'text') return block;
    const text = change(block.text);
    return text === block.text ? block : { type: 'text', text };
  });
}

function textsOf(blocks: readonly ShownBlock[]): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

function limitImages(blocks: readonly ShownBlock[]): readonly ShownBlock[] {
  let images = 0;
  return blocks.map((block) => {
    if (block.type === 'text') return block;
    images += 1;
    if (images <= limits.shownImages) return block;
    return { type: 'text', text: `[image: ${block.mimeType}, not shown: only the first ${limits.shownImages} are]` };
  });
}

function fits(blocks: readonly ShownBlock[], guard: GuardSettings): boolean {
  let units = 0;
  let lines = 0;
  for (const text of textsOf(blocks)) {
    units += text.length + 1;
    lines += countLines(text);
  }
  // A UTF-16 code unit takes at most three bytes: short texts need no count.
  return lines <= guard.maxLines && (units * 3 <= guard.maxBytes || measure(blocks).bytes <= guard.maxBytes);
}

interface Extent {
  readonly bytes: number;
  readonly lines: number;
}

/** Bytes in UTF-8 and lines of all texts; each begins a line, so that a newline stands between two of them. */
function measure(blocks: readonly ShownBlock[]): Extent {
  const texts = textsOf(blocks);
  let bytes = Math.max(0, texts.length - 1);
  let lines = 0;
  for (const text of texts) {
    bytes += Buffer.byteLength(text);
    lines += countLines(text);
  }
  return { bytes, lines };
}

/** A newline at the end ends the last line and begins none. */
function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

interface CutFacts {
  readonly guard: GuardSettings;
  readonly spill: Spill;
  readonly total: Extent;
  /** What the file of the whole was made of. */
  readonly saved: readonly ShownBlock[];
}

function cutBlocks(blocks: readonly ShownBlock[], facts: CutFacts): Presented {
  const { guard, spill, total } = facts;
  // The sentence about the cut counts too, unless the limits are so small that nothing would be left.
  const longest = { bytes: guard.maxBytes, lines: guard.maxLines };
  const sentence =
    Buffer.byteLength(noticeOf(facts, longest, { bytes: total.bytes, line: total.lines, isLineStart: false })) + 32;
  const budget = {
    bytes: Math.max(guard.maxBytes - sentence, Math.floor(guard.maxBytes / 2)),
    lines: Math.max(guard.maxLines - 2, Math.ceil(guard.maxLines / 2)),
  };
  const kept: ShownBlock[] = [];
  let { bytes, lines } = budget;
  let end: End | undefined;
  for (const [at, block] of blocks.entries()) {
    if (block.type === 'image') {
      kept.push(block);
      continue;
    }
    if (end !== undefined) continue;
    const head = headOf(block.text, { bytes, lines });
    if (head.length < block.text.length) end = { at, head };
    bytes -= Buffer.byteLength(head) + 1;
    lines -= countLines(head);
    if (head !== '') kept.push({ type: 'text', text: head });
  }
  const shown = measure(kept);
  const from = placeOf(end ?? { at: blocks.length, head: '' }, facts.saved);
  const notice: ShownBlock = { type: 'text', text: noticeOf(facts, shown, from) };
  const where = 'path' in spill ? { path: spill.path } : { path: undefined, reason: spill.reason };
  return {
    blocks: [...kept, notice],
    cut: {
      totalBytes: total.bytes,
      totalLines: total.lines,
      shownBytes: shown.bytes,
      shownLines: shown.lines,
      ...where,
    },
  };
}

/** Where what is shown ends: the block that is cut, and what is shown of it. */
interface End {
  readonly at: number;
  readonly head: string;
}

/** A place in the file of the whole, from which on nothing was shown. */
interface Place {
  readonly bytes: number;
  /** Counted from 1. */
  readonly line: number;
  readonly isLineStart: boolean;
}

/** The file holds what was cleaned away, too: a place in it is not one in what is shown. */
function placeOf({ at, head }: End, saved: readonly ShownBlock[]): Place {
  const own = saved[at];
  const part = own?.type === 'text' ? own.text.slice(0, lengthBeforeCleaning(own.text, head.length)) : '';
  const before = [...textsOf(saved.slice(0, at)), part].join('\n');
  let line = 1;
  for (let end = before.indexOf('\n'); end >= 0; end = before.indexOf('\n', end + 1)) line += 1;
  return { bytes: Buffer.byteLength(before), line, isLineStart: before === '' || before.endsWith('\n') };
}

function noticeOf({ spill, total }: CutFacts, shown: Extent, from: Place): string {
  const left = { bytes: total.bytes - shown.bytes, lines: Math.max(0, total.lines - shown.lines) };
  const first = `Output cut: the first ${formatBytes(shown.bytes)} of ${formatBytes(total.bytes)} are shown`;
  const rest = `${formatBytes(left.bytes)} and ${left.lines} of ${total.lines} lines are left out.`;
  if (!('path' in spill)) return `[${first}; ${rest} The whole could not be saved: ${spill.reason}]`;
  // What is cut inside a line, often the only one, cannot be read on by lines.
  const place = from.isLineStart ? `line ${from.line}` : `byte ${from.bytes} (in line ${from.line})`;
  return `[${first}; ${rest} The whole output is in ${spill.path}; read on from ${place}, or search it.]`;
}

/** The longest beginning of `text` within the extent, cut between characters as people see them, at a line's end where one is near. */
function headOf(text: string, extent: Extent): string {
  const byLines = text.slice(0, endOfLines(text, extent.lines));
  if (Buffer.byteLength(byLines) <= extent.bytes) return byLines;
  const head = headOfBytes(byLines, extent.bytes);
  const lineEnd = head.lastIndexOf('\n') + 1;
  return lineEnd >= head.length * 0.9 ? head.slice(0, lineEnd) : head;
}

/** Where the first `lines` lines end, their newline included. */
function endOfLines(text: string, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line += 1) {
    const at = text.indexOf('\n', end);
    if (at < 0) return text.length;
    end = at + 1;
  }
  return end;
}

function headOfBytes(text: string, bytes: number): string {
  // encodeInto stops before the code point that would not fit.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytes)));
  return read >= text.length ? text : text.slice(0, graphemeBoundary(text, read));
}

/** Code units looked at before a cut; the longest emoji in use is shorter. */
const graphemeWindow = 64;

function graphemeBoundary(text: string, at: number): number {
  const start = Math.max(0, at - graphemeWindow);
  const window = text.slice(start, at + graphemeWindow);
  let boundary = 0;
  for (const { index } of new Intl.Segmenter().segment(window)) {
    if (start + index > at) break;
    boundary = index;
  }
  // A cluster longer than the window is cut inside; code points stay whole.
  return boundary === 0 ? at : start + boundary;
}
