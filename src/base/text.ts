/** Small operations on text that must not break code points. */

/** The longest prefix of `text` of at most `characters` code units that splits no surrogate pair, with `…` when cut. */
export function shorten(text: string, characters: number): string {
  throw new Error(`not built: ${text} ${characters}`);
}

/** `1 tool`, `2 tools`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** `512 B`, `48.0 KiB`, `4.8 MiB`. */
export function formatBytes(bytes: number): string {
  throw new Error(`not built: ${bytes}`);
}

/** `text` as one argument of a POSIX shell, quoted only where needed. */
export function shellQuote(text: string): string {
  throw new Error(`not built: ${text}`);
}
