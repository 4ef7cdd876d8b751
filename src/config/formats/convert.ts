/** One entry of another tool, as an entry of servers.json. */
import {
  asTrestleError,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  serverNameProblem,
  shorten,
  TrestleError,
} from '../../base/index.ts';
import type { Definition } from '../definition.ts';
import { readEntry } from '../entries.ts';
import { entryError, openEntry, serverSubject, unseenMembers } from '../members.ts';
import { withHandedOn } from './container-variables.ts';
import type { Draft, Remark } from './field-rule.ts';
import type { EntryFormat } from './format.ts';
import { translateVariables, type VariablePlace } from './variables.ts';

export interface Conversion {
  /** As it will be called here. */
  readonly name: string;
  /** In the shape of `mcpServers`. */
  readonly entry: JsonObject;
  readonly definition: Definition;
  readonly remarks: readonly Remark[];
}

export interface ForeignEntry {
  /** As it is called there. */
  readonly name: string;
  readonly value: JsonValue;
  /** Undefined for one that stands in no file. */
  readonly file: string | undefined;
  readonly scope: 'user' | 'project';
  readonly place: VariablePlace;
  /** Whether it is switched off elsewhere in its file. */
  readonly disabled: boolean;
}

/** Converts an entry. Throws `config_entry_invalid`, or `invalid_name` where nothing like its name can be used. */
export function convertEntry(format: EntryFormat, foreign: ForeignEntry): Conversion {
  const { file, value, place, scope } = foreign;
  // Values of other tools' files may be secrets, whatever they stand under.
  const about = serverSubject(foreign.name, file, false);
  const from = openEntry(about, value);
  const refused = format.refuses?.(from.value);
  if (refused !== undefined) throw entryError(about, 'the entry', refused);
  const draft: Draft = {
    from,
    entry: {},
    remarks: [],
    folder: place.folder,
    translate: (text) => translateVariables(text, format.variables, place),
  };
  for (const [field, rule] of Object.entries(format.fields)) rule.take(draft, field);
  const { command, url } = draft.entry;
  if (url !== undefined && command === undefined)
    without(draft, ['args', 'env', 'cwd'], 'a command, and the entry has an address');
  if (command !== undefined && url === undefined)
    without(draft, ['headers', 'auth'], 'an address, and the entry has a command');
  if (foreign.disabled) draft.entry['enabled'] = false;
  const name = usableName(foreign.name, draft.remarks, about);
  const unknown = unseenMembers(from).map((field) => ({
    field: shorten(field, limits.shownNameCharacters),
    why: 'is not known',
  }));
  return { ...readBack(draft, { name, about, file, scope }), name, remarks: [...draft.remarks, ...unknown] };
}

/** What belongs to a process means nothing beside an address, and the other way round; no tool minds it. */
function without({ entry, remarks }: Draft, fields: readonly string[], whose: string): void {
  for (const field of fields) {
    const value = entry[field];
    if (typeof value === 'object' && Object.keys(value ?? {}).length > 0) {
      remarks.push({ field, why: `belongs to ${whose}` });
    }
    if (value !== false) delete entry[field];
  }
}

/** The entry, in a lasting order, read as it will be from servers.json. */
function readBack(
  { entry }: Draft,
  facts: {
    readonly name: string;
    readonly about: ReturnType<typeof serverSubject>;
    readonly file: string | undefined;
    readonly scope: 'user' | 'project';
  },
): Pick<Conversion, 'entry' | 'definition'> {
  const ordered = inOrder(withHandedOn(entry));
  const { name, file, scope, about } = facts;
  try {
    return { entry: ordered, definition: readEntry({ name, source: { file, shape: 'mcpServers', scope } }, ordered) };
  } catch (thrown) {
    const error = asTrestleError(thrown);
    const { details } = error;
    throw error.code === 'config_entry_invalid' && isObject(details) && name !== about.server
      ? error.with({ message: error.message.replace(JSON.stringify(name), JSON.stringify(about.server)) })
      : error;
  }
}

const order = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'transport',
  'headers',
  'auth',
  'timeout',
  'enabled',
  'description',
];

/** Members as people write them; an address has no arguments and variables of its own. */
function inOrder(entry: Readonly<Record<string, JsonValue>>): JsonObject {
  const isEmpty = (value: JsonValue): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;
  const members = Object.entries(entry).filter(([name, value]) => name === 'args' || !isEmpty(value));
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const sorted = members.toSorted(([one], [other]) => rank(one) - rank(other));
  const hasArgs = sorted.some(([name, value]) => name === 'args' && !isEmpty(value));
  return Object.fromEntries(sorted.filter(([name]) => name !== 'args' || hasArgs));
}

/** The name itself, or the nearest that can be used; a remark says so. */
function usableName(written: string, remarks: Remark[], about: ReturnType<typeof serverSubject>): string {
  if (serverNameProblem(written) === undefined) return written;
  const name = written
    .normalize('NFKD')
    .replaceAll(/\p{Mark}+/gu, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, limits.serverNameCharacters)
    .replaceAll(/[-.]+$/g, '');
  const problem = serverNameProblem(name);
  if (problem !== undefined) {
    throw new TrestleError({
      code: 'config_entry_invalid',
      message: `${about.subject}: its name cannot be used here, and nothing is left of it when it is cleaned: it ${problem}.`,
      hint: 'Give it another name there first.',
      details: { field: 'its name', file: about.file },
    });
  }
  remarks.push({ field: 'its name', why: `is ${JSON.stringify(shorten(written, limits.shownNameCharacters))} there` });
  return name;
}
