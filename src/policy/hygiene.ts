/** Cleaning of text that comes from servers, where it is shown to a person or a model. */

export type HygieneKind = 'escape-sequence' | 'control' | 'zero-width' | 'bidi' | 'tag-character';

export interface HygieneFinding {
  readonly kind: HygieneKind;
  readonly count: number;
}

/**
 * Removes ANSI and OSC sequences, control characters (tab and newline stay; CR LF becomes newline), zero-width, bidi and
 * tag characters; joiners inside emoji and flag sequences stay. Returns the same string when there was nothing.
 */
export function cleanText(text: string): string {
  throw new Error(`not built: ${text}`);
}

/** {@link cleanText} on one line: newlines and tabs become spaces, and it is cut to `characters`. */
export function cleanLine(text: string, characters: number): string {
  throw new Error(`not built: ${text} ${characters}`);
}

/** What {@link cleanText} would remove. */
export function inspectText(text: string): readonly HygieneFinding[] {
  throw new Error(`not built: ${text}`);
}
