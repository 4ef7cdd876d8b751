/** A new entry of servers.json, from the flags and words of `add` and `sync`. */
import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../base/index.ts';
import { isSecretHeader, isSecretName, type NewEntry } from '../config/index.ts';
import { type FlagTable, type FlagValues, usage } from './flags.ts';

/** Flags that describe a server. */
export const entryFlags = {
  url: { kind: 'text', value: 'URL', doc: 'The server is reached over HTTP at URL.' },
  env: {
    kind: 'texts',
    value: 'NAME[=VALUE]',
    doc: 'An environment variable of the server; NAME alone stores ${NAME}, taken from your environment at each start.',
  },
  header: { kind: 'texts', value: 'NAME=VALUE', doc: 'A header of every HTTP request; "NAME: VALUE" works too.' },
  cwd: { kind: 'text', value: 'PATH', doc: "The server's working folder." },
  description: { kind: 'text', value: 'TEXT', doc: 'What the server is for, in your words.' },
  timeout: { kind: 'seconds', doc: 'Longest time without a sign of progress, for every request to the server.' },
  transport: {
    kind: 'text',
    value: 'KIND',
    choices: ['auto', 'streamable', 'sse', 'events'],
    doc: 'HTTP transport. Default: auto.',
  },
} as const satisfies FlagTable;

export type EntryFlags = FlagValues<typeof entryFlags>;

/** Whether any flag describes a server. */
export function describesServer(flags: EntryFlags): boolean {
  const { url, env, header, cwd, description, transport } = flags;
  return [url, cwd, description, transport].some((value) => value !== undefined) || env.length > 0 || header.length > 0;
}

/** The entry that flags and `command` (the words after `--`) describe. Throws `usage`. */
export function newEntry(flags: EntryFlags, command: readonly string[] | undefined, cwd: string): NewEntry {
  const common = {
    ...(flags.description === undefined ? {} : { description: flags.description }),
    ...(flags.timeout === undefined ? {} : { timeout: flags.timeout / 1000 }),
  };
  if (flags.url !== undefined) {
    refuse(command !== undefined, 'A server has a command or a URL, not both.');
    refuse(flags.env.length > 0 || flags.cwd !== undefined, '--env and --cwd belong to a command, not to a URL.');
    checkUrl(flags.url);
    const { transport } = flags;
    return {
      url: flags.url,
      ...(flags.header.length === 0 ? {} : { headers: Object.fromEntries(flags.header.map(readHeader)) }),
      ...(transport === 'streamable' || transport === 'sse' || transport === 'events' ? { transport } : {}),
      ...common,
    };
  }
  const [program, ...args] = command ?? [];
  if (program === undefined || program === '') {
    throw usage('A command or a URL to reach the server is missing.', 'Give `-- command args…` or --url URL.');
  }
  refuse(flags.header.length > 0 || flags.transport !== undefined, '--header and --transport belong to a --url.');
  return {
    command: program,
    args,
    ...(flags.env.length === 0 ? {} : { env: Object.fromEntries(flags.env.map(readVariable)) }),
    ...(flags.cwd === undefined ? {} : { cwd: storedFolder(flags.cwd, cwd) }),
    ...common,
  };
}

// A URL with references in it is looked at when they are resolved.
function checkUrl(text: string): void {
  if (text.includes('$')) return;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usage(
      `--url ${text} is no URL that begins with http:// or https://.`,
      'For example: --url https://example.com/mcp',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(
      '--url may not hold a user or a password.',
      "Send them as a header: --header 'Authorization=Basic ${CREDENTIALS}'",
    );
  }
}

function refuse(condition: boolean, message: string): void {
  if (condition) throw usage(message);
}

function readVariable(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  const name = equals === -1 ? text : text.slice(0, equals);
  refuse(name === '' || /\s/.test(name), `--env ${text} names no variable.`);
  return [name, equals === -1 ? `\${${name}}` : text.slice(equals + 1)];
}

function readHeader(text: string): readonly [string, string] {
  const [, name, value] = /^([^\s:=]+)\s*[:=]\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw usage(`--header ${text} is not NAME=VALUE.`);
  return [name, value];
}

// A path typed in a shell is meant from there; the file would take it from its own folder.
function storedFolder(path: string, cwd: string): string {
  return /^~|\$/.test(path) ? path : resolve(cwd, path);
}

/** What to say of secrets that stand in `entry` as they are; undefined when there are none. */
export function literalSecretHint(entry: NewEntry | JsonObject): string | undefined {
  const isRemote = 'url' in entry;
  const members: unknown = isRemote ? entry.headers : 'env' in entry ? entry.env : undefined;
  const named = isObject(members) ? Object.entries(members) : [];
  const isSecret = isRemote ? isSecretHeader : isSecretName;
  const names = named.flatMap(([name, value]) =>
    typeof value === 'string' && isSecret(name) && isLiteral(value) ? [name] : [],
  );
  const [first] = names;
  if (first === undefined) return undefined;
  const secret = first.toLowerCase().replaceAll('_', '-');
  return `The value of ${names.join(', ')} stands in the file as it is. Better: trestle secret set ${secret}, then \${keychain:${secret}} in its place.`;
}

/** A scheme before a reference is no secret. */
function isLiteral(value: string): boolean {
  return value !== '' && !/\$\{|\$env:/.test(value);
}
