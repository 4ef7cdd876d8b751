/** Aligned columns. */
import { shorten } from '../../base/index.ts';

/** Space between columns. */
const gap = '  ';

/**
 * Rows with aligned columns; the last column takes what is left of `columns` and is cut to it, the others are never cut.
 * Cells must be clean and on one line. `paint` gets padded cells.
 */
export function renderTable(
  rows: readonly (readonly string[])[],
  columns: number,
  paint: (cell: string, column: number) => string = (cell) => cell,
): readonly string[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: Math.max(0, count - 1) }, (_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? '')), 0),
  );
  const before = widths.reduce((sum, width) => sum + width + gap.length, 0);
  const room = Math.max(20, columns - before);
  return rows.map((row) =>
    row
      .map((cell, column) => {
        if (column === count - 1) return paint(shorten(cell, room), column);
        return paint(cell, column) + ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)));
      })
      .join(gap)
      .trimEnd(),
  );
}

// Good enough for alignment: East Asian wide characters and emoji take two columns, combining marks none.
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const plain = /^[\x20-\x7E]*$/;

function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}
