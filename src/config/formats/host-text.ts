/** Edits of other tools' texts that touch nothing but one entry. What comes out is read again before anybody writes it. */
import { isObject, jsonEquals, type JsonObject, TrestleError } from '../../base/index.ts';
import { insertMember, removeMember } from '../splice.ts';
import type { Format } from './format.ts';
import { valueAt } from './format.ts';
import { parseDocument, UnreadableDocument } from './read-document.ts';

export interface EntryPlace {
  readonly file: string;
  readonly language: Format['language'];
  readonly at: readonly string[];
  readonly name: string;
}

/** The text with the entry added; the text itself where it is there already. Throws `exists`, `config_unreadable`. */
export async function withEntry(text: string, place: EntryPlace, entry: JsonObject): Promise<string> {
  const before = await parse(text, place);
  const there = valueAt(before, [...place.at, place.name]);
  if (there !== undefined && jsonEquals(there, entry)) return text;
  if (there !== undefined) {
    throw new TrestleError({
      code: 'exists',
      message: `${place.file} has another entry "${place.name}" already.`,
      hint: 'Take it out first: trestle install --host … --remove',
      details: { file: place.file },
    });
  }
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const edited = mark + (await inserters[place.language](text.slice(mark.length), place, entry));
  await proveEdit(edited, place, withMember(before, [...place.at, place.name], entry));
  return edited;
}

/** The text without the entry; undefined where it cannot be cut out without touching anything else. */
export async function withoutEntry(
  text: string,
  place: EntryPlace,
  inserted: string | undefined,
): Promise<string | undefined> {
  const before = await parse(text, place);
  if (valueAt(before, [...place.at, place.name]) === undefined) return text;
  const edited = place.language === 'jsonc' ? await cutMember(text, place) : cutText(text, inserted);
  if (edited === undefined) return undefined;
  const after = await parse(edited, place);
  return valueAt(after, [...place.at, place.name]) === undefined ? edited : undefined;
}

async function parse(text: string, { file, language }: EntryPlace): Promise<JsonObject> {
  try {
    return (await parseDocument(text, language)).value;
  } catch (thrown) {
    if (!(thrown instanceof UnreadableDocument)) throw thrown;
    throw unusable(file, thrown.message);
  }
}

/** Nothing may have changed but what was meant to. */
async function proveEdit(edited: string, place: EntryPlace, meant: JsonObject): Promise<void> {
  if (jsonEquals(await parse(edited, place), meant)) return;
  throw unusable(place.file, 'the entry cannot be added without changing something else');
}

function unusable(file: string, why: string): TrestleError {
  return new TrestleError({
    code: 'config_unreadable',
    message: `${file} was not changed: ${why}.`,
    hint: 'Add the entry by hand.',
    details: { file },
  });
}

function withMember(value: JsonObject, [name = '', ...rest]: readonly string[], entry: JsonObject): JsonObject {
  if (rest.length === 0) return { ...value, [name]: entry };
  const inner = value[name];
  return { ...value, [name]: withMember(isObject(inner) ? inner : {}, rest, entry) };
}

type Insert = (text: string, place: EntryPlace, entry: JsonObject) => Promise<string>;

const inserters: Readonly<Record<Format['language'], Insert>> = {
  jsonc: insertJson,
  toml: insertToml,
  yaml: insertYaml,
};

async function insertJson(text: string, { at, name, file }: EntryPlace, entry: JsonObject): Promise<string> {
  const { parseTree } = await import('jsonc-parser');
  if (text.trim() === '') return `${JSON.stringify(withMember({}, [...at, name], entry), null, 2)}\n`;
  let object = parseTree(text, [], { allowTrailingComma: true });
  for (const [index, part] of at.entries()) {
    const member = object?.children?.findLast(({ children }) => children?.[0]?.value === part)?.children?.[1];
    if (member !== undefined && member.type !== 'object') throw unusable(file, `"${part}" holds no entries by name`);
    if (object !== undefined && member === undefined) {
      return insertMember({ text, object }, part, withMember({}, [...at.slice(index + 1), name], entry));
    }
    object = member;
  }
  return object === undefined ? text : insertMember({ text, object }, name, entry);
}

async function cutMember(text: string, { at, name }: EntryPlace): Promise<string | undefined> {
  const { parseTree } = await import('jsonc-parser');
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const plain = text.slice(mark.length);
  let object = parseTree(plain, [], { allowTrailingComma: true });
  for (const part of at) {
    object = object?.children?.findLast(({ children }) => children?.[0]?.value === part)?.children?.[1];
  }
  const member = object?.children?.findLast(({ children }) => children?.[0]?.value === name);
  return object === undefined || member === undefined
    ? undefined
    : mark + removeMember({ text: plain, object }, member);
}

/** Exactly what was inserted, where it still stands once. */
function cutText(text: string, inserted: string | undefined): string | undefined {
  if (inserted === undefined || inserted === '' || text.split(inserted).length !== 2) return undefined;
  return text.replace(inserted, () => '');
}

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** A table of its own at the end, which no other table can change. */
async function insertToml(text: string, { at, name }: EntryPlace, entry: JsonObject): Promise<string> {
  const { stringify } = await import('smol-toml');
  const table = stringify(withMember({}, [...at, name], entry)).trimEnd();
  const eol = lineEndOf(text);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return `${text}${gap}${table.split('\n').join(eol)}${eol}`;
}

/** Behind the last of the entries, indented as they are; at the end of the text where there are none. */
async function insertYaml(text: string, { at, name, file }: EntryPlace, entry: JsonObject): Promise<string> {
  const { parseDocument: parseYaml, isMap, isScalar, stringify } = await import('yaml');
  const eol = lineEndOf(text);
  const [key = ''] = at;
  const entries = parseYaml(text).get(key, true);
  const written = (indent: string): string =>
    stringify({ [name]: entry }, { lineWidth: 0 })
      .trimEnd()
      .split('\n')
      .map((line) => `${indent}${line}${eol}`)
      .join('');
  if (entries === undefined || entries === null) {
    const gap = text === '' || text.endsWith('\n') ? '' : eol;
    return `${text}${gap}${key}:${eol}${written('  ')}`;
  }
  const last = isMap(entries) && entries.flow !== true ? entries.items.at(-1) : undefined;
  if (!isMap(entries) || last === undefined || !isScalar(last.key)) {
    throw unusable(file, `"${key}" is not written as a block of entries`);
  }
  const column = (offset: number): string => text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const indent = column(last.key.range?.[0] ?? 0);
  const value = last.value;
  const from =
    typeof value === 'object' && value !== null && 'range' in value && Array.isArray(value.range)
      ? Number(value.range[1])
      : text.length;
  const end = text.slice(0, from).endsWith('\n') ? from : lineEndAfter(text, from);
  const before = text.slice(0, end);
  return `${before}${before.endsWith('\n') ? '' : eol}${written(indent)}${text.slice(end)}`;
}

function lineEndAfter(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}
