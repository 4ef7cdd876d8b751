/** What a rule for a member of another tool's entry is, and what rules are made with. */
import type { JsonObject, JsonValue } from '../../base/index.ts';
import { entryError, type EntryReader, openEntry } from '../members.ts';
import { UntranslatableValue } from './variables.ts';

/** Something that was not taken over as it stands there, for a person. */
export interface Remark {
  readonly field: string;
  /** A clause: "has no equal". */
  readonly why: string;
}

/** An entry of `mcpServers` that is being made. */
export interface Draft {
  /** The entry that is read. */
  readonly from: EntryReader;
  /** Members of the new entry. */
  readonly entry: Record<string, JsonValue>;
  readonly remarks: Remark[];
  /** The folder of the project that the entry belongs to; undefined: the user. */
  readonly folder: string | undefined;
  /** A value in Trestle's words. Throws UntranslatableValue. */
  translate(text: string): string;
}

export interface FieldRule {
  /** For a person: what it becomes, in Markdown. */
  readonly becomes: string;
  /** Reads the member and writes into the draft. Throws `config_entry_invalid`. */
  readonly take: (draft: Draft, field: string) => void;
}

export type FieldTable = Readonly<Record<string, FieldRule>>;

/** `text` in Trestle's words. Throws `config_entry_invalid` naming the member where it has none. */
export function translated(draft: Draft, text: string, member: string): string {
  try {
    return draft.translate(text);
  } catch (thrown) {
    if (!(thrown instanceof UntranslatableValue)) throw thrown;
    throw entryError(draft.from, member, thrown.message);
  }
}

/** The members of a member, as the subject of errors. */
export function openWithin(entry: EntryReader, field: string, value: JsonValue): EntryReader {
  return openEntry({ ...entry, subject: `${entry.subject}: ${field}` }, value);
}

/** Members of a member that nobody reads. */
export function withoutEqual(field: string, value: JsonObject, known: readonly string[]): readonly Remark[] {
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ field: `${field}.${name}`, why: 'has no equal here' }));
}
