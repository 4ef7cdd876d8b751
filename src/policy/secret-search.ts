/** The forms of all known secrets, prepared so that nearly every position of a text is passed over at the price of one look. */
import type { SecretForm } from './secret-forms.ts';

/** The same for every secret: its length says nothing. */
export const replacement = '[redacted]';

/** Every form is at least this long, so that its beginning can be looked up. */
export const prefixCharacters = 4;

export interface Search {
  /** Which hashes of a form's first characters occur: nearly every position of a text ends here. */
  readonly filter: Uint8Array;
  readonly byPrefix: ReadonlyMap<string, readonly SecretForm[]>;
}

const hash = (text: string, at: number): number =>
  (text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 4) ^
    (text.charCodeAt(at + 2) << 8) ^
    (text.charCodeAt(at + 3) << 11)) &
  0xff_ff;

export function prepareSearch(forms: readonly SecretForm[]): Search {
  const filter = new Uint8Array(0x1_00_00);
  const byPrefix = new Map<string, SecretForm[]>();
  for (const form of forms.toSorted((a, b) => b.text.length - a.text.length)) {
    filter[hash(form.text, 0)] = 1;
    const prefix = form.text.slice(0, prefixCharacters);
    const others = byPrefix.get(prefix);
    if (others === undefined) byPrefix.set(prefix, [form]);
    else others.push(form);
  }
  return { filter, byPrefix };
}

const none: readonly SecretForm[] = [];

/** The forms that may begin at a place of `text`, longest first. */
export function formsAt(text: string, at: number, search: Search): readonly SecretForm[] {
  if (search.filter[hash(text, at)] === 0) return none;
  return search.byPrefix.get(text.slice(at, at + prefixCharacters)) ?? none;
}

/** A part of a text that is to be replaced. */
export interface Find {
  readonly from: number;
  to: number;
}

/** `text` with the replacement instead of each find; they are in order and do not overlap. */
export function replaceFinds(text: string, finds: readonly Find[]): string {
  let result = '';
  let copied = 0;
  for (const { from, to } of finds) {
    result += text.slice(copied, from) + replacement;
    copied = to;
  }
  return copied === 0 ? text : result + text.slice(copied);
}
