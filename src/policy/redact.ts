/** Secrets known to this process, and their removal from text. */
import { replaceCut } from './redact-cut.ts';
import { encodedForms } from './secret-forms.ts';
import { formsAt, prefixCharacters, prepareSearch, replacement, type Search } from './secret-search.ts';

export interface Redactor {
  /** Remembers a secret. Values under 8 characters are masked in our own messages only. */
  add(secret: string): void;
  /** Whether any secret of 8 or more characters is known. */
  readonly armed: boolean;
  /**
   * Replaces every known secret, raw or encoded (base64, URL, JSON string, hex), by `[redacted]`, and what is left of one where a text
   * was cut (`…`), as names and quotations are before anybody looks for secrets. For what servers send.
   */
  redact(text: string): string;
  /** As {@link Redactor.redact}, short secrets included. For what we say ourselves. */
  redactOwn(text: string): string;
}

/** Shorter ones would blank out ordinary words of a server's output. */
const longSecretCharacters = 8;

/** An empty redactor; memory grows with the secrets added, each once. */
export function createRedactor(): Redactor {
  const known = new Set<string>();
  const long = new Set<string>();
  let search: Search | undefined;
  const searchOf = (): Search => (search ??= prepareSearch([...long].flatMap(encodedForms)));
  let short: RegExp | undefined;
  const redact = (text: string): string => {
    if (long.size === 0) return text;
    return replaceCut(replaceAll(text, searchOf()), searchOf());
  };
  return {
    add(secret) {
      const plain = secret.trim();
      // One character protects nothing and would blank out our own sentences.
      if (plain.length < 2 || known.has(plain)) return;
      known.add(plain);
      if (plain.length >= longSecretCharacters) {
        long.add(plain);
        search = undefined;
      } else {
        short = shortSecrets([...known].filter((value) => value.length < longSecretCharacters));
      }
    },
    get armed() {
      return long.size > 0;
    },
    redact,
    redactOwn(text) {
      const redacted = redact(text);
      return short === undefined ? redacted : redacted.replaceAll(short, replacement);
    },
  };
}

/** Short secrets count only as whole words; longest first. */
function shortSecrets(values: readonly string[]): RegExp {
  const words = values
    .toSorted((a, b) => b.length - a.length)
    .map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`, 'gu');
}

/** One pass whatever the number of secrets; overlapping finds are replaced together. */
function replaceAll(text: string, search: Search): string {
  let result = '';
  let copied = 0;
  let foundFrom = -1;
  let foundTo = -1;
  const flush = (): void => {
    if (foundFrom < 0) return;
    result += text.slice(copied, foundFrom) + replacement;
    copied = foundTo;
  };
  for (let at = 0; at + prefixCharacters <= text.length; at += 1) {
    const end = endOfFind(text, at, search);
    if (end === undefined) continue;
    if (at > foundTo) {
      flush();
      foundFrom = at;
    }
    foundTo = Math.max(foundTo, end);
  }
  flush();
  return copied === 0 ? text : result + text.slice(copied);
}

function endOfFind(text: string, at: number, search: Search): number | undefined {
  const form = formsAt(text, at, search).find((candidate) => text.startsWith(candidate.text, at));
  if (form === undefined) return undefined;
  let end = at + form.text.length;
  if (form.partialEnd && /[A-Za-z0-9+/_-]/.test(text.charAt(end))) end += 1;
  if (form.base64) while (text.charAt(end) === '=' && end < at + form.text.length + 3) end += 1;
  return end;
}
