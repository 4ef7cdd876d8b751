/** Colour, only where somebody sees it. */

export interface Style {
  readonly colour: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** A style that writes escape sequences on terminals, never with NO_COLOR, always with FORCE_COLOR (but `0`). */
export function createStyle(terminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  const colour = wantsColour(terminal, env);
  const paint =
    (open: number, close: number) =>
    (text: string): string =>
      colour && text !== '' ? `\u001B[${open}m${text}\u001B[${close}m` : text;
  return {
    colour,
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
  };
}

function wantsColour(terminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return terminal && env['TERM'] !== 'dumb';
}
