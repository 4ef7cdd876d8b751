/** A definition's transport as the registry may hold it: as written, references kept, literal secrets replaced. */
import type { DefinedTransport } from '../config/index.ts';
import type { RecordedTransport } from '../registry/index.ts';

const placeholder = '[redacted]';
const secretName = /key|token|secret|pass|auth|cred/i;
const plainHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent']);
/** A reference in any of its spellings; a default inside may be a literal secret. */
const reference = /\$\$\{[^}]*\}|\$\{[^}]*\}|\$env:\w+/g;
/** What may stand beside a reference in a secret's place: `Bearer ${TOKEN}`. */
const scheme = /^\s*(?:bearer|basic|token|dpop|apikey)?\s*$/i;

/** `redact` replaces secrets known by value, wherever they stand. */
export function recordedTransport(transport: DefinedTransport, redact: (text: string) => string): RecordedTransport {
  const plain = (text: string): string => mapLiterals(text, redact);
  if (transport.kind === 'http') {
    const headers = mapMembers(transport.headers, (name, value) =>
      plainHeaders.has(name.toLowerCase()) ? plain(value) : withoutLiteral(value),
    );
    return { kind: 'http', url: recordedUrl(plain(transport.url)), headers };
  }
  return {
    kind: 'stdio',
    command: plain(transport.command),
    args: recordedArgs(transport.args).map(plain),
    env: mapMembers(transport.env, (name, value) => (secretName.test(name) ? withoutLiteral(value) : plain(value))),
    ...(transport.cwd === undefined ? {} : { cwd: transport.cwd }),
  };
}

/** `--token abc`, `--token=abc` and `TOKEN=abc` lose their value. */
function recordedArgs(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const named = /^(-{0,2}[\w.-]+)=(.*)$/s.exec(arg);
    if (named !== null) {
      const [, name = '', value = ''] = named;
      return secretName.test(name) ? `${name}=${withoutLiteral(value)}` : arg;
    }
    const before = args[index - 1] ?? '';
    const isValue = /^--?[\w.-]+$/.test(before) && secretName.test(before) && !arg.startsWith('-');
    return isValue ? withoutLiteral(arg) : arg;
  });
}

/** Not parsed as a URL: references must stay as they are. */
function recordedUrl(url: string): string {
  return url
    .replace(/^(\w+:\/\/)[^/?#@]*@/, `$1${placeholder}@`)
    .replace(/([?&][^=&#]+)=([^&#]*)/g, (whole, name: string, value: string) =>
      secretName.test(name) ? `${name}=${withoutLiteral(value)}` : whole,
    );
}

/** A value in a secret's place: references and an auth scheme stay, every other literal part goes. */
function withoutLiteral(value: string): string {
  if (value === '') return value;
  const kept = mapParts(value, {
    literal: (text) => (scheme.test(text) ? text : placeholder),
    reference: (text) =>
      text.startsWith('$$')
        ? placeholder
        : text.replace(/:-[^}]*\}$/, (fallback) => (fallback === ':-}' ? fallback : `:-${placeholder}}`)),
  });
  // A lone scheme word is a literal value like any other.
  return /\$\{|\$env:/.test(value) ? kept : placeholder;
}

function mapLiterals(text: string, literal: (text: string) => string): string {
  return mapParts(text, { literal, reference: (text) => text });
}

interface Parts {
  readonly literal: (text: string) => string;
  readonly reference: (text: string) => string;
}

function mapParts(text: string, parts: Parts): string {
  let mapped = '';
  let end = 0;
  for (const match of text.matchAll(reference)) {
    if (match.index > end) mapped += parts.literal(text.slice(end, match.index));
    mapped += parts.reference(match[0]);
    end = match.index + match[0].length;
  }
  return end < text.length ? mapped + parts.literal(text.slice(end)) : mapped;
}

function mapMembers(
  members: Readonly<Record<string, string>>,
  map: (name: string, value: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(name, value)]));
}
