/**
 * Which tools a query means: BM25F over the fields, more for tools that have more of the query's words, and more where most of a
 * tool's name was said. Pure: the same segments and query give the same order.
 */
import { fields, nameField } from './fields.ts';
import { readQuery } from './query.ts';
import { countOf, fieldOf, placeOfWord, postingsAt, type SearchedTool, type Segment, toolOf } from './segment.ts';

/** How soon more of the same word counts no more. */
const saturation = 1.2;
/** Share of a score that depends on how much of the query was found. */
const coverageShare = 0.3;
/** What a name that was said in full adds to a score. */
const nameBonus = 0.7;

/** One tool that was found. */
export interface Ranked {
  readonly server: string;
  readonly tool: SearchedTool;
  readonly score: number;
}

export interface Ranking {
  /** Best first; equal ones by name, then server. */
  readonly best: readonly Ranked[];
  /** All tools with a word of the query. */
  readonly total: number;
}

/** The `most` best of all tools with a word of the query. */
export function rank(query: string, segments: readonly Segment[], most: number): Ranking {
  const averages = averageLengths(segments);
  const size = segments.reduce((sum, { tools }) => sum + tools.length, 0);
  const scored = segments.map(emptyScores);
  let sought = 0;
  for (const [word, weight] of readQuery(query, segments)) {
    let holders = 0;
    for (const scores of scored) holders += countWord(scores, word, averages);
    const rarity = Math.log(1 + (size - holders + 0.5) / (holders + 0.5));
    sought += weight * rarity;
    for (const scores of scored) addWord(scores, weight, rarity);
  }
  for (const scores of scored) finish(scores, sought);
  return best(scored, most);
}

interface Scores {
  readonly segment: Segment;
  /** Of each tool. */
  readonly sum: Float64Array;
  /** What of the query was found, weighted by rarity. */
  readonly covered: Float64Array;
  /** Words of the name that were said. */
  readonly named: Float64Array;
  /** How often the present word is there, weighted by field; zero again when it was added. */
  readonly frequency: Float64Array;
  readonly inName: Uint8Array;
  /** Tools that have the present word. */
  holders: number[];
}

function emptyScores(segment: Segment): Scores {
  const size = segment.tools.length;
  const numbers = (): Float64Array => new Float64Array(size);
  return {
    segment,
    sum: numbers(),
    covered: numbers(),
    named: numbers(),
    frequency: numbers(),
    inName: new Uint8Array(size),
    holders: [],
  };
}

/** Looks where the word is in a segment; in how many tools. */
function countWord(scores: Scores, word: string, averages: readonly number[]): number {
  const { segment, frequency, inName } = scores;
  scores.holders = [];
  const place = placeOfWord(segment, word);
  if (segment.words[place] !== word) return 0;
  for (const bits of postingsAt(segment, place)) {
    const [tool, at] = [toolOf(bits), fieldOf(bits)];
    const field = fields[at];
    if (field === undefined) continue;
    const length = (segment.lengths[tool * fields.length + at] ?? 0) / (averages[at] ?? 1);
    if (scores.holders.at(-1) !== tool) scores.holders.push(tool);
    increase(frequency, tool, (field.weight * countOf(bits)) / (1 - field.lengthShare + field.lengthShare * length));
    if (at === nameField) inName[tool] = 1;
  }
  return scores.holders.length;
}

function addWord({ sum, covered, named, frequency, inName, holders }: Scores, weight: number, rarity: number): void {
  const value = weight * rarity;
  for (const tool of holders) {
    const count = frequency[tool] ?? 0;
    increase(sum, tool, (value * count * (saturation + 1)) / (saturation + count));
    increase(covered, tool, value);
    if (inName[tool] === 1) increase(named, tool, Math.min(1, weight));
    frequency[tool] = 0;
    inName[tool] = 0;
  }
}

function increase(values: Float64Array, at: number, by: number): void {
  values[at] = (values[at] ?? 0) + by;
}

/** What depends on a tool's words together. */
function finish({ segment: { lengths }, sum, covered, named }: Scores, sought: number): void {
  for (const [at, words] of sum.entries()) {
    if (words === 0) continue;
    const coverage = 1 - coverageShare + (coverageShare * (covered[at] ?? 0)) / sought;
    const nameLength = Math.max(1, lengths[at * fields.length + nameField] ?? 1);
    sum[at] = words * coverage * (1 + nameBonus * Math.min(1, (named[at] ?? 0) / nameLength));
  }
}

/** Only what can be among the best is made into objects and compared by name. */
function best(scored: readonly Scores[], most: number): Ranking {
  const scores = Float64Array.from(scored.flatMap(({ sum }) => Array.from(sum).filter((score) => score > 0))).sort();
  const least = scores[Math.max(0, scores.length - most)] ?? 0;
  const found = scored.flatMap(({ segment: { server, tools }, sum }) => {
    const chosen: Ranked[] = [];
    for (const [at, tool] of tools.entries()) {
      const score = sum[at] ?? 0;
      if (score > 0 && score >= least) chosen.push({ server, tool, score });
    }
    return chosen;
  });
  return { best: found.sort(byRank).slice(0, most), total: scores.length };
}

/** Words of each field, of an average tool. */
function averageLengths(segments: readonly Segment[]): readonly number[] {
  const tools = Math.max(
    1,
    segments.reduce((sum, segment) => sum + segment.tools.length, 0),
  );
  return fields.map((_, at) => {
    const words = segments.reduce((sum, { totals }) => sum + (totals[at] ?? 0), 0);
    return Math.max(1, words / tools);
  });
}

function byRank(a: Ranked, b: Ranked): number {
  return b.score - a.score || compare(a.tool.name, b.tool.name) || compare(a.server, b.server);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
