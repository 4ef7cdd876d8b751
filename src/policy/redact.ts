/** Secrets known to this process, and their removal from text. */
import { replaceCut } from './redact-cut.ts';
import { findWrapped } from './redact-wrapped.ts';
import { encodedForms } from './secret-forms.ts';
import {
  type Find,
  formsAt,
  prefixCharacters,
  prepareSearch,
  replaceFinds,
  replacement,
  type Search,
} from './secret-search.ts';

export interface Redactor {
  /** Remembers a secret. Values under 8 characters are masked in our own messages only. */
  add(secret: string): void;
  /** Whether any secret of 8 or more characters is known. */
  readonly armed: boolean;
  /**
   * Replaces every known secret, raw or encoded (base64, URL, JSON string, hex), also broken into lines, by `[redacted]`, and what is left of one where a text
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
    const prepared = searchOf();
    const find = (part: string): readonly Find[] => findAll(part, prepared);
    const replaced = replaceFinds(text, find(text));
    return replaceCut(replaceFinds(replaced, findWrapped(replaced, find)), prepared);
  };
  return {
    add(secret) {
      const plain = secret.trim();
      // One character protects nothing and would blank out our own sentences.
      if (plain.length < 2 || known.has(plain)) return;
      known.add(plain);
      if (plain.length >= longSecretCharacters) {
        long.add(plain);
        for (const word of wordsOf(plain)) long.add(word);
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

/** Of a secret of several lines: what is no word of a language. */
const secretWordCharacters = 20;

/** More of them are a document, not a secret. */
const wordsOfASecret = 500;

/** The words of a secret of several lines, as a private key is: servers repeat them one by one, indented, or with other line ends. */
function wordsOf(secret: string): readonly string[] {
  // In variables line ends are often written as `\n`.
  const lineEnd = /\n|\\n/;
  if (!lineEnd.test(secret)) return [];
  return secret
    .split(/\s+|(?:\\r)?\\n/)
    .filter((word) => word.length >= secretWordCharacters)
    .slice(0, wordsOfASecret);
}

/** Short secrets count only as whole words; longest first. */
function shortSecrets(values: readonly string[]): RegExp {
  const words = values
    .toSorted((a, b) => b.length - a.length)
    .map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`, 'gu');
}

/** Where secrets stand. One pass whatever their number; overlapping finds are one. */
function findAll(text: string, search: Search): readonly Find[] {
  const finds: Find[] = [];
  let last: Find | undefined;
  for (let at = 0; at + prefixCharacters <= text.length; at += 1) {
    const end = endOfFind(text, at, search);
    if (end === undefined) continue;
    if (last !== undefined && at <= last.to) {
      last.to = Math.max(last.to, end);
    } else {
      last = { from: at, to: end };
      finds.push(last);
    }
  }
  return finds;
}

function endOfFind(text: string, at: number, search: Search): number | undefined {
  const form = formsAt(text, at, search).find((candidate) => text.startsWith(candidate.text, at));
  if (form === undefined) return undefined;
  let end = at + form.text.length;
  if (form.partialEnd && /[A-Za-z0-9+/_-]/.test(text.charAt(end))) end += 1;
  if (form.base64) while (text.charAt(end) === '=' && end < at + form.text.length + 3) end += 1;
  return end;
}
