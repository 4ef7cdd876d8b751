/** Text as the words that are searched: the same for descriptors and for queries. */
import { stem } from './stem.ts';
import { stopWords } from './stop-words.ts';

/** Longer ones are hashes and encoded data, which nobody searches. */
const longestWord = 64;

/** Runs of letters and digits; what stands between them is no word. */
const run = /[\p{L}\p{M}\p{N}]+/gu;

/** Scripts that put no space between words: two neighbouring characters are looked for, which needs no dictionary. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;

export const isUnspaced = (word: string): boolean => word.search(unspaced) === 0;

/** Where a name that is written as one changes word: `getHTTPUrl2` is get, HTTP, Url, 2. */
const seam = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** Words of a text in their order: split at seams, without case and accents, without stop words, stemmed. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  // Compatibility forms first: full-width letters and ligatures are the letters they show.
  for (const [found] of text.normalize('NFKC').matchAll(run)) {
    for (const piece of piecesOf(found)) addWords(words, piece);
  }
  return words;
}

function piecesOf(found: string): readonly string[] {
  // Plain lower-case words are nearly all there is.
  if (/^[a-z]+$/.test(found)) return [found];
  const pieces = found.split(seam);
  // `s3`, `mp4` and `base64` are also looked for as a whole.
  return pieces.length > 1 && found.length <= longestWord && /\p{N}/u.test(found) ? [...pieces, found] : pieces;
}

function addWords(words: string[], piece: string): void {
  let at = 0;
  for (const match of piece.matchAll(unspaced)) {
    addWord(words, piece.slice(at, match.index));
    addNeighbours(words, match[0]);
    at = match.index + match[0].length;
  }
  addWord(words, at === 0 ? piece : piece.slice(at));
}

function addNeighbours(words: string[], characters: string): void {
  const each = Array.from(characters);
  if (each.length === 1) words.push(characters);
  for (let index = 0; index + 1 < each.length; index += 1) words.push(`${each[index]}${each[index + 1]}`);
}

function addWord(words: string[], piece: string): void {
  if (piece === '') return;
  const lower = piece.toLowerCase();
  const plain = /^[a-z0-9]+$/.test(lower) ? lower : lower.normalize('NFD').replaceAll(/\p{M}/gu, '');
  if (plain.length > longestWord || plain === '' || stopWords.has(plain) || stopWords.has(lower)) return;
  words.push(stem(plain));
}
