/** `${…}` references in configuration values (K5). */
import { TrestleError } from '../base/index.ts';

/** What a value refers to. */
export type Reference =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly fallback: readonly Reference[] | undefined }
  /** Known in kind, not to be had: `${keychain:name}`, `${input:name}`. */
  | { readonly kind: 'other'; readonly text: string };

const variableName = /^[A-Za-z_][\w()]*$/;

/**
 * The parts of `text`: `${VAR}`, `${VAR:-default}` (the default may hold references), `${env:VAR}`, `${env.VAR}`; `$env:VAR` as
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
  const named = (split < 0 ? inner : inner.slice(0, split)).replace(/^env[:.]/, '');
  if (!variableName.test(named)) return { kind: 'other', text: `\${${inner}}` };
  const fallback = split < 0 ? undefined : parseReferences(inner.slice(split + 2));
  return { kind: 'variable', name: named, fallback };
}

/** Names of the variables in `parts`, those of defaults included. */
export function variablesOf(parts: readonly Reference[]): readonly string[] {
  return parts.flatMap((part) => (part.kind === 'variable' ? [part.name, ...variablesOf(part.fallback ?? [])] : []));
}

/** What resolving reads, and whom its errors are about. */
export interface ReferenceContext {
  readonly server: string;
  /** Value of a variable; undefined when it is not set. */
  readonly lookUp: (name: string) => string | undefined;
  /** Told every value that a variable gave. */
  readonly onValue: (name: string, value: string) => void;
}

/** `text` with its references replaced. Throws `missing_variable`, or `unsupported_setting` for other kinds; `member` names where it stands. */
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
  const value = context.lookUp(part.name);
  // As in a shell, a default also stands in for an empty value; without one, empty is a value.
  if (value === undefined || (value === '' && part.fallback !== undefined)) {
    if (part.fallback !== undefined) return joined(part.fallback, member, context);
    throw missing(part.name, member, context.server);
  }
  context.onValue(part.name, value);
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

function unsupported(reference: string, member: string, server: string): TrestleError {
  const keychain = reference.startsWith('${keychain:');
  return new TrestleError({
    code: 'unsupported_setting',
    message: keychain
      ? `Server ${JSON.stringify(server)}: ${member} refers to ${reference}; keychain references are not available yet.`
      : `Server ${JSON.stringify(server)}: ${member} has ${reference}, which is no reference to an environment variable.`,
    hint: keychain ? 'Use an environment variable: ${NAME}.' : `Write $${reference} for the text itself.`,
    server,
    details: { reference, member },
  });
}
