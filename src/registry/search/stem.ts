/**
 * Endings of English words, so that "files", "filing" and "filed" meet. After M. F. Porter, "An algorithm for suffix stripping"
 * (1980), without its last step: tool names are short, and what stays of them must tell them apart.
 */
const vowel = /[aeiouy]/;

/** Longest first; an ending goes where enough of a word is left before it. */
const derived: readonly (readonly [string, string])[] = [
  ['ization', 'ize'],
  ['isation', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['izer', 'ize'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['alli', 'al'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['logi', 'log'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ment', ''],
];

/** The stem of a lower-case word; what is no English word of letters only is itself. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const single = singular(word);
  const bare = single.endsWith('y') && vowel.test(single.slice(0, -1)) ? `${single.slice(0, -1)}i` : single;
  const base = withoutDerived(inflected(bare));
  return withoutE(base);
}

function singular(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/[^aious]s$/.test(word) && word.length > 3) return word.slice(0, -1);
  if (/[ao]s$/.test(word) && word.length > 4) return word.slice(0, -1);
  return word;
}

function inflected(word: string): string {
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0;
  const rest = word.slice(0, word.length - ending);
  if (ending === 0 || rest.length < 3 || !vowel.test(rest)) return word;
  if (/(at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeiouylsz])\1$/.test(rest)) return rest.slice(0, -1);
  return rest;
}

function withoutDerived(word: string): string {
  for (const [ending, instead] of derived) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    // "creation" is "create", but "moment" is no "mo".
    return (instead === '' ? syllables(rest) > 0 : vowel.test(rest)) ? rest + instead : word;
  }
  return word;
}

/** "file" and "filing", "image" and "imaging" end alike without the last e. */
function withoutE(word: string): string {
  return word.endsWith('e') && word.length > 3 ? word.slice(0, -1) : word;
}

/** Porter's measure: how often vowels are followed by consonants. */
function syllables(word: string): number {
  return word.match(/[aeiouy]+[^aeiouy]+/g)?.length ?? 0;
}
