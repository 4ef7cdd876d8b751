/** Rules for how a server is reached: its program, address, variables and headers. */
import { isAbsolute, join } from 'node:path';
import { isNumber, isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { entryError, type EntryReader, readAny, readText, readTextMap, readTexts } from '../members.ts';
import { type Draft, type FieldRule, openWithin, translated, withoutEqual } from './field-rule.ts';

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

function takeProgram(draft: Draft, field: string, value: JsonObject): void {
  const inner: Draft = { ...draft, from: openWithin(draft.from, field, value) };
  text('command').take(inner, 'path');
  list('args').take(inner, 'args');
  textMap('env').take(inner, 'env');
  draft.remarks.push(...withoutEqual(field, value, ['path', 'args', 'env']));
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

/** The kind of a server. A value maps to the transport it stands for (null: found out), or to why it cannot be reached. */
export function kind(
  values: Readonly<Record<string, 'sse' | 'streamable' | 'events' | null | { readonly refused: string }>>,
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
