/** A definition's transport as the registry may hold it: as written, references kept, literal secrets replaced. */
import { type DefinedTransport, isSecretHeader, isSecretName, namedArgument } from '../../config/index.ts';
import type { RecordedTransport } from '../../registry/index.ts';

/** As the redactor writes it. */
export const placeholder = '[redacted]';
/** A reference in any of its spellings; a default inside may be a literal secret. */
const reference = /\$\$\{[^}]*\}|\$\{[^}]*\}|\$env:\w+/g;
/** What may stand beside a reference in a secret's place: `Bearer ${TOKEN}`. */
const scheme = /^\s*(?:bearer|basic|token|dpop|apikey)?\s*$/i;

/** `redact` replaces secrets known by value, wherever they stand. */
export function recordedTransport(transport: DefinedTransport, redact: (text: string) => string): RecordedTransport {
  const plain = (text: string): string => mapLiterals(text, redact);
  if (transport.kind === 'http') {
    const headers = mapMembers(transport.headers, (name, value) =>
      isSecretHeader(name) ? withoutLiteral(value) : plain(value),
    );
    return { kind: 'http', url: recordedUrl(plain(transport.url)), headers };
  }
  return {
    kind: 'stdio',
    command: plain(transport.command),
    args: recordedArgs(transport.args).map(plain),
    env: mapMembers(transport.env, (name, value) =>
      isSecretName(name) ? withoutLiteral(value) : plain(recordedUrl(value)),
    ),
    ...(transport.cwd === undefined ? {} : { cwd: transport.cwd }),
  };
}

/** `--token abc`, `--token=abc`, `TOKEN=abc` and `Authorization: abc` lose their value, and addresses what they hold of secrets. */
function recordedArgs(args: readonly string[]): readonly string[] {
  return args.map((arg, at) => {
    const { name, value, from } = namedArgument(arg, args[at - 1]);
    return name !== undefined && isSecretName(name) ? arg.slice(0, from) + withoutLiteral(value) : recordedUrl(arg);
  });
}

/** Not parsed as a URL: references must stay as they are. A text that is no address stays whole. */
function recordedUrl(url: string): string {
  if (!url.includes('://')) return url;
  return url
    .replace(/^([\w+.-]+:\/\/)([^/?#@\s]*)@/, (_, scheme: string, user: string) => `${scheme}${withoutUser(user)}@`)
    .replace(/([?&][^=&#]+)=([^&#]*)/g, (whole, name: string, value: string) =>
      isSecretName(name) ? `${name}=${withoutLiteral(value)}` : whole,
    );
}

/** `user:password`: either may be a reference. */
function withoutUser(user: string): string {
  return mapParts(user, { literal: (text) => (text === ':' ? text : placeholder), reference: (text) => text });
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
