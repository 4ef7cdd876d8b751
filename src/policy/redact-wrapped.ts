/** Secrets that stand on several lines: encoders and terminals break what is long (`base64` at 76 characters), also inside a JSON string. */
import type { Find } from './secret-search.ts';

/** Nobody breaks shorter lines. */
const wrappedCharacters = 32;

/** Bounded: a text may be backslashes alone. */
const lineBreaks = /(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)[ \t]*/g;

/** Lines that may be one word. */
interface Block {
  /** Where its last line ends. */
  to: number;
  readonly lines: Line[];
}

interface Line {
  /** Where it stands in the text. */
  readonly at: number;
  readonly text: string;
}

/** Where in `text` stands what `find` finds in lines that are joined to one word. */
export function findWrapped(text: string, find: (joined: string) => readonly Find[]): readonly Find[] {
  const found: Find[] = [];
  for (const { lines } of wrappedBlocks(text)) {
    const finds = find(lines.map((line) => line.text).join(''));
    if (finds.length === 0) continue;
    const place = placesIn(lines);
    for (const { from, to } of finds) found.push({ from: place(from), to: place(to - 1) + 1 });
  }
  return found;
}

/** Where in the text a character of the joined lines stands; asked in ascending order. */
function placesIn(lines: readonly Line[]): (joined: number) => number {
  let line = 0;
  let before = 0;
  return (joined) => {
    for (;;) {
      const { at, text } = lines[line] ?? { at: 0, text: '' };
      if (joined < before + text.length || line + 1 >= lines.length) return at + joined - before;
      before += text.length;
      line += 1;
    }
  };
}

/** Takes time by the length of the text alone: no character belongs to two lines. */
function* wrappedBlocks(text: string): Generator<Block> {
  let block: Block = { to: -1, lines: [] };
  let lineStart = 0;
  for (const { index, 0: sign } of text.matchAll(lineBreaks)) {
    if (block.to !== index) {
      if (block.lines.length > 1) yield block;
      const from = wordStart(text, index, lineStart);
      block = { to: index, lines: [{ at: from, text: text.slice(from, index) }] };
    }
    lineStart = index + sign.length;
    if ((block.lines.at(-1)?.text.length ?? 0) < wrappedCharacters) continue;
    const to = wordEnd(text, lineStart);
    if (to === lineStart) continue;
    block.lines.push({ at: lineStart, text: text.slice(lineStart, to) });
    block.to = to;
  }
  if (block.lines.length > 1) yield block;
}

function wordStart(text: string, end: number, least: number): number {
  let at = end;
  while (at > least && isOfWord(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && isOfWord(text.charCodeAt(at))) at += 1;
  return at;
}

/** Letters, digits and what else tokens and their encodings consist of. */
const signs: ReadonlySet<number> = new Set(Array.from('+/=_-.~', (sign) => sign.charCodeAt(0)));

function isOfWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    signs.has(code)
  );
}
