/** What becomes of the members of another tool's entry: one rule a member, which also says so for the documentation. */
import { isAbsolute, join } from 'node:path';
import { isNumber, isObject, type JsonObject, type JsonValue, limits } from '../../base/index.ts';
import {
  entryError,
  type EntryReader,
  openEntry,
  readAny,
  readBoolean,
  readNumber,
  readObject,
  readText,
  readTextMap,
  readTexts,
} from '../members.ts';
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
function translated(draft: Draft, text: string, member: string): string {
  try {
    return draft.translate(text);
  } catch (thrown) {
    if (!(thrown instanceof UntranslatableValue)) throw thrown;
    throw entryError(draft.from, member, thrown.message);
  }
}

export function text(to: 'command' | 'url'): FieldRule {
  return {
    becomes: `\`${to}\``,
    take(draft, field) {
      const value = readText(draft.from, field);
      if (value === undefined) return;
      const text = translated(draft, value, field);
      if (draft.entry[to] !== undefined && draft.entry[to] !== text) {
        throw entryError(draft.from, field, 'contradicts another member that says the same thing');
      }
      draft.entry[to] = text;
    },
  };
}

/** The working folder. A relative one is meant from the project; in a file of the user's it is another one each time. */
export const cwd: FieldRule = {
  becomes: '`cwd`; a relative one only in a project',
  take(draft, field) {
    const value = readText(draft.from, field);
    if (value === undefined || value === '') return;
    const folder = translated(draft, value, field);
    if (isAbsolute(folder) || /^[~$]|^[A-Za-z]:/.test(folder)) draft.entry['cwd'] = folder;
    else if (draft.folder !== undefined) draft.entry['cwd'] = join(draft.folder, folder);
    else throw entryError(draft.from, field, 'is relative, to whatever folder the tool is started in');
  },
};

/** Text for people, in which nothing is replaced. */
export function words(to: 'description'): FieldRule {
  return {
    becomes: `\`${to}\``,
    take(draft, field) {
      const value = readText(draft.from, field);
      if (value !== undefined && value !== '') draft.entry[to] = value;
    },
  };
}

/** An address that is spoken to in one known way. */
export function address(transport: 'sse' | 'streamable'): FieldRule {
  return {
    becomes: `\`url\`, with \`"transport": "${transport}"\``,
    take(draft, field) {
      const value = readText(draft.from, field);
      if (value === undefined) return;
      draft.entry['url'] = translated(draft, value, field);
      draft.entry['transport'] = transport;
    },
  };
}

export function list(to: 'args'): FieldRule {
  return {
    becomes: `\`${to}\``,
    take(draft, field) {
      const items = readTexts(draft.from, field);
      if (items === undefined) return;
      draft.entry[to] = items.map((item, index) => translated(draft, item, `${field}[${index}]`));
    },
  };
}

/** A program and its arguments in one list, or as an object. */
export function commandLine(form: 'list' | 'object'): FieldRule {
  return {
    becomes: '`command` and `args`' + (form === 'object' ? '; an object `{ path, args, env }` is read too' : ''),
    take(draft, field) {
      const value = readAny(draft.from, field);
      if (form === 'object' && isObject(value)) return takeProgram(draft, field, value);
      if (form === 'object') return text('command').take(draft, field);
      const [command, ...args] = readTexts(draft.from, field) ?? [];
      if (command === undefined) throw entryError(draft.from, field, 'is missing or empty');
      draft.entry['command'] = translated(draft, command, `${field}[0]`);
      draft.entry['args'] = args.map((item, index) => translated(draft, item, `${field}[${index + 1}]`));
    },
  };
}

/** The members of a member, as the subject of errors. */
function openWithin(entry: EntryReader, field: string, value: JsonValue): EntryReader {
  return openEntry({ ...entry, subject: `${entry.subject}: ${field}` }, value);
}

function takeProgram(draft: Draft, field: string, value: JsonObject): void {
  const inner: Draft = { ...draft, from: openWithin(draft.from, field, value) };
  text('command').take(inner, 'path');
  list('args').take(inner, 'args');
  textMap('env').take(inner, 'env');
  draft.remarks.push(...withoutEqual(field, value, ['path', 'args', 'env']));
}

/** Members of a member that nobody reads. */
function withoutEqual(field: string, value: JsonObject, known: readonly string[]): readonly Remark[] {
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ field: `${field}.${name}`, why: 'has no equal here' }));
}

/** Texts by name. `loose`: numbers count as their text, and null as nothing, as the tool reads them. */
export function textMap(to: 'env' | 'headers', loose?: 'loose'): FieldRule {
  return {
    becomes: `\`${to}\``,
    take(draft, field) {
      const from = loose === undefined ? draft.from : withPlainTexts(draft.from, field);
      const members = readTextMap(from, field);
      draft.from.seen.add(field);
      if (members === undefined) return;
      const values = Object.entries(members).map(([name, value]) => [
        name,
        translated(draft, value, `${field}.${name}`),
      ]);
      merge(draft, to, Object.fromEntries(values) as Record<string, string>);
    },
  };
}

function withPlainTexts(entry: EntryReader, field: string): EntryReader {
  const value = readAny(entry, field);
  if (!isObject(value)) return entry;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const texts = members.map(([name, member]) => [
    name,
    isNumber(member) || typeof member === 'boolean' ? String(member) : member,
  ]);
  return { ...entry, value: { [field]: Object.fromEntries(texts) as JsonObject } };
}

/** Adds to a map of the new entry: several members may become one. */
function merge(draft: Draft, to: 'env' | 'headers', values: Readonly<Record<string, string>>): void {
  const present = draft.entry[to];
  draft.entry[to] = { ...(isObject(present) ? present : {}), ...values };
}

/** Names of variables of the caller's environment that the server gets. */
export function variableNames(remark?: string): FieldRule {
  return {
    becomes: '`env`, each as `${NAME}`',
    take(draft, field) {
      const value = readAny(draft.from, field);
      const plain = Array.isArray(value)
        ? {
            ...draft.from,
            value: { [field]: value.map((item: JsonValue) => (isObject(item) ? (item['name'] ?? item) : item)) },
          }
        : draft.from;
      const names = readTexts(plain, field) ?? [];
      if (names.length === 0) return;
      merge(draft, 'env', Object.fromEntries(names.map((name) => [name, `\${${name}}`])));
      if (remark !== undefined) draft.remarks.push({ field, why: remark });
    },
  };
}

/** Headers whose values stand in variables, by name. */
export const headerVariables: FieldRule = {
  becomes: '`headers`, each as `${NAME}`',
  take(draft, field) {
    const names = Object.entries(readTextMap(draft.from, field) ?? {});
    if (names.length > 0)
      merge(draft, 'headers', Object.fromEntries(names.map(([header, name]) => [header, `\${${name}}`])));
  },
};

/** The variable that holds a bearer token. */
export const tokenVariable: FieldRule = {
  becomes: '`headers.Authorization`, as `Bearer ${NAME}`',
  take(draft, field) {
    const name = readText(draft.from, field);
    if (name !== undefined && name !== '') merge(draft, 'headers', { Authorization: `Bearer \${${name}}` });
  },
};

/** A bearer token itself. */
export const token: FieldRule = {
  becomes: '`headers.Authorization`, as `Bearer …`',
  take(draft, field) {
    const value = readText(draft.from, field);
    if (value !== undefined && value !== '') {
      merge(draft, 'headers', { Authorization: `Bearer ${translated(draft, value, field)}` });
    }
  },
};

/** The longest time for a request. 0 and less stand for none in several tools, which Trestle does not have. */
export function time(unit: 'seconds' | 'milliseconds', most: number = limits.timeoutSeconds): FieldRule {
  const perSecond = unit === 'seconds' ? 1 : 1_000;
  return {
    becomes: `\`timeout\`, from ${unit}`,
    take(draft, field) {
      const value = readNumber(draft.from, field, { least: 0, most: most * perSecond, unit });
      if (value === 0) draft.remarks.push({ field, why: 'is 0: the usual time limit stays' });
      else if (value !== undefined) draft.entry['timeout'] = value / perSecond;
    },
  };
}

/** Time limits of several kinds in one object. */
export function times(unit: 'milliseconds', member: readonly string[]): FieldRule {
  return {
    becomes: `\`timeout\`, from ${unit}; of an object, \`${member.join('` or `')}\``,
    take(draft, field) {
      const value = readAny(draft.from, field);
      if (!isObject(value)) return time(unit).take(draft, field);
      const inner: Draft = { ...draft, from: openWithin(draft.from, field, value) };
      for (const name of member) time(unit).take(inner, name);
      draft.remarks.push(...withoutEqual(field, value, member));
    },
  };
}

/** Minutes without use after which a server is ended. */
export const idleMinutes: FieldRule = {
  becomes: '`idleTimeoutMinutes`',
  take(draft, field) {
    const value = readNumber(draft.from, field, { least: 0, most: limits.idleMinutesMost, unit: 'minutes' });
    if (value !== undefined) draft.entry['idleTimeoutMinutes'] = value;
  },
};

/** Whether it is used, by a member that says so when it is `on`. */
export function enabledWhen(on: boolean): FieldRule {
  return {
    becomes: '`enabled`',
    take(draft, field) {
      const value = readBoolean(draft.from, field);
      if (value === !on) draft.entry['enabled'] = false;
    },
  };
}

/** Names of tools; the list `to` of the new entry. An empty list means "all" where `emptyIsAll`. */
export function toolNames(to: 'allow' | 'deny', emptyIsAll?: 'empty-is-all'): FieldRule {
  return {
    becomes: `\`tools.${to}\`` + (emptyIsAll === undefined ? '' : ', unless it is empty'),
    take(draft, field) {
      const names = readTexts(draft.from, field);
      if (names === undefined || (names.length === 0 && (to === 'deny' || emptyIsAll !== undefined))) return;
      const present = draft.entry['tools'];
      draft.entry['tools'] = { ...(isObject(present) ? present : {}), [to]: names };
    },
  };
}

/** The kind of a server. A value maps to the transport it stands for (null: found out), or to why it cannot be reached. */
export function kind(
  values: Readonly<Record<string, 'sse' | 'streamable' | null | { readonly refused: string }>>,
): FieldRule {
  const names = Object.keys(values).map((name) => `\`${name}\``);
  return {
    becomes: `decides between \`command\` and \`url\`, and \`transport\`; one of ${names.join(', ')}`,
    take(draft, field) {
      const value = readText(draft.from, field);
      if (value === undefined) return;
      const meaning = Object.hasOwn(values, value) ? values[value] : undefined;
      if (meaning === undefined) {
        throw entryError(draft.from, field, `must be one of ${Object.keys(values).join(', ')}, and is another`);
      }
      if (meaning === null) return;
      if (typeof meaning === 'object')
        throw entryError(draft.from, field, `is ${JSON.stringify(value)}: ${meaning.refused}`);
      draft.entry['transport'] = meaning;
    },
  };
}

type AuthName = 'clientId' | 'clientSecret' | 'scope' | 'redirectPort' | 'issuer';

/** A sign-in by a person: which of its members become which of `auth`; null: none, and nothing is lost. */
export function oauth(members: Readonly<Record<string, AuthName | null>>): FieldRule {
  const taken = Object.entries(members).flatMap(([name, to]) => (to === null ? [] : [{ name, to }]));
  const names = taken.map(({ name, to }) => `\`${name}\` as \`${to}\``);
  return {
    becomes: `\`auth\`: ${names.join(', ')}`,
    take(draft, field) {
      const value = readAny(draft.from, field);
      if (value === undefined || value === true) return;
      if (value === false) {
        draft.entry['auth'] = false;
        return;
      }
      const inner = openWithin(draft.from, field, readObject(draft.from, field) ?? {});
      const auth: Record<string, JsonValue> = { type: 'oauth' };
      for (const { name, to } of taken) takeAuthMember({ ...draft, from: inner }, { name, to, auth });
      draft.remarks.push(...withoutEqual(field, inner.value, Object.keys(members)));
      draft.entry['auth'] = auth;
    },
  };
}

function takeAuthMember(
  draft: Draft,
  { name, to, auth }: { readonly name: string; readonly to: AuthName; readonly auth: Record<string, JsonValue> },
): void {
  const value = readAny(draft.from, name);
  if (value === undefined) return;
  if (to === 'redirectPort') {
    auth[to] = readNumber(draft.from, name, { least: 1, most: 65_535, unit: 'port' }) ?? null;
  } else if (to === 'scope' && Array.isArray(value)) auth[to] = (readTexts(draft.from, name) ?? []).join(' ');
  else auth[to] = translated(draft, readText(draft.from, name) ?? '', name);
}

/** A member with the same meaning here: taken as it stands. */
export const same: FieldRule = {
  becomes: 'the same',
  take(draft, field) {
    const value = readAny(draft.from, field);
    if (value !== undefined) draft.entry[field] = value;
  },
};

/** A member that says nothing of how the server is reached or used. */
export const nothing: FieldRule = {
  becomes: 'nothing: it is of no concern to Trestle',
  take(draft, field) {
    draft.from.seen.add(field);
  },
};

/** A member that Trestle has no equal for; `why` is a clause. Values that change nothing are not reported. */
export function noEqual(why: string, unless: readonly JsonValue[] = []): FieldRule {
  return {
    becomes: `no equal: ${why}`,
    take(draft, field) {
      const value = readAny(draft.from, field);
      const isEmpty =
        value === undefined || value === false || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
      if (!isEmpty && !unless.some((one) => one === value)) draft.remarks.push({ field, why });
    },
  };
}
