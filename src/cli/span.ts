import { usage } from './flags.ts';

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** Milliseconds of `30d`, `12h`, `45m`, `2w`, for a flag. Throws `usage`. */
export function readSpan(flag: string, text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (units[unit ?? ''] ?? Number.NaN);
  if (ms > 0) return ms;
  throw usage(`--${flag} needs a span such as 45m, 12h, 30d or 2w, not "${text}".`);
}
