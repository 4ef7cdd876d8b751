/** Small operations on text that must not break code points. */
import { limits } from './limits.ts';

/** `text` itself when it has at most `characters` code units, else its beginning and `…`, in all at most that long; no surrogate pair is split. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = Math.max(0, characters - 1);
  if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
  return characters < 1 ? '' : `${text.slice(0, Math.max(0, end))}…`;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff;

/** `1 tool`, `2 tools`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** `a, b and 3 more`: all of them where there are few. */
export function someOf(names: readonly string[]): string {
  const more = names.length - limits.namesInHint;
  return `${names.slice(0, limits.namesInHint).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `512 B`, `48.0 KiB`, `4.8 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes / 1024;
  let unit = 0;
  // 1023.95 and more would be shown as 1024.0.
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit] ?? ''}`;
}

/** A span of time in one rounded number: `12 s`, `5 min`, `3 h`, `2 d`. */
export function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** `text` as one argument of a POSIX shell, quoted only where needed. */
export function shellQuote(text: string): string {
  // `~` and `=` are special at the start of a word only.
  if (/^[\w@%+:,./-][\w@%+=:,./~-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
