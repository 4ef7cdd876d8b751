/** Reading the members of one entry by hand, with errors that name entry and field. No schema library: this is on the start-up path. */
import {
  isNumber,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  nearest,
  shorten,
  TrestleError,
} from '../base/index.ts';

/** Whose members are read: for errors. */
export interface EntrySubject {
  /** Begins a sentence: `Server "web" in /home/me/.trestle/servers.json`. */
  readonly subject: string;
  readonly server: string | undefined;
  readonly file: string | undefined;
  /** Whether errors may quote the values that stand there. */
  readonly quotes: boolean;
}

/** An entry being read; remembers which members were looked at. */
export interface EntryReader extends EntrySubject {
  readonly value: JsonObject;
  readonly seen: Set<string>;
}

/** The subject of errors about a server's entry; `quotes` is false for a file of which nobody knows whose it is. */
export function serverSubject(name: string, file: string | undefined, quotes = true): EntrySubject {
  const shown = JSON.stringify(shorten(name, limits.shownNameCharacters));
  return { subject: `Server ${shown}${file === undefined ? '' : ` in ${file}`}`, server: name, file, quotes };
}

/** Opens an entry for reading. Throws `config_entry_invalid` when it is no object. */
export function openEntry(about: EntrySubject, value: JsonValue): EntryReader {
  if (!isObject(value)) throw entryError(about, 'the entry', `must be an object, got ${inWords(about, value)}`);
  return { ...about, value, seen: new Set<string>() };
}

/** The error for a member; `problem` continues the member's name: "must be text, got 5". */
export function entryError(about: EntrySubject, field: string, problem: string): TrestleError {
  const { subject, server, file } = about;
  return new TrestleError({
    code: 'config_entry_invalid',
    message: `${subject}: ${field} ${problem}.`,
    hint: file === undefined ? undefined : `Correct it in ${file}; everything else in the file works.`,
    server,
    details: { field, ...(file === undefined ? {} : { file }) },
  });
}

function inWords({ quotes }: EntrySubject, value: JsonValue | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return quotes ? `text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value)}` : 'text';
    case 'object':
      return 'an object';
    case 'undefined':
      return 'nothing';
    default:
      return quotes ? String(value) : `a ${typeof value}`;
  }
}

/** A member as it stands; null counts as absent, as several tools write it. */
export function readAny(entry: EntryReader, field: string): JsonValue | undefined {
  // Most members of an entry are not there.
  if (!Object.hasOwn(entry.value, field)) return undefined;
  entry.seen.add(field);
  return entry.value[field] ?? undefined;
}

export function readText(entry: EntryReader, field: string): string | undefined {
  const value = readAny(entry, field);
  if (value === undefined || typeof value === 'string') return value;
  throw entryError(entry, field, `must be text, got ${inWords(entry, value)}`);
}

export function readBoolean(entry: EntryReader, field: string): boolean | undefined {
  const value = readAny(entry, field);
  if (value === undefined || typeof value === 'boolean') return value;
  throw entryError(entry, field, `must be true or false, got ${inWords(entry, value)}`);
}

export interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** What it counts: "seconds". */
  readonly unit: string;
}

export function readNumber(entry: EntryReader, field: string, range: NumberRange): number | undefined {
  const value = readAny(entry, field);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= range.least && value <= range.most) return value;
  const limits = `from ${range.least} to ${range.most}`;
  throw entryError(entry, field, `must be a number of ${range.unit} ${limits}, got ${inWords(entry, value)}`);
}

export function readChoice<T extends string>(entry: EntryReader, field: string, choices: readonly T[]): T | undefined {
  const value = readAny(entry, field);
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  const list = choices.map((candidate) => JSON.stringify(candidate)).join(', ');
  throw entryError(entry, field, `must be one of ${list}, got ${inWords(entry, value)}`);
}

export function readTexts(entry: EntryReader, field: string): readonly string[] | undefined {
  const value = readAny(entry, field);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw entryError(entry, field, `must be a list of texts, got ${inWords(entry, value)}`);
  const items: readonly JsonValue[] = value;
  return items.map((item, index) => {
    if (typeof item === 'string') return item;
    throw entryError(entry, `${field}[${index}]`, `must be text, got ${inWords(entry, item)}`);
  });
}

export function readTextMap(entry: EntryReader, field: string): Readonly<Record<string, string>> | undefined {
  const value = readAny(entry, field);
  if (value === undefined) return undefined;
  if (!isObject(value)) throw entryError(entry, field, `must be an object of texts, got ${inWords(entry, value)}`);
  const members = Object.entries(value).map(([name, member]): readonly [string, string] => {
    if (typeof member === 'string') return [name, member];
    const isPlain = isNumber(member) || typeof member === 'boolean';
    const quoted = entry.quotes && isPlain ? `; write it in quotes, "${member}"` : '';
    throw entryError(entry, `${field}.${name}`, `must be text, got ${inWords(entry, member)}${quoted}`);
  });
  return Object.fromEntries(members);
}

export function readObject(entry: EntryReader, field: string): JsonObject | undefined {
  const value = readAny(entry, field);
  if (value === undefined || isObject(value)) return value;
  throw entryError(entry, field, `must be an object, got ${inWords(entry, value)}`);
}

/** Members nobody looked at. */
export function unseenMembers(entry: EntryReader): readonly string[] {
  return Object.keys(entry.value).filter((name) => !entry.seen.has(name));
}

/** The same for a person: each with the one of `known` that was probably meant, `tiemout (timeout?)`. */
export function unknownMembers(entry: EntryReader, known: readonly string[]): readonly string[] {
  return unseenMembers(entry).map((name) => withGuess(name, known));
}

/** A name nobody knows, with the known one that it is nearest to, if any is near. */
export function withGuess(name: string, known: Iterable<string>): string {
  const [guess] = nearest(name, known, 1);
  return guess === undefined ? name : `${name} (${guess}?)`;
}
