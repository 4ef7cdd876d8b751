/** Patterns for names: `*` stands for any text, `?` for one character; everything else, case included, for itself. */

/** Whether `text` as a whole fits `pattern`. Takes no longer than both lengths multiplied, whatever the pattern. */
export function matchesGlob(pattern: string, text: string): boolean {
  const wanted = Array.from(pattern);
  const given = Array.from(text);
  let at = 0;
  let next = 0;
  // Where to go on when the text after the last `*` turns out not to fit.
  let star = -1;
  let afterStar = 0;
  while (next < given.length) {
    if (at < wanted.length && wanted[at] === '*') {
      star = at;
      afterStar = next;
      at += 1;
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[next])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      at = star + 1;
      afterStar += 1;
      next = afterStar;
    } else {
      return false;
    }
  }
  while (wanted[at] === '*') at += 1;
  return at === wanted.length;
}

/** The first of `patterns` that `text` fits. */
export function matchingGlob(patterns: readonly string[], text: string): string | undefined {
  return patterns.find((pattern) => matchesGlob(pattern, text));
}
