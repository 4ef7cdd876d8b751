/** Cleaning of text that comes from servers, where it is shown to a person or a model. */
import { shorten } from '../base/index.ts';

export type HygieneKind = 'escape-sequence' | 'control' | 'zero-width' | 'bidi' | 'tag-character' | 'half-character';

export interface HygieneFinding {
  readonly kind: HygieneKind;
  readonly count: number;
}

/** Scripts whose writing needs the joiners U+200C and U+200D between letters. */
const joiningScripts = (
  'Arabic Syriac Mandaic Mongolian Nko Adlam Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu ' +
  'Kannada Malayalam Sinhala Khmer Myanmar Tibetan'
)
  .split(' ')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

/**
 * What is found, in the order tried. `keep` matches what looks like one of the others and is legitimate. No alternative runs
 * over the beginning of another one, so that the whole takes linear time; what may stand many times is found at once, since a
 * text of nothing else would take seconds.
 */
const rules: Readonly<Record<HygieneKind | 'keep' | 'return' | 'line-end', string>> = {
  keep: [
    // Flags of regions: a black flag, three to six tag letters, the end tag. Longer ones are hidden text.
    String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}`,
    // Joined emoji, with their presentation selectors; key caps; letters of the scripts above.
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[\p{Extended_Pictographic}0-9#*])[\uFE0E\uFE0F]`,
    String.raw`(?<=[${joiningScripts}])[\u200C\u200D](?=[${joiningScripts}])`,
    // Variants of ideographs and mathematical signs.
    String.raw`(?<=[\p{Script=Han}\p{Sm}\p{Script=Myanmar}])[\uFE00-\uFE02]|(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
  ].join('|'),
  'escape-sequence': [
    // Strings (OSC, DCS, SOS, PM, APC) up to their terminator on the same line.
    String.raw`(?:\x1B[\]PX^_]|[\x90\x98\x9D-\x9F])[^\x07\x1B\x9C\n\r\x90\x98\x9D-\x9F]*(?:\x07|\x1B\\|\x9C)`,
    // Control sequences, complete or not; then any other escape, or a bare one.
    String.raw`(?:\x1B\[|\x9B)[0-?]*[ -\/]*[@-~]?`,
    String.raw`\x1B[ -\/]*[0-~]?`,
  ].join('|'),
  return: String.raw`(?:\r\n)+`,
  // What ends a line somewhere, and is no newline.
  'line-end': String.raw`(?:\r(?!\n)|[\u2028\u2029])+`,
  // What begins a sequence ends a run of others.
  control: String.raw`[\x00-\x08\x0B-\x1F\x7F-\x9F][\x00-\x08\x0B\x0C\x0E-\x1A\x1C-\x1F\x7F-\x8F\x91-\x97\x99\x9A\x9C]*`,
  bidi: String.raw`[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+`,
  'tag-character': String.raw`[\u{E0000}-\u{E007F}]+`,
  // Half of a surrogate pair: no UTF-8 can be made of it, and providers of models refuse a whole conversation for one.
  'half-character': String.raw`[\uD800-\uDFFF]`,
  'zero-width': [
    String.raw`[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200D\u2060-\u2065\u206A-\u206F\u3164`,
    String.raw`\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0100}-\u{E01EF}]+`,
  ].join(''),
};

const kinds = Object.keys(rules) as readonly (keyof typeof rules)[];
let built: RegExp | undefined;

/** One group a kind. Built at its first use: most starts of the program never need it. */
function found(): RegExp {
  return (built ??= new RegExp(kinds.map((kind) => `(${rules[kind]})`).join('|'), 'gu'));
}

/** A coarse and fast test over code units: whatever is removed has one of these. */
const suspicious =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are the subject
  /[\x00-\x08\x0B-\x1F\x7F-\x9F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\uD82F\uD834\uDB40]/;

/** Plain ASCII text, as nearly all is: told faster than by what it lacks. */
const plain = /^[\t\n -~]*$/;

function isClean(text: string): boolean {
  return plain.test(text) || (!suspicious.test(text) && text.isWellFormed());
}

/** Goes over what is found; `take` gives what stands in its place. */
function sweep(text: string, take: (kind: keyof typeof rules, found: string) => string): string {
  return text.replaceAll(found(), (match: string, ...groups: unknown[]) => {
    const index = groups.findIndex((group) => group !== undefined);
    return take(kinds[index] ?? 'control', match);
  });
}

/**
 * Removes ANSI and OSC sequences, control characters (tab and newline stay; CR LF, a lone CR and U+2028/2029 become newlines), zero-width,
 * bidi and tag characters; joiners inside emoji, flag sequences and the scripts that need them stay. Half of a surrogate pair becomes
 * U+FFFD. Returns the same string when there was nothing. Linear time.
 */
export function cleanText(text: string): string {
  if (isClean(text)) return text;
  return sweep(text, cleaned);
}

/** What stands in place of a find. */
function cleaned(kind: keyof typeof rules, match: string): string {
  if (kind === 'keep') return match;
  if (kind === 'return') return '\n'.repeat(match.length / 2);
  if (kind === 'half-character') return '\uFFFD';
  // A lone return would let what follows overwrite what stands before it; as a newline both can be read.
  return kind === 'line-end' ? '\n'.repeat(match.length) : '';
}

/** How long the beginning of `text` is of which {@link cleanText} makes the first `length` code units of its result. Linear time. */
export function lengthBeforeCleaning(text: string, length: number): number {
  if (isClean(text)) return length;
  let at = 0;
  let left = length;
  for (const { index, 0: match, ...groups } of text.matchAll(found())) {
    if (index - at >= left) break;
    left -= index - at;
    at = index;
    const kind = kinds.find((_, group) => groups[group + 1] !== undefined) ?? 'control';
    const made = cleaned(kind, match).length;
    if (made >= left) return at + (kind === 'return' ? 2 * left : left);
    left -= made;
    at += match.length;
  }
  return at + left;
}

/** {@link cleanText} on one line: newlines and tabs become spaces, and it is cut to `characters`. */
export function cleanLine(text: string, characters: number): string {
  return shorten(
    cleanText(text)
      .replaceAll(/[\n\t]+/g, ' ')
      .trim(),
    characters,
  );
}

/** Code points. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** What {@link cleanText} would remove. */
export function inspectText(text: string): readonly HygieneFinding[] {
  if (isClean(text)) return [];
  const counts = new Map<HygieneKind, number>();
  sweep(text, (kind, match) => {
    if (kind === 'keep' || kind === 'return') return match;
    const found = kind === 'line-end' ? 'control' : kind;
    counts.set(found, (counts.get(found) ?? 0) + (found === 'escape-sequence' ? 1 : countCharacters(match)));
    return match;
  });
  return [...counts].map(([kind, count]) => ({ kind, count }));
}
