/** What of a result is shown, and where the rest is (B5). */
import { formatBytes, limits } from '../base/index.ts';
import type { ShownBlock } from './blocks.ts';
import { cleanText } from './hygiene.ts';
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
  const whole = redacted.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const spill = await writeSpill(whole, { folder: options.spillFolder, label: options.label, nowMs: options.nowMs });
  return cutBlocks(limited, { guard, spill, total });
}

function mapTexts(blocks: readonly ShownBlock[], change: (text: string) => string): readonly ShownBlock[] {
  return blocks.map((block) => (block.type === 'text' ? { type: 'text', text: change(block.text) } : block));
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
  for (const block of blocks) {
    if (block.type !== 'text') continue;
    units += block.text.length;
    lines += countLines(block.text);
  }
  // A UTF-16 code unit takes at most three bytes: short texts need no count.
  return lines <= guard.maxLines && (units * 3 <= guard.maxBytes || measure(blocks).bytes <= guard.maxBytes);
}

interface Extent {
  readonly bytes: number;
  readonly lines: number;
}

/** Bytes in UTF-8 and lines of all texts; each block begins a line. */
function measure(blocks: readonly ShownBlock[]): Extent {
  let bytes = 0;
  let lines = 0;
  for (const block of blocks) {
    if (block.type !== 'text') continue;
    bytes += Buffer.byteLength(block.text);
    lines += countLines(block.text);
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
}

function cutBlocks(blocks: readonly ShownBlock[], facts: CutFacts): Presented {
  const { guard, spill, total } = facts;
  // The sentence about the cut counts too, unless the limits are so small that nothing would be left.
  const sentence =
    Buffer.byteLength(
      noticeOf(facts, { bytes: guard.maxBytes, lines: guard.maxLines, insideLine: true, joins: guard.maxLines }),
    ) + 32;
  const budget = {
    bytes: Math.max(guard.maxBytes - sentence, Math.floor(guard.maxBytes / 2)),
    lines: Math.max(guard.maxLines - 2, Math.ceil(guard.maxLines / 2)),
  };
  const kept: ShownBlock[] = [];
  let { bytes, lines } = budget;
  let textIsOver = false;
  let insideLine = false;
  for (const block of blocks) {
    if (block.type === 'image') {
      kept.push(block);
      continue;
    }
    if (textIsOver) continue;
    const head = headOf(block.text, { bytes, lines });
    textIsOver = head.length < block.text.length;
    insideLine = textIsOver && head !== '' && !head.endsWith('\n');
    bytes -= Buffer.byteLength(head);
    lines -= countLines(head);
    if (head !== '') kept.push({ type: 'text', text: head });
  }
  const shown = measure(kept);
  const joins = kept.filter(({ type }) => type === 'text').length - 1;
  const notice: ShownBlock = { type: 'text', text: noticeOf(facts, { ...shown, insideLine, joins }) };
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

interface ShownExtent extends Extent {
  readonly insideLine: boolean;
  /** Newlines that join the shown blocks in the saved whole. */
  readonly joins: number;
}

function noticeOf({ spill, total }: CutFacts, shown: ShownExtent): string {
  const left = { bytes: total.bytes - shown.bytes, lines: Math.max(0, total.lines - shown.lines) };
  const first = `Output cut: the first ${formatBytes(shown.bytes)} of ${formatBytes(total.bytes)} are shown`;
  const rest = `${formatBytes(left.bytes)} and ${left.lines} of ${total.lines} lines are left out.`;
  if (!('path' in spill)) return `[${first}; ${rest} The whole could not be saved: ${spill.reason}]`;
  // What is cut inside a line, often the only one, cannot be read on by lines.
  const from = shown.insideLine
    ? `byte ${shown.bytes + shown.joins} (in line ${shown.lines})`
    : `line ${shown.lines + 1}`;
  return `[${first}; ${rest} The whole output is in ${spill.path}; read on from ${from}, or search it.]`;
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
