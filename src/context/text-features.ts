/**
 * A text as counts of what a byte-pair tokenizer makes tokens of: words by length, where they begin, digits, punctuation, scripts. One
 * pass over code units, no regular expression: the ladder looks at every line of every server.
 */

/** In the order of the weights. */
export const featureNames = [
  'words to 3 letters',
  'words to 7 letters',
  'words to 11 letters',
  'longer words',
  'letters beyond the seventh of a word',
  'words after anything but a space',
  'words after a small letter',
  'capitals in a row',
  'digits by three',
  'runs of punctuation',
  'punctuation after the first of a run',
  'line ends',
  'spaces after the first of a run',
  'underscores',
  'quotation marks',
  'brackets, colons and commas',
  'Latin letters with marks',
  'letters of Greek, Cyrillic and their like',
  'letters of Hebrew, Arabic and Indian scripts',
  'signs of Chinese, Japanese and Korean',
  'symbols',
  'signs beyond the basic plane',
] as const;

const place = {
  short: 0,
  middle: 1,
  long: 2,
  longer: 3,
  beyond: 4,
  glued: 5,
  camel: 6,
  capitals: 7,
  digits: 8,
  punctuation: 9,
  furtherPunctuation: 10,
  lineEnd: 11,
  furtherSpace: 12,
  underscore: 13,
  quote: 14,
  structure: 15,
  latin: 16,
  greek: 17,
  indian: 18,
  ideograph: 19,
  symbol: 20,
  astral: 21,
} as const;

type Kind = 'lower' | 'digit' | 'space' | 'other';

/** Adds the features of `text` to `counts`, which has a place for each. */
export function countFeatures(text: string, counts: Float64Array): void {
  const add = (feature: number, by = 1): void => {
    counts[feature] = (counts[feature] ?? 0) + by;
  };
  let before: Kind | 'start' = 'start';
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (isLetter(unit)) {
      const end = wordEnd(text, at);
      const letters = end - at;
      add(letters <= 3 ? place.short : letters <= 7 ? place.middle : letters <= 11 ? place.long : place.longer);
      if (letters > 7) add(place.beyond, letters - 7);
      if (before === 'lower') add(place.camel);
      else if (before !== 'space') add(place.glued);
      const capitals = capitalsAt(text, at, end);
      if (capitals > 1) add(place.capitals, capitals - 1);
      before = 'lower';
      at = end;
    } else if (unit >= 48 && unit <= 57) {
      let end = at + 1;
      while (end < text.length && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end += 1;
      add(place.digits, Math.ceil((end - at) / 3));
      before = 'digit';
      at = end;
    } else {
      if (unit === 32 || unit === 9) {
        if (before === 'space') add(place.furtherSpace);
        before = 'space';
      } else if (unit === 10 || unit === 13) {
        add(place.lineEnd);
        before = 'space';
      } else if (unit < 128) {
        add(before === 'other' ? place.furtherPunctuation : place.punctuation);
        if (unit === 95) add(place.underscore);
        else if (unit === 34) add(place.quote);
        else if (structure.has(unit)) add(place.structure);
        before = 'other';
      } else {
        add(featureOfForeign(unit), unit >= 0xd8_00 && unit <= 0xdf_ff ? 0.5 : 1);
        before = 'other';
      }
      at += 1;
    }
  }
}

const structure: ReadonlySet<number> = new Set(Array.from('{}[]():,', (sign) => sign.charCodeAt(0)));

const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;
const isLower = (unit: number): boolean => unit >= 97 && unit <= 122;
const isLetter = (unit: number): boolean => isUpper(unit) || isLower(unit);

/** A word is any capitals, then small letters: where a capital follows a small letter the next one begins. */
function wordEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isUpper(text.charCodeAt(end))) end += 1;
  while (end < text.length && isLower(text.charCodeAt(end))) end += 1;
  return end;
}

function capitalsAt(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isUpper(text.charCodeAt(at))) at += 1;
  return at - start;
}

function featureOfForeign(unit: number): number {
  if (unit < 0x02_50) return place.latin;
  if (unit < 0x05_90) return place.greek;
  if (unit < 0x10_a0) return place.indian;
  if (unit < 0x20_00) return place.greek;
  if (unit < 0x2e_80) return place.symbol;
  if (unit < 0xd8_00) return place.ideograph;
  if (unit <= 0xdf_ff) return place.astral;
  return place.ideograph;
}
