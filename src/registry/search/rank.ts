/**
 * Which tools a query means: BM25F over the fields, more for tools that have more of the query's words (or of a part's, where it
 * lists things), and more where most of a tool's name was said. Pure: the same segments and query give the same order.
 */
import { fields, nameField } from './fields.ts';
import { readQuery, type Term } from './query.ts';
import { countOf, fieldOf, placeOfWord, postingsAt, type SearchedTool, type Segment, toolOf } from './segment.ts';

/** How soon more of the same word counts no more. */
const saturation = 1.2;
/** Share of a score that depends on how much of the query was found. */
const coverageShare = 0.3;
/** Share of that which the best found part decides, where a query lists several things: a tool is hardly more than one of them. */
const partShare = 0.75;
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
  /** All tools with a word of the query, or one that it may stand for. */
  readonly total: number;
}

/** The `most` best of all tools with a word of the query. */
export function rank(query: string, segments: readonly Segment[], most: number): Ranking {
  const terms = readQuery(query, segments);
  const averages = averageLengths(segments);
  const size = segments.reduce((sum, { tools }) => sum + tools.length, 0);
  const parts = 1 + Math.max(-1, ...terms.flatMap((term) => term.parts));
  const scored = segments.map((segment) => emptyScores(segment, parts));
  const sought = { whole: 0, parts: new Float64Array(parts) };
  for (const term of terms) {
    const holders = countTerm(scored, term, averages);
    const value = term.weight * Math.log(1 + (size - holders + 0.5) / (holders + 0.5));
    sought.whole += value;
    for (const part of term.parts) increase(sought.parts, part, value);
    for (const scores of scored) addTerm(scores, term, value);
  }
  for (const scores of scored) finish(scores, sought);
  return best(scored, most);
}

/** What a query has to be found of, weighted by rarity. */
interface Sought {
  readonly whole: number;
  readonly parts: Float64Array;
}

interface Scores {
  readonly segment: Segment;
  /** Of each tool. */
  readonly sum: Float64Array;
  /** What of the query was found, weighted by rarity. */
  readonly covered: Float64Array;
  /** What of each part of the query was found: those of a tool stand together. */
  readonly coveredParts: Float64Array;
  /** Words of the name that were said. */
  readonly named: Float64Array;
  /** How often the present term is there, weighted by field; zero again when it was added. */
  readonly frequency: Float64Array;
  /** The best share with which the present term stands in the name. */
  readonly inName: Float64Array;
  /** Tools that have the present term. */
  holders: number[];
}

function emptyScores(segment: Segment, parts: number): Scores {
  const size = segment.tools.length;
  const numbers = (): Float64Array => new Float64Array(size);
  return {
    segment,
    sum: numbers(),
    covered: numbers(),
    coveredParts: new Float64Array(size * parts),
    named: numbers(),
    frequency: numbers(),
    inName: numbers(),
    holders: [],
  };
}

/** Looks where a term is; in how many tools. A word that some tool has is as rare as itself, whatever else it stands for. */
function countTerm(scored: readonly Scores[], { meanings }: Term, averages: readonly number[]): number {
  for (const scores of scored) scores.holders = [];
  let written: number | undefined;
  for (const [word, share] of meanings) {
    for (const scores of scored) countWord(scores, { word, share, averages });
    written ??= share === 1 ? holdersOf(scored) : 0;
  }
  return written === undefined || written === 0 ? holdersOf(scored) : written;
}

const holdersOf = (scored: readonly Scores[]): number => scored.reduce((sum, { holders }) => sum + holders.length, 0);

interface Counted {
  readonly word: string;
  readonly share: number;
  readonly averages: readonly number[];
}

function countWord({ segment, frequency, inName, holders }: Scores, { word, share, averages }: Counted): void {
  const place = placeOfWord(segment, word);
  if (segment.words[place] !== word) return;
  for (const bits of postingsAt(segment, place)) {
    const [tool, at] = [toolOf(bits), fieldOf(bits)];
    const field = fields[at];
    if (field === undefined) continue;
    const length = (segment.lengths[tool * fields.length + at] ?? 0) / (averages[at] ?? 1);
    if (frequency[tool] === 0) holders.push(tool);
    const count = (field.weight * countOf(bits)) / (1 - field.lengthShare + field.lengthShare * length);
    increase(frequency, tool, share * count);
    if (at === nameField) inName[tool] = Math.max(inName[tool] ?? 0, share);
  }
}

function addTerm(scores: Scores, { weight, parts }: Term, value: number): void {
  const { segment, sum, covered, coveredParts, named, frequency, inName, holders } = scores;
  const perTool = coveredParts.length / segment.tools.length;
  for (const tool of holders) {
    const count = frequency[tool] ?? 0;
    increase(sum, tool, (value * count * (saturation + 1)) / (saturation + count));
    increase(covered, tool, value);
    for (const part of parts) increase(coveredParts, tool * perTool + part, value);
    increase(named, tool, Math.min(1, weight * (inName[tool] ?? 0)));
    frequency[tool] = 0;
    inName[tool] = 0;
  }
}

function increase(values: Float64Array, at: number, by: number): void {
  values[at] = (values[at] ?? 0) + by;
}

/** What depends on a tool's words together. */
function finish({ segment: { lengths }, sum, covered, coveredParts, named }: Scores, sought: Sought): void {
  const parts = sought.parts.length;
  for (let at = 0; at < sum.length; at += 1) {
    const words = sum[at] ?? 0;
    if (words === 0) continue;
    const whole = (covered[at] ?? 0) / sought.whole;
    let part = whole;
    for (let place = 0; place < parts; place += 1) {
      const value = sought.parts[place] ?? 0;
      if (value > 0) part = Math.max(part, (coveredParts[at * parts + place] ?? 0) / value);
    }
    const found = (1 - partShare) * whole + partShare * part;
    const nameLength = Math.max(1, lengths[at * fields.length + nameField] ?? 1);
    const said = Math.min(1, (named[at] ?? 0) / nameLength);
    sum[at] = words * (1 - coverageShare + coverageShare * found) * (1 + nameBonus * said);
  }
}

/** Only what can be among the best is made into objects and compared by name. */
function best(scored: readonly Scores[], most: number): Ranking {
  const scores = new Float64Array(scored.reduce((size, { sum }) => size + sum.length, 0));
  let total = 0;
  for (const { sum } of scored) {
    for (const score of sum) if (score > 0) scores[total++] = score;
  }
  const least = scores.subarray(0, total).sort()[Math.max(0, total - most)] ?? Infinity;
  const found = scored.flatMap(({ segment: { server, tools }, sum }) => {
    const chosen: Ranked[] = [];
    for (let at = 0; at < sum.length; at += 1) {
      const score = sum[at] ?? 0;
      const tool = tools[at];
      if (score >= least && tool !== undefined) chosen.push({ server, tool, score });
    }
    return chosen;
  });
  return { best: found.sort(byRank).slice(0, most), total };
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
