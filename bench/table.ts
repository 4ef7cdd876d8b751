/** One table of measurements, each beside what it is compared with and the bar it should meet. */

export interface Row {
  readonly what: string;
  readonly value: string;
  /** What it is compared with, with its own figure. */
  readonly against: string;
  /** Undefined where nothing is compared. */
  readonly ratio: number | undefined;
  /** The largest ratio (or value) that meets the bar; undefined where the figure only informs. */
  readonly bar: number | undefined;
}

/** The rounds every figure is the median of. */
export const rounds = 9;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low = NaN, high = NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/**
 * Measures every subject once a round, in turn, so that a busy moment of the machine falls on all of them; medians by name.
 */
export async function interleaved<Name extends string>(
  subjects: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(subjects) as Name[];
  const figures = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) figures.get(name)?.push(await subjects[name]());
  }
  return Object.fromEntries([...figures].map(([name, values]) => [name, median(values)])) as Record<Name, number>;
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
export const microseconds = (value: number): string => `${Math.round(value * 1000)} us`;
export const mebibytes = (value: number): string => `${(value / 2 ** 20).toFixed(1)} MiB`;

export function printTable(rows: readonly Row[]): void {
  const cells = [
    ['what', 'trestle', 'against', 'ratio', 'bar', 'met'],
    ...rows.map(({ what, value, against, ratio, bar }) => [
      what,
      value,
      against,
      ratio === undefined ? '' : ratio.toFixed(2),
      bar === undefined ? '' : `<= ${bar}`,
      bar === undefined || ratio === undefined ? '' : ratio <= bar ? 'yes' : 'NO',
    ]),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of cells)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
