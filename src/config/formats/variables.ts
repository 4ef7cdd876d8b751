/** How the tools write variables, and the same in Trestle's words (`${NAME}`). What has no equal is an error: nothing is guessed. */
import { parseReferences, type Reference } from '../references.ts';

/** Where a value stands: what the variables of editors are about. */
export interface VariablePlace {
  readonly platform: string;
  /** The folder of the project that the file belongs to; undefined for a file of the user. */
  readonly folder: string | undefined;
  /** The name of the secret that keeps what a person answers to the input `id`; undefined when the document lists no such input. */
  readonly inputSecret?: (id: string) => string | undefined;
  /** Variables that the entry itself sets, and that a program finds in its own environment; undefined where nobody looked. */
  readonly ownVariables?: ReadonlySet<string>;
}

/** What one variable stands for. */
export type Meaning =
  | { readonly kind: 'variable'; readonly name: string; readonly fallback?: string | undefined }
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown'; readonly why: string };

export interface VariableSyntax {
  /** For a person. */
  readonly says: string;
  /** Every variable in a text; undefined: the tool replaces nothing. */
  readonly pattern?: RegExp;
  readonly meaning?: (match: RegExpExecArray, place: VariablePlace) => Meaning;
  /** Values are written as Trestle writes them. */
  readonly own?: true;
  /** The same value in Trestle's words alone, where it may be written otherwise too. */
  readonly asOwn?: (text: string) => string;
}

/** A value that cannot be said in Trestle's words; its message continues the member's name: "has ${x}, which …". */
export class UntranslatableValue extends Error {
  override readonly name = 'UntranslatableValue';
}

/** `text` in Trestle's words. Throws {@link UntranslatableValue}. */
export function translateVariables(text: string, syntax: VariableSyntax, place: VariablePlace): string {
  if (syntax.own === true) return checkedOwn(syntax.asOwn?.(text) ?? text);
  const parts = partsOf(text, syntax, place);
  const written = parts.map(writtenPart).join('');
  if (!saysTheSame(parseReferences(written), parts)) {
    throw new UntranslatableValue('is a text that Trestle would take for a reference, whatever it is written like');
  }
  return written;
}

/** Variables of Trestle's own syntax; other kinds have no meaning. */
function checkedOwn(text: string): string {
  const other = parseReferences(text).find((part) => part.kind === 'other');
  if (other === undefined) return text;
  throw new UntranslatableValue(`has ${other.text}, a variable that Trestle does not have`);
}

type Part = Exclude<Meaning, { readonly kind: 'unknown' }>;

function partsOf(text: string, syntax: VariableSyntax, place: VariablePlace): readonly Part[] {
  const parts: Part[] = [];
  const { pattern, meaning } = syntax;
  if (pattern === undefined || meaning === undefined) return [{ kind: 'text', text }];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push({ kind: 'text', text: text.slice(at, match.index) });
    at = match.index + match[0].length;
    const meant = meaning(match, place);
    if (meant.kind === 'unknown') throw new UntranslatableValue(`has ${match[0]}, ${meant.why}`);
    parts.push(meant);
  }
  parts.push({ kind: 'text', text: text.slice(at) });
  return parts.filter((part) => part.kind !== 'text' || part.text !== '');
}

function writtenPart(part: Part): string {
  if (part.kind === 'text') return part.text.replaceAll('${', () => '$${');
  if (part.kind === 'secret') return `\${keychain:${part.name}}`;
  return part.fallback === undefined
    ? `\${${part.name}}`
    : `\${${part.name}:-${part.fallback.replaceAll('${', () => '$${')}}`;
}

/** Whether Trestle will read what was meant: there are texts that only look like references, and cannot be written otherwise. */
function saysTheSame(read: readonly Reference[], meant: readonly Part[]): boolean {
  const texts = withNeighboursJoined(meant);
  if (texts.length !== read.length) return false;
  return texts.every((part, index) => {
    const reference = read[index];
    if (part.kind === 'text') return reference?.kind === 'literal' && reference.text === part.text;
    if (reference?.kind !== part.kind || reference.name !== part.name) return false;
    return textOf(reference.fallback) === (part.kind === 'variable' ? part.fallback : undefined);
  });
}

function withNeighboursJoined(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'text' && last?.kind === 'text')
      joined.splice(-1, 1, { kind: 'text', text: last.text + part.text });
    else joined.push(part);
  }
  return joined;
}

/** A default that is nothing but text; undefined where there is none. */
function textOf(fallback: readonly Reference[] | undefined): string | undefined {
  return fallback?.map((part) => (part.kind === 'literal' ? part.text : '\0')).join('');
}

/** Names that Trestle takes for variables. */
const variableName = /^[A-Za-z_]\w*$/;

function variable(name: string, fallback?: string): Meaning {
  if (!variableName.test(name)) return { kind: 'unknown', why: 'which names no environment variable' };
  return { kind: 'variable', name, fallback };
}

const noEqual: Meaning = { kind: 'unknown', why: 'a variable that Trestle does not have' };

/** The tool replaces nothing: what looks like a variable is text. */
export const noVariables: VariableSyntax = { says: 'none; values are taken as they stand' };

export const ownVariables: VariableSyntax = { says: '`${NAME}`, `${NAME:-default}`, `$env:NAME`', own: true };

/** `${NAME}` and `${NAME:-default}`. */
export const shellVariables: VariableSyntax = {
  says: '`${NAME}`, `${NAME:-default}`',
  pattern: /\$\{([^}]*)\}/g,
  meaning: ([, inner = '']) => withDefault(inner),
};

/** `$NAME`, `${NAME}` and `${NAME:-default}`; on Windows `%NAME%` is left to the program. */
export const looseShellVariables: VariableSyntax = {
  says: '`$NAME`, `${NAME}`, `${NAME:-default}`',
  pattern: /\$(?:([A-Za-z_]\w*)|\{([^}]*)\})/g,
  meaning: ([, bare, inner = '']) => (bare === undefined ? withDefault(inner) : variable(bare)),
};

function withDefault(inner: string): Meaning {
  const split = inner.indexOf(':-');
  return split < 0 ? variable(inner) : variable(inner.slice(0, split), inner.slice(split + 2));
}

/** `${env:NAME}` alone; a file's contents have no equal. */
export const environmentVariables: VariableSyntax = {
  says: '`${env:NAME}`; not `${file:…}`',
  pattern: /\$\{(env|file):([^}]*)\}/g,
  meaning: ([, kind, name = '']) => (kind === 'env' ? variable(name) : noEqual),
};

/** Those of OpenCode. */
export const braceVariables: VariableSyntax = {
  says: '`{env:NAME}`; not `{file:…}`',
  pattern: /\{(env|file):([^}]*)\}/g,
  meaning: ([, kind, name = '']) => (kind === 'env' ? variable(name) : noEqual),
};

/** Those of editors: `${env:NAME}`, folders, and what a person is asked for. */
export const editorVariables: VariableSyntax = {
  says: '`${env:NAME}`, `${input:id}`, `${workspaceFolder}` in a project, `${userHome}`, `${pathSeparator}`; no others',
  pattern: /\$\{([^}]*)\}/g,
  meaning: ([, inner = ''], place) => editorVariable(inner, place),
};

function editorVariable(inner: string, { platform, folder, inputSecret }: VariablePlace): Meaning {
  if (inner.startsWith('env:')) return variable(inner.slice('env:'.length));
  if (inner.startsWith('input:')) {
    const name = inputSecret?.(inner.slice('input:'.length));
    return name === undefined
      ? { kind: 'unknown', why: 'an input that the file does not describe, or that no person answers' }
      : { kind: 'secret', name };
  }
  switch (inner) {
    case 'workspaceFolder':
      return folder === undefined
        ? { kind: 'unknown', why: 'which is another folder in every window' }
        : { kind: 'text', text: folder };
    case 'workspaceFolderBasename':
      return folder === undefined
        ? { kind: 'unknown', why: 'which is another folder in every window' }
        : { kind: 'text', text: folder.split(/[/\\]/).at(-1) ?? '' };
    case 'userHome':
      return variable(platform === 'win32' ? 'USERPROFILE' : 'HOME');
    case 'pathSeparator':
    case '/':
      return { kind: 'text', text: platform === 'win32' ? '\\' : '/' };
    default:
      return noEqual;
  }
}
