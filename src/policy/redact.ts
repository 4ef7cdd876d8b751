/** Secrets known to this process, and their removal from text. */
import { encodedForms, type SecretForm } from './secret-forms.ts';

export interface Redactor {
  /** Remembers a secret. Values under 8 characters are masked in our own messages only. */
  add(secret: string): void;
  /** Whether any secret of 8 or more characters is known. */
  readonly armed: boolean;
  /** Replaces every known secret, raw or encoded (base64, URL, JSON string, hex), by `[redacted]`. For what servers send. */
  redact(text: string): string;
  /** As {@link Redactor.redact}, short secrets included. For what we say ourselves. */
  redactOwn(text: string): string;
}

/** Shorter ones would blank out ordinary words of a server's output. */
const longSecretCharacters = 8;
/** The same for every secret: its length says nothing. */
const replacement = '[redacted]';

/** An empty redactor; memory grows with the secrets added, each once. */
export function createRedactor(): Redactor {
  const known = new Set<string>();
  const long = new Set<string>();
  let search: Search | undefined;
  let short: RegExp | undefined;
  const redact = (text: string): string => {
    if (long.size === 0) return text;
    search ??= prepareSearch([...long].flatMap(encodedForms));
    return replaceAll(text, search);
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

/** Every form is at least this long, so that its beginning can be looked up. */
const prefixCharacters = 4;

interface Search {
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

function prepareSearch(forms: readonly SecretForm[]): Search {
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
    if (search.filter[hash(text, at)] === 0) continue;
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
  const forms = search.byPrefix.get(text.slice(at, at + prefixCharacters)) ?? [];
  const form = forms.find((candidate) => text.startsWith(candidate.text, at));
  if (form === undefined) return undefined;
  let end = at + form.text.length;
  if (form.partialEnd && /[A-Za-z0-9+/_-]/.test(text.charAt(end))) end += 1;
  if (form.base64) while (text.charAt(end) === '=' && end < at + form.text.length + 3) end += 1;
  return end;
}
