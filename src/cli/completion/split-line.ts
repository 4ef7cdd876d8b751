/** A command line as a shell would take it apart, up to the cursor. */

export interface SplitLine {
  readonly words: readonly string[];
  /** The word that the cursor stands in or after; '' after a space. */
  readonly current: string;
  /** Where that word begins in the line. */
  readonly begin: number;
  /** Whether the cursor stands inside of quotes. */
  readonly quoted: boolean;
}

/** Knows quotes and backslashes; expands nothing. */
export function splitLine(line: string): SplitLine {
  const words: string[] = [];
  let current = '';
  let begun = false;
  let begin = line.length;
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (!begun && !/\s/.test(character)) begin = at;
    if (character === '\\' && quote !== "'") {
      at += 1;
      current += line[at] ?? '';
      begun = true;
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else current += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      begun = true;
    } else if (/\s/.test(character)) {
      if (begun) words.push(current);
      current = '';
      begun = false;
      begin = line.length;
    } else {
      current += character;
      begun = true;
    }
  }
  return { words, current, begin, quoted: quote !== undefined };
}
