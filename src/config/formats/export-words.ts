/** Values in the words of another tool. */
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { parseReferences, type Reference } from '../references.ts';

/** One entry on its way out. */
export interface Writer {
  readonly entry: JsonObject;
  /** What the other tool has to ask a person for, by id. */
  readonly inputs: Map<string, JsonObject>;
  readonly remark: (field: string, why: string) => void;
  /** Members that were looked at. */
  readonly taken: Set<string>;
}

/** How a tool writes what is not text: a variable, and a secret. Undefined: it cannot. */
export interface Words {
  readonly variable: (writer: Writer, field: string, reference: Reference & { readonly kind: 'variable' }) => string;
  readonly secret: (writer: Writer, field: string, name: string) => string;
  /** What the tool would take for a variable, although it is text. */
  readonly mistaken: RegExp;
}

export const shellWords: Words = {
  variable: (_writer, _field, { name, fallback }) =>
    fallback === undefined ? `\${${name}}` : `\${${name}:-${plainText(fallback)}}`,
  secret: (writer, field, name) => `\${${variableFor(writer, field, name)}}`,
  mistaken: /\$\{/,
};

export const editorWords: Words = {
  variable: (writer, field, { name, fallback }) => {
    if (fallback !== undefined) writer.remark(field, `has a default for ${name}, which has no equal there`);
    return `\${env:${name}}`;
  },
  secret: (writer, _field, name) => {
    writer.inputs.set(name, { type: 'promptString', id: name, description: name, password: true });
    return `\${input:${name}}`;
  },
  mistaken: /\$\{/,
};

export const braceWords: Words = {
  variable: (writer, field, { name, fallback }) => {
    if (fallback !== undefined) writer.remark(field, `has a default for ${name}, which has no equal there`);
    return `{env:${name}}`;
  },
  secret: (writer, field, name) => `{env:${variableFor(writer, field, name)}}`,
  mistaken: /\{(?:env|file):/,
};

/** A secret of Trestle's is a variable elsewhere, which a person has to set. */
export function variableFor(writer: Writer, field: string, secret: string): string {
  const variable = secret
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
  writer.remark(field, `refers to the secret ${secret}: give it to the tool as the variable ${variable}`);
  return variable;
}

function plainText(parts: readonly Reference[]): string {
  return parts.map((part) => (part.kind === 'variable' ? `\${${part.name}}` : part.text)).join('');
}

/** `text` in the other tool's words. */
export function say(
  writer: Writer,
  words: Words,
  { text, field }: { readonly text: string; readonly field: string },
): string {
  return parseReferences(text)
    .map((part) => {
      if (part.kind === 'variable') return words.variable(writer, field, part);
      if (part.kind === 'secret') return words.secret(writer, field, part.name);
      if (words.mistaken.test(part.text)) writer.remark(field, 'has a text that would be taken for a variable there');
      return part.text;
    })
    .join('');
}

export function take(writer: Writer, field: string): JsonValue | undefined {
  writer.taken.add(field);
  return writer.entry[field];
}

export function takeText(writer: Writer, words: Words, field: string): string | undefined {
  const value = take(writer, field);
  return typeof value === 'string' ? say(writer, words, { text: value, field }) : undefined;
}

export function takeList(writer: Writer, words: Words, field: string): readonly string[] {
  return textsOf(take(writer, field)).map((text, index) => say(writer, words, { text, field: `${field}[${index}]` }));
}

export function takeMap(writer: Writer, words: Words, field: string): JsonObject | undefined {
  const members = pairsOf(take(writer, field)).map(([name, text]) => {
    return [name, say(writer, words, { text, field: `${field}.${name}` })] as const;
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** A person's sign-in by the names that its members have there, as `said`; undefined where the entry has another one, or none. */
export function takeSignIn(
  writer: Writer,
  names: Readonly<Record<string, string>>,
  said: (text: string, field: string) => string,
): JsonObject | undefined {
  const { auth } = writer.entry;
  if (!isObject(auth) || auth['type'] !== 'oauth') return undefined;
  writer.taken.add('auth');
  const members = Object.entries(auth).flatMap(([member, value]): readonly (readonly [string, JsonValue])[] => {
    if (member === 'type') return [];
    const field = `auth.${member}`;
    const name = Object.hasOwn(names, member) ? names[member] : undefined;
    if (name !== undefined) return [[name, typeof value === 'string' ? said(value, field) : value]];
    writer.remark(field, 'has no equal there');
    return [];
  });
  return Object.fromEntries(members);
}

/** The texts of a list. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [];
  return items.filter((item) => typeof item === 'string');
}

/** The texts of an object, with their names. */
export function pairsOf(value: JsonValue | undefined): readonly (readonly [name: string, text: string])[] {
  const members = isObject(value) ? Object.entries(value) : [];
  return members.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []));
}

export function present(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const filled = Object.entries(members).flatMap(([name, value]) => {
    const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0 && name !== 'oauth');
    return isEmpty ? [] : [[name, value] as const];
  });
  return Object.fromEntries(filled);
}
