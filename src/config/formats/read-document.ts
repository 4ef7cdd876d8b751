/** A file of another tool, as JSON whatever language it is in. The file is only ever read. */
import {
  asTrestleError,
  canonicalPathSync,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  readBytesSync,
  readNamedTextSync,
} from '../../base/index.ts';
import { type DuplicateMember, JsoncProblem, readJsonc } from '../jsonc.ts';
import type { Format } from './format.ts';
import { pathsOf } from './folders.ts';

export interface ForeignDocument {
  readonly value: JsonObject;
  /** Names that stand twice, where the language allows it. */
  readonly duplicates: readonly DuplicateMember[];
}

/** Why a file is not read, one clause. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

export interface DocumentPlace {
  readonly file: string;
  /** The file must lie in this folder, whatever links lead to it. */
  readonly root: string;
  readonly language: Format['language'];
}

/** Reads and parses a file; undefined when there is none. Throws {@link UnreadableDocument}. */
export async function readDocument({ file, root, language }: DocumentPlace): Promise<ForeignDocument | undefined> {
  const text = readContained(file, root);
  if (text === undefined) return undefined;
  return parseDocument(text, language);
}

/** The text of a file; links may lead about in `root`, and not out of it. */
function readContained(file: string, root: string): string | undefined {
  try {
    const canonical = canonicalPathSync(file);
    const paths = pathsOf(process.platform);
    const away = paths.relative(canonicalPathSync(root), canonical);
    if (away.startsWith('..') || paths.isAbsolute(away)) {
      throw new UnreadableDocument(`a link leads out of ${root}, to ${canonical}`);
    }
    const text = readNamedTextSync(canonical, limits.importFileBytes);
    if (text !== undefined) refuseBinary(canonical, text);
    return text;
  } catch (thrown) {
    if (thrown instanceof UnreadableDocument) throw thrown;
    throw new UnreadableDocument(asTrestleError(thrown).message.replace(/\.$/, ''));
  }
}

function refuseBinary(file: string, text: string): void {
  if (text.includes('\0')) throw new UnreadableDocument('it is no text in UTF-8');
  // The sign for what is no UTF-8 may stand there itself.
  if (text.includes('\uFFFD') && readBytesSync(file)?.equals(Buffer.from(text)) === false) {
    throw new UnreadableDocument('it is no text in UTF-8');
  }
}

/** Parses a text. Throws {@link UnreadableDocument} with line and column. */
export async function parseDocument(text: string, language: Format['language']): Promise<ForeignDocument> {
  const { value, duplicates } = await parsers[language](text);
  if (value === undefined || value === null) return { value: {}, duplicates };
  if (!isObject(value)) throw new UnreadableDocument('it holds no object of settings');
  return { value, duplicates };
}

interface Parsed {
  readonly value: JsonValue | undefined;
  readonly duplicates: readonly DuplicateMember[];
}

const parsers: Readonly<Record<Format['language'], (text: string) => Parsed | Promise<Parsed>>> = {
  jsonc: parseJsonc,
  toml: parseToml,
  yaml: parseYaml,
};

function parseJsonc(text: string): Parsed {
  try {
    return readJsonc(text);
  } catch (thrown) {
    if (!(thrown instanceof JsoncProblem)) throw thrown;
    const { line, column } = thrown.position;
    // What stands there is not repeated: it may be a secret.
    throw new UnreadableDocument(`from line ${line}, column ${column} on it is no JSON`);
  }
}

async function parseToml(text: string): Promise<Parsed> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return { value: plain(parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' }), 0), duplicates: [] };
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    throw new UnreadableDocument(`at line ${thrown.line}, column ${thrown.column} it is no TOML`);
  }
}

async function parseYaml(text: string): Promise<Parsed> {
  const { parseDocument: parse, LineCounter } = await import('yaml');
  const lines = new LineCounter();
  const document = parse(text.replace(/^\uFEFF/, ''), { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new UnreadableDocument(`at line ${line}, column ${col} it is no YAML`);
  }
  try {
    // A few lines of aliases can stand for millions of values.
    return { value: plain(document.toJS({ mapAsMap: true, maxAliasCount: 100 }), 0), duplicates: [] };
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError)) throw thrown;
    throw new UnreadableDocument('its aliases stand for too many values');
  }
}

/** Values of other languages as JSON has them: dates become texts, keys that are no text become text. */
function plain(value: unknown, depth: number): JsonValue {
  if (depth > limits.importLevels) throw new UnreadableDocument('it is nested too deeply');
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map((item: unknown) => plain(item, depth + 1));
  if (value instanceof Date) return value.toJSON() ?? '';
  if (value instanceof Map) {
    return Object.fromEntries(
      [...value].map(([name, member]: [unknown, unknown]) => [String(name), plain(member, depth + 1)]),
    );
  }
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => [name, plain(member, depth + 1)]),
    );
  }
  return null;
}
