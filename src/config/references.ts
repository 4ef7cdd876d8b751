/** `${…}` references in configuration values (K5). */
import { secretNameProblem, TrestleError } from '../base/index.ts';

/** What a value refers to. */
export type Reference =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly fallback: readonly Reference[] | undefined }
  /** `text` is the reference as it is written. */
  | {
      readonly kind: 'secret';
      readonly name: string;
      readonly text: string;
      readonly fallback: readonly Reference[] | undefined;
    }
  /** Known in kind, not to be had: `${input:name}`. */
  | { readonly kind: 'other'; readonly text: string };

const variableName = /^[A-Za-z_][\w()]*$/;

/**
 * The parts of `text`: `${VAR}`, `${VAR:-default}` (the default may hold references), `${env:VAR}`, `${env.VAR}`, `${keychain:name}`; `$env:VAR` as
 * the whole value; `$${…}` stands for `${…}` itself. An opening without an end is plain text.
 */
export function parseReferences(text: string): readonly Reference[] {
  const whole = /^\$env:([A-Za-z_][\w()]*)$/.exec(text);
  if (whole?.[1] !== undefined) return [{ kind: 'variable', name: whole[1], fallback: undefined }];
  const parts: Reference[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') parts.push({ kind: 'literal', text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length;) {
    const escaped = text.startsWith('$${', at);
    const end = escaped || text.startsWith('${', at) ? closingBrace(text, at + (escaped ? 3 : 2)) : -1;
    if (end < 0) {
      plain += text.charAt(at);
      at += 1;
      continue;
    }
    if (escaped) plain += text.slice(at + 1, end + 1);
    else {
      flush();
      parts.push(parseOne(text.slice(at + 2, end)));
    }
    at = end + 1;
  }
  flush();
  return parts;
}

/** Where the brace opened before `from` closes, inner references skipped; -1 when it does not. */
function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    else if (text[at] === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function parseOne(inner: string): Reference {
  const split = inner.indexOf(':-');
  const written = split < 0 ? inner : inner.slice(0, split);
  const fallback = split < 0 ? undefined : parseReferences(inner.slice(split + 2));
  const text = `\${${inner}}`;
  if (written.startsWith('keychain:')) {
    const name = written.slice('keychain:'.length);
    return secretNameProblem(name) === undefined ? { kind: 'secret', name, text, fallback } : { kind: 'other', text };
  }
  const named = written.replace(/^env[:.]/, '');
  return variableName.test(named) ? { kind: 'variable', name: named, fallback } : { kind: 'other', text };
}

/** Names of the variables in `parts`, those of defaults included. */
export function variablesOf(parts: readonly Reference[]): readonly string[] {
  return namesOf(parts, 'variable');
}

/** Names of the secrets in `parts`, those of defaults included. */
export function secretsOf(parts: readonly Reference[]): readonly string[] {
  return namesOf(parts, 'secret');
}

function namesOf(parts: readonly Reference[], kind: 'variable' | 'secret'): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'variable' && part.kind !== 'secret') return [];
    return [...(part.kind === kind ? [part.name] : []), ...namesOf(part.fallback ?? [], kind)];
  });
}

/** What resolving reads, and whom its errors are about. */
export interface ReferenceContext {
  readonly server: string;
  /** Value of a variable; undefined when it is not set. */
  readonly lookUp: (name: string) => string | undefined;
  /** Value of a secret; undefined when it was never set. Throws where it cannot be had. */
  readonly secret: (name: string) => string | undefined;
  /** Where secrets were looked for, for a person: "the system's keychain". */
  readonly secretsPlace: string;
  /** Told every value that a variable or a secret gave. */
  readonly onValue: (kind: 'variable' | 'secret', name: string, value: string) => void;
}

/**
 * `text` with its references replaced. Throws `missing_variable`, `missing_secret`, or `unsupported_setting` for other kinds; `member`
 * names where it stands.
 */
export function resolveReferences(text: string, member: string, context: ReferenceContext): string {
  if (!text.includes('$')) return text;
  return joined(parseReferences(text), member, context);
}

function joined(parts: readonly Reference[], member: string, context: ReferenceContext): string {
  return parts.map((part) => valueOf(part, member, context)).join('');
}

function valueOf(part: Reference, member: string, context: ReferenceContext): string {
  if (part.kind === 'literal') return part.text;
  if (part.kind === 'other') throw unsupported(part.text, member, context.server);
  const value = part.kind === 'secret' ? context.secret(part.name) : context.lookUp(part.name);
  // As in a shell, a default also stands in for an empty value; without one, empty is a value.
  if (value === undefined || (value === '' && part.fallback !== undefined)) {
    if (part.fallback !== undefined) return joined(part.fallback, member, context);
    if (part.kind === 'secret') throw missingSecret(part.name, member, context);
    throw missing(part.name, member, context.server);
  }
  context.onValue(part.kind, part.name, value);
  return value;
}

function missing(name: string, member: string, server: string): TrestleError {
  return new TrestleError({
    code: 'missing_variable',
    message: `Server ${JSON.stringify(server)}: ${member} refers to the environment variable ${name}, which is not set.`,
    hint: `Set ${name}, or give a default with \${${name}:-default}.`,
    server,
    details: { variable: name, member },
  });
}

function missingSecret(name: string, member: string, { server, secretsPlace }: ReferenceContext): TrestleError {
  return new TrestleError({
    code: 'missing_secret',
    message: `Server ${JSON.stringify(server)}: ${member} refers to the secret ${name}, which is not in ${secretsPlace}.`,
    hint: `Set it: trestle secret set ${name}`,
    server,
    details: { secret: name, member },
  });
}

function unsupported(reference: string, member: string, server: string): TrestleError {
  return new TrestleError({
    code: 'unsupported_setting',
    message: `Server ${JSON.stringify(server)}: ${member} has ${reference}, which refers to no environment variable and no secret.`,
    hint: `Write $${reference} for the text itself.`,
    server,
    details: { reference, member },
  });
}
