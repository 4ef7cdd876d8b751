/** What a format is: one small description for each tool whose configuration can be read. */
import type { JsonObject, JsonValue } from '../../base/index.ts';
import type { FieldTable } from './field-rule.ts';
import type { VariableSyntax } from './variables.ts';

export const formatIds = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'windsurf',
  'zed',
  'codex',
  'gemini',
  'opencode',
  'goose',
  'pi',
] as const;

export type FormatId = (typeof formatIds)[number];

/** Whose configuration is looked for. */
export interface Machine {
  readonly platform: string;
  /** Absolute. */
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How one entry is written. */
export type EntryFormat = Pick<Format, 'variables' | 'fields' | 'refuses'>;

/** Entries that stand together in a document. */
export interface Block {
  /** Names from the outermost object down to the entries. */
  readonly at: readonly string[];
  readonly entries: JsonValue | undefined;
  /** The folder of the project that they are for; undefined: that of the file. */
  readonly folder?: string;
  /** Names of entries that are switched off elsewhere in the document. */
  readonly disabled?: (name: string) => boolean;
  /** Values that a person is asked for, as the document lists them. */
  readonly inputs?: JsonValue | undefined;
  /** How they are written, where that is not the format's usual way. */
  readonly written?: EntryFormat;
}

export interface Format {
  readonly id: FormatId;
  readonly title: string;
  readonly language: 'jsonc' | 'toml' | 'yaml';
  /** Absolute paths of files that belong to the user; a folder `*` is any that is there. */
  readonly userFiles: (machine: Machine) => readonly string[];
  /** Paths of files that belong to a project, relative to its folder, with forward slashes. */
  readonly projectFiles: readonly string[];
  /** Where entries stand, for a person: `mcpServers`. */
  readonly key: string;
  readonly blocks: (document: JsonObject) => readonly Block[];
  /** In what the format counts time limits; undefined: it has none. */
  readonly timeUnit: 'seconds' | 'milliseconds' | undefined;
  readonly variables: VariableSyntax;
  /** Every member of an entry that the format documents; others are reported by name. */
  readonly fields: FieldTable;
  /** Kinds of entry that are no MCP servers to be reached: the reason, or undefined for the others. */
  readonly refuses?: (entry: JsonObject) => string | undefined;
}

/** The object or value that stands at `path`; undefined when there is none. */
export function valueAt(document: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const object = value as JsonObject;
    value = Object.hasOwn(object, name) ? object[name] : undefined;
  }
  return value;
}

/** The usual case: all entries stand under one key. */
export function blockAt(...path: readonly string[]): Format['blocks'] {
  return (document) => [{ at: path, entries: valueAt(document, path) }];
}
