/** The words of a query, each with its weight; a word that no tool has stands for those it may have been meant as. */
import { limits } from '../../base/index.ts';
import { editsWithin } from './edits.ts';
import { counted, placeOfWord, type Segment } from './segment.ts';
import { isUnspaced, wordsOf } from './words.ts';

/** What a word counts for that was not written, before what it differs in. */
const guessWeight = 0.7;
/** Shorter words begin too many others, and one slip makes too many of them. */
const leastPrefix = 4;
const leastMistyped = 5;
/** From here on two slips may be in a word. */
const longMistyped = 8;

/** Words with their weights. A repeated word counts more, but less each time. */
export function readQuery(query: string, segments: readonly Segment[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  let guessed = 0;
  const words = [...counted(wordsOf(query.slice(0, limits.searchQueryCharacters)))].slice(0, limits.searchQueryWords);
  for (const [word, count] of words) {
    if (segments.some((segment) => segment.words[placeOfWord(segment, word)] === word)) {
      weights.set(word, 1 + Math.log(count));
    } else if (guessed < limits.searchGuessedWords) {
      guessed += 1;
      for (const [meant, weight] of guessesOf(word, segments)) {
        weights.set(meant, Math.max(weights.get(meant) ?? 0, weight));
      }
    }
  }
  return weights;
}

/** Words that begin with `word` (one Chinese character begins pairs), and words that it is with a slip or two. */
function guessesOf(word: string, segments: readonly Segment[]): ReadonlyMap<string, number> {
  const guesses = new Map<string, number>();
  if (word.length < leastPrefix && !isUnspaced(word)) return guesses;
  const isMistyped = word.length >= leastMistyped && /^\p{L}+$/u.test(word);
  const most = word.length >= longMistyped ? 2 : 1;
  // The first letter is hardly ever wrong.
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
  for (const segment of segments) {
    const { words } = segment;
    for (let at = placeOfWord(segment, first); words[at]?.startsWith(first) === true; at += 1) {
      const meant = words[at] ?? '';
      if (guesses.has(meant)) continue;
      if (meant.startsWith(word)) guesses.set(meant, (guessWeight * word.length) / meant.length);
      else if (isMistyped) {
        const edits = editsWithin(word, meant, most);
        if (edits !== undefined) guesses.set(meant, guessWeight * (1 - edits / word.length));
      }
    }
  }
  return guesses;
}
