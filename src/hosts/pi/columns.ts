/** How many columns of a terminal a text takes. Where terminals differ, the larger number. */

const plain = /^[\x20-\x7E]*$/;
/** They make an emoji of the sign before them, which may take a column more by that. */
const widening = /^[\uFE0F\u20E3]$/;
const none = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Marks of Arabic, Tibetan and Burmese that stand over the sign before them and take a column of their own in some terminals, and in Pi. */
const spacing = /^[\u065F\u0F7F\u102B\u102C\u1031\u1033-\u1035\u1038\u103A-\u103E]$/;
/** East Asian wide characters, emoji, and whatever may be drawn as one of them. */
const wide =
  /^[\u1100-\u11FF\u231A-\u23FF\u25A0-\u27BF\u2934\u2935\u2B00-\u2BFF\u2E80-\uA4CF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFE10-\uFE6F\uFF00-\uFFEF\u{10000}-\u{10FFFF}\p{Extended_Pictographic}]$/u;

export function columnsOf(text: string): number {
  if (plain.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character);
  return columns;
}

/** `text` itself where it fits, else as much of its beginning as fits before `…`. */
export function fitColumns(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let left = columns - 1;
  let fitting = '';
  for (const character of text) {
    left -= columnsOfOne(character);
    if (left < 0) break;
    fitting += character;
  }
  return columns < 1 ? '' : `${fitting}…`;
}

/** `text` in pieces that fit: folded at blanks, and within a word only where that would leave half a line empty; '' is one piece. */
export function foldColumns(text: string, columns: number): readonly string[] {
  if (columnsOf(text) <= columns) return [text];
  const pieces: string[] = [];
  let piece = '';
  let left = columns;
  for (const character of text) {
    const width = columnsOfOne(character);
    while (width > left && piece !== '') {
      const carried = character === ' ' ? '' : lastWord(piece, columns / 2);
      pieces.push(piece.slice(0, piece.length - carried.length));
      piece = carried;
      left = columns - columnsOf(carried);
    }
    // The blank at which a line is folded would begin the next one.
    const isFold = character === ' ' && piece === '' && pieces.length > 0;
    if (width > columns || isFold) continue;
    piece += character;
    left -= width;
  }
  return [...pieces, piece];
}

/** What stands behind the last blank of `piece`, if that is short and something stands before it; else ''. */
function lastWord(piece: string, columns: number): string {
  const at = piece.lastIndexOf(' ') + 1;
  const word = piece.slice(at);
  return piece.slice(0, at).trim() !== '' && columnsOf(word) <= columns ? word : '';
}

function columnsOfOne(character: string): number {
  if (widening.test(character) || spacing.test(character)) return 1;
  return none.test(character) ? 0 : wide.test(character) ? 2 : 1;
}
