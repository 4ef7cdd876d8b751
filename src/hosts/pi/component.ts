/** Lines of Pi's own window. */
import { columnsOf, fitColumns } from './columns.ts';
import type { PiComponent, PiTheme } from './pi.ts';

/** A part of a line, and the color it is painted in. */
export interface Part {
  readonly text: string;
  readonly color?: string;
}

/** Colors take no columns: what is cut is the text. */
export function paintedLine(parts: readonly Part[], width: number, theme: PiTheme): string {
  let left = width;
  let line = '';
  for (const { text, color } of parts) {
    const fitting = fitColumns(text, left);
    left -= columnsOf(fitting);
    line += color === undefined || fitting === '' ? fitting : theme.fg(color, fitting);
  }
  return line;
}

/** Lines of one width are made once; colors may change, so a redraw makes them anew. */
export function component(linesFor: (width: number) => readonly string[]): PiComponent {
  let made: { readonly width: number; readonly lines: string[] } | undefined;
  return {
    render(width) {
      if (made?.width !== width) made = { width, lines: [...linesFor(width)] };
      return made.lines;
    },
    invalidate() {
      made = undefined;
    },
  };
}
