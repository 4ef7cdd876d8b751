/** Text of a server made fit for one of our own sentences: no escape sequences, no control characters, not too long. */
import { shorten } from '../base/index.ts';

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const escapeSequences = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g;
// Control, format (zero-width, bidirectional, tags) and line-separating characters; blanks and tabs become one blank.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** `text` on one line of at most `characters`. */
export function plainText(text: string, characters: number): string {
  // Cut twice: the first keeps the work small for a piece of megabytes, with room for what cleaning takes away.
  const clean = text
    .slice(0, characters * 8)
    .replace(escapeSequences, '')
    .replace(unprintable, ' ')
    .trim();
  return shorten(clean, characters);
}

/** Several lines of text without escape sequences and control characters other than line ends and tabs. */
export function plainLines(text: string): string {
  return text
    .replace(escapeSequences, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.replaceAll('\t', '  ').replace(unprintable, ''))
    .join('\n')
    .trim();
}
