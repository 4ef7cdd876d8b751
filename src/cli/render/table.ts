/** Aligned columns. */
import { shorten } from '../../base/index.ts';

/** Space between columns. */
const gap = '  ';
/** The last column has so many columns at least, whatever stands before it. */
const leastRoom = 20;
/** A person needs some more to make sense of a sentence that is cut. */
const leastReadable = 30;

type Rows = readonly (readonly string[])[];
type Paint = (cell: string, column: number) => string;

/**
 * Rows with aligned columns; the last column takes what is left of `columns` and is cut to it, the others are never cut.
 * Cells must be clean and on one line. `paint` gets padded cells.
 */
export function renderTable(rows: Rows, columns: number, paint: Paint = (cell) => cell): readonly string[] {
  const widths = leadingWidths(rows);
  const last = widths.length;
  const room = Math.max(leastRoom, columns - spaceOf(widths));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        if (column === last) return paint(shorten(cell, room), column);
        return paint(cell, column) + ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)));
      })
      .join(gap)
      .trimEnd(),
  );
}

/**
 * As {@link renderTable}. At a terminal that is too narrow for that, the columns that do not fit stand on a second line of each row;
 * elsewhere a row is a line, so that programs can read it.
 */
export function renderRows(
  rows: Rows,
  { columns, terminal }: { readonly columns: number; readonly terminal: boolean },
  paint: Paint = (cell) => cell,
): readonly string[] {
  const widths = leadingWidths(rows);
  if (!terminal || spaceOf(widths) + leastReadable <= columns) return renderTable(rows, columns, paint);
  const tooMany = widths.findIndex((_, column) => spaceOf(widths.slice(0, column + 1)) - gap.length > columns);
  const first = tooMany === -1 ? widths.length : Math.max(1, tooMany);
  const firstLines = renderTable(
    rows.map((row) => row.slice(0, first)),
    Infinity,
    paint,
  );
  return rows.flatMap((row, index) => {
    const rest = row.slice(first).filter((cell) => cell !== '');
    const second = shorten(`    ${rest.join(gap)}`, columns);
    return [firstLines[index] ?? '', ...(rest.length === 0 ? [] : [second])];
  });
}

/** Widths of all columns but the last one. */
function leadingWidths(rows: Rows): readonly number[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: Math.max(0, count - 1) }, (_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? '')), 0),
  );
}

function spaceOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + gap.length, 0);
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
