/**
 * Patterns for names: `*` stands for any text, `?` for one character, `[*]` and `[?]` for these signs; everything else, case
 * included, for itself.
 */

/** Whether `text` as a whole fits `pattern`. Takes no longer than both lengths multiplied, whatever the pattern. */
export function matchesGlob(pattern: string, text: string): boolean {
  const wanted = partsOf(pattern);
  const given = Array.from(text);
  let at = 0;
  let next = 0;
  // Where to go on when the text after the last `*` turns out not to fit.
  let star = -1;
  let afterStar = 0;
  while (next < given.length) {
    if (wanted[at] === '*') {
      star = at;
      afterStar = next;
      at += 1;
    } else if (wanted[at] === '?' || (at < wanted.length && wanted[at] === `=${given[next]}`)) {
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

/** `*`, `?`, and every other character after `=`. */
function partsOf(pattern: string): readonly string[] {
  return Array.from(pattern.matchAll(/\[([*?])\]|[^]/gu), ([part, sign]) => {
    if (sign !== undefined) return `=${sign}`;
    return part === '*' || part === '?' ? part : `=${part}`;
  });
}

/** The first of `patterns` that `text` fits. */
export function matchingGlob(patterns: readonly string[], text: string): string | undefined {
  return patterns.find((pattern) => matchesGlob(pattern, text));
}

/** The pattern that `text` alone fits: a server may call its tool `*`. */
export function exactGlob(text: string): string {
  return text.replaceAll(/[*?]/g, '[$&]');
}
