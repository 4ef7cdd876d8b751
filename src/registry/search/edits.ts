/** How many slips of a typist lie between two words. */

/**
 * Letters added, left out, replaced, or two neighbours exchanged (Damerau and Levenshtein, each place changed once); undefined where
 * it takes more than `most`.
 */
export function editsWithin(word: string, other: string, most: number): number | undefined {
  if (Math.abs(word.length - other.length) > most) return undefined;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= word.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = word[row - 1] === other[column - 1];
      const isExchanged = row > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
      current.push(
        Math.min(
          cell(last, column) + 1,
          cell(current, column - 1) + 1,
          cell(last, column - 1) + (isSame ? 0 : 1),
          isExchanged ? cell(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    if (Math.min(...current) > most) return undefined;
    beforeLast = last;
    last = current;
  }
  const edits = cell(last, other.length);
  return edits <= most ? edits : undefined;
}

const cell = (row: readonly number[], column: number): number => row[column] ?? Infinity;
