/**
 * The index of one server's tools: its words, sorted, and for each word in which tool and field it stands how often. Numbers in
 * flat arrays: ten thousand tools are loaded from a file without making an object for each word.
 */
import type { ToolDescriptor } from '../records.ts';
import { fields, fieldTexts } from './fields.ts';
import { wordsOf } from './words.ts';

/** What is told of a tool that was found. */
export interface SearchedTool {
  readonly name: string;
  readonly key: string;
  readonly title?: string;
  readonly description: string;
}

export interface Segment {
  readonly server: string;
  /** Of the server's files, when the segment was made. */
  readonly stamp: string;
  readonly tools: readonly SearchedTool[];
  /** Sorted by code unit. */
  readonly words: readonly string[];
  /** Where the postings of a word begin; one more than there are words. */
  readonly starts: Uint32Array;
  /** See {@link posting}; those of a word in the order of the tools. */
  readonly postings: Uint32Array;
  /** Words in each field of each tool. */
  readonly lengths: Uint32Array;
  /** Words in each field of all tools. */
  readonly totals: readonly number[];
}

/** The {@link Segment.totals} of lengths. */
export function totalsOf(lengths: Uint32Array): readonly number[] {
  const totals = fields.map(() => 0);
  for (const [at, length] of lengths.entries()) totals[at % fields.length] = (totals[at % fields.length] ?? 0) + length;
  return totals;
}

const countBits = 8;
const fieldBits = 3;
const mostCount = 2 ** countBits - 1;

/** Tool, field and count in 32 bits; a server has at most 16,384 tools. */
function posting(tool: number, field: number, count: number): number {
  return ((tool << (fieldBits + countBits)) | (field << countBits) | Math.min(count, mostCount)) >>> 0;
}

export const toolOf = (bits: number): number => bits >>> (fieldBits + countBits);
export const fieldOf = (bits: number): number => (bits >>> countBits) & (2 ** fieldBits - 1);
export const countOf = (bits: number): number => bits & mostCount;

export interface SegmentSource {
  readonly server: string;
  readonly stamp: string;
  readonly tools: readonly { readonly told: SearchedTool; readonly descriptor: ToolDescriptor }[];
}

/** Makes the index of a server's tools. */
export function makeSegment({ server, stamp, tools }: SegmentSource): Segment {
  const lengths = new Uint32Array(tools.length * fields.length);
  const byWord = new Map<string, number[]>();
  for (const [tool, { descriptor }] of tools.entries()) {
    for (const [field, text] of fieldTexts(server, descriptor).entries()) {
      const words = wordsOf(text);
      lengths[tool * fields.length + field] = words.length;
      for (const [word, count] of counted(words)) {
        const bits = posting(tool, field, count);
        const list = byWord.get(word);
        if (list === undefined) byWord.set(word, [bits]);
        else list.push(bits);
      }
    }
  }
  const words = [...byWord.keys()].sort();
  const lists = words.map((word) => byWord.get(word) ?? []);
  const starts = new Uint32Array(words.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length;
  return {
    server,
    stamp,
    tools: tools.map(({ told }) => told),
    words,
    starts,
    postings: Uint32Array.from(lists.flat()),
    lengths,
    totals: totalsOf(lengths),
  };
}

/** How often each word comes. */
export function counted(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Place of the first word that is not before `word`. */
export function placeOfWord({ words }: Segment, word: string): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The postings of the word at `place`. */
export function postingsAt({ starts, postings }: Segment, place: number): Uint32Array {
  return postings.subarray(starts[place], starts[place + 1]);
}
