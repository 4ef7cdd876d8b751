/** What is left of a secret where a text was cut: names and quotations are shortened before anybody looks for secrets. */
import { formsAt, prefixCharacters, replacement, type Search } from './secret-search.ts';

/** What stands where a text was cut. */
const cutSign = '…';

/**
 * Cuts after which the end of a secret is looked for. Our own sentences have a few; who writes more of them means to send half of a
 * secret, which nobody can prevent.
 */
const cutsLooked = 64;

/** Replaces the beginning of a secret before a cut and the end of one after it, unless it is shorter than what a search begins with. */
export function replaceCut(text: string, search: Search): string {
  let cut = text.indexOf(cutSign);
  if (cut < 0) return text;
  let result = '';
  let copied = 0;
  const replace = (from: number, to: number): void => {
    result += text.slice(copied, from) + replacement;
    copied = to;
  };
  for (let at = 0, looked = 0; cut >= 0; at += 1) {
    if (at === cut) {
      const end = looked < cutsLooked ? endAfterCut(text, cut + 1, search) : cut + 1;
      if (end > cut + 1) replace(cut + 1, end);
      looked += 1;
      at = end - 1;
      cut = text.indexOf(cutSign, end);
    } else if (cut - at >= prefixCharacters && isBeginning(text.slice(at, cut), search)) {
      replace(at, cut);
      at = cut - 1;
    }
  }
  return result + text.slice(copied);
}

function isBeginning(piece: string, search: Search): boolean {
  return formsAt(piece, 0, search).some((form) => form.text.startsWith(piece));
}

/** Where the end of a secret that stands at `from` is over; `from` when none does. */
function endAfterCut(text: string, from: number, { byPrefix }: Search): number {
  const beginning = text.slice(from, from + prefixCharacters);
  if (beginning.length < prefixCharacters) return from;
  let longest = 0;
  for (const forms of byPrefix.values()) {
    for (const { text: form } of forms) {
      for (let at = form.indexOf(beginning, 1); at >= 0; at = form.indexOf(beginning, at + 1)) {
        if (form.length - at <= longest) break;
        if (text.startsWith(form.slice(at), from)) longest = form.length - at;
      }
    }
  }
  return from + longest;
}
