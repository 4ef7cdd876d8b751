/** What a query looks for: its words, each with the words it may stand for, and the parts they were written in. */
import { limits } from '../../base/index.ts';
import { editsWithin } from './edits.ts';
import { placeOfWord, type Segment } from './segment.ts';
import { synonyms } from './synonyms.ts';
import { isUnspaced, wordsOf } from './words.ts';

/** What a word counts for that is only guessed at, before what the guess differs in. */
const guessWeight = 0.7;
/**
 * What a synonym counts for, and what a rare word begins: enough to find "execute" by "run", too little to come before a tool that
 * says "run". From 0.25 to 0.5 makes little difference.
 */
const relatedShare = 0.35;
/** A word that stands in more fields of tools is what was meant, and not the beginning of one that was: "wiki" is, "file" is not. */
const rareFields = 20;
/** Shorter words begin too many others, and one slip makes too many of them. */
const leastPrefix = 4;
const leastMistyped = 5;
/** From here on two slips may be in a word. */
const longMistyped = 8;

/** Where a query lists things: each part may say by itself what it wants. Points and slashes are as often inside of a name or a path. */
const partEnd = /[,;+|\n，；、]|\b(?:or|and)\b/iu;

/** A word of the query. */
export interface Term {
  /** Words that are looked for, the written one first, with the share that each counts for. */
  readonly meanings: ReadonlyMap<string, number>;
  /** A repeated word counts more, but less each time. */
  readonly weight: number;
  /** The places of the parts that it stands in. */
  readonly parts: readonly number[];
}

/** The words that some tool has, or has one like them. */
export function readQuery(query: string, segments: readonly Segment[]): readonly Term[] {
  let guesses: number = limits.searchGuessedWords;
  return writtenWords(query).flatMap(({ word, count, parts }) => {
    const known = knownMeanings(word, segments);
    const isGuessed = known.size === 0 && guesses > 0;
    if (isGuessed) guesses -= 1;
    const meanings = isGuessed ? guessesOf(word, segments) : known;
    const weight = (isGuessed ? guessWeight : 1) * (1 + Math.log(count));
    return meanings.size === 0 ? [] : [{ meanings, weight, parts: [...parts] }];
  });
}

interface Written {
  readonly word: string;
  count: number;
  readonly parts: Set<number>;
}

function writtenWords(query: string): readonly Written[] {
  const written = new Map<string, Written>();
  const parts = query.slice(0, limits.searchQueryCharacters).split(partEnd).map(wordsOf);
  for (const [part, words] of parts.filter((words) => words.length > 0).entries()) {
    for (const word of words) {
      const known = written.get(word) ?? { word, count: 0, parts: new Set() };
      known.count += 1;
      if (part < limits.searchQueryParts) known.parts.add(part);
      written.set(word, known);
    }
  }
  return [...written.values()].slice(0, limits.searchQueryWords);
}

/** The word itself, its synonyms, and what it begins: those that some tool has. */
function knownMeanings(word: string, segments: readonly Segment[]): ReadonlyMap<string, number> {
  const meanings = new Map<string, number>();
  const fields = fieldsWith(word, segments);
  if (fields > 0) meanings.set(word, 1);
  for (const synonym of synonyms.get(word) ?? []) {
    if (synonym !== word && fieldsWith(synonym, segments) > 0) meanings.set(synonym, relatedShare);
  }
  if (fields > 0 && fields <= rareFields && mayBegin(word)) {
    for (const begun of wordsFrom(word, segments)) if (!meanings.has(begun)) meanings.set(begun, relatedShare);
  }
  return meanings;
}

/** In how many fields of tools a word stands. */
function fieldsWith(word: string, segments: readonly Segment[]): number {
  let fields = 0;
  for (const segment of segments) {
    const place = placeOfWord(segment, word);
    if (segment.words[place] === word) fields += (segment.starts[place + 1] ?? 0) - (segment.starts[place] ?? 0);
  }
  return fields;
}

/** What a word that no tool has begins, and what it is with a slip or two. */
function guessesOf(word: string, segments: readonly Segment[]): ReadonlyMap<string, number> {
  const guesses = new Map<string, number>();
  if (!mayBegin(word)) return guesses;
  const isMistyped = word.length >= leastMistyped && /^\p{L}+$/u.test(word);
  const most = word.length >= longMistyped ? 2 : 1;
  // The first letter is hardly ever wrong.
  for (const meant of wordsFrom(String.fromCodePoint(word.codePointAt(0) ?? 0), segments)) {
    if (guesses.has(meant)) continue;
    if (meant.startsWith(word)) guesses.set(meant, word.length / meant.length);
    else if (isMistyped) {
      const edits = editsWithin(word, meant, most);
      if (edits !== undefined) guesses.set(meant, 1 - edits / word.length);
    }
  }
  return guesses;
}

/** Short ones begin too much; one Chinese character begins pairs. */
const mayBegin = (word: string): boolean => word.length >= leastPrefix || isUnspaced(word);

function* wordsFrom(beginning: string, segments: readonly Segment[]): Generator<string> {
  for (const segment of segments) {
    const { words } = segment;
    for (let at = placeOfWord(segment, beginning); words[at]?.startsWith(beginning) === true; at += 1) {
      yield words[at] ?? '';
    }
  }
}
