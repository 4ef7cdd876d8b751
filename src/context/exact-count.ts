/** The exact count of o200k tokens. The tokenizer takes a tenth of a second to load and 60 MiB, so it is loaded when first needed. */
import { limits } from '../base/index.ts';

export type CountTokens = (text: string) => number;

/** Counts exactly; may remember. */
export type CountExactly = (text: string) => number | Promise<number>;

let loading: Promise<CountTokens> | undefined;

/** Loads the tokenizer once a process. */
export function loadTokenizer(): Promise<CountTokens> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => {
    // What looks like one of the tokenizer's own signs is text like any other.
    const options = { disallowedSpecial: new Set<string>() };
    return (text) => piecesOf(text).reduce((sum, piece) => sum + countTokens(piece, options), 0);
  });
  return loading;
}

/**
 * The tokenizer's work on one run of letters, signs or spaces grows with its square (50,000 letters take a second). Such a run is
 * counted in pieces, which is never less than the whole but by chance; nothing else is cut.
 */
function piecesOf(text: string): readonly string[] {
  if (text.length <= limits.tokenizedRunCharacters) return [text];
  const pieces: string[] = [];
  let start = 0;
  for (const { index, 0: run } of text.matchAll(longRun())) {
    for (let at = index; at < index + run.length; at += limits.tokenizedRunCharacters) {
      pieces.push(text.slice(start, at));
      start = at;
    }
  }
  pieces.push(text.slice(start));
  return pieces.filter((piece) => piece !== '');
}

function longRun(): RegExp {
  const most = limits.tokenizedRunCharacters;
  return new RegExp(String.raw`[\p{L}\p{M}]{${most},}|[^\s\p{L}\p{M}\p{N}]{${most},}|\s{${most},}`, 'gu');
}
