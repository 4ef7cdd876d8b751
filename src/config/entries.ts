/** Both shapes of an entry, read into one definition (F3). */
import { type JsonValue, limits, nearest } from '../base/index.ts';
import type { ToolRules } from '../policy/index.ts';
import { type DefinedAuth, readAuth, readOpenCodeAuth } from './auth.ts';
import { readEnvironment, readHeaders } from './named-texts.ts';
import { registryNameOf } from './registry-name.ts';
import type { DefinedTransport, Definition, DefinitionSource } from './definition.ts';
import {
  entryError,
  type EntryReader,
  openEntry,
  readAny,
  readBoolean,
  readChoice,
  readNumber,
  readObject,
  readText,
  readTexts,
  serverSubject,
  unknownMembers,
  unseenMembers,
  withGuess,
} from './members.ts';

/** What an entry stands under and in which file. */
export interface EntryPlace {
  readonly name: string;
  readonly source: DefinitionSource;
}

/** Reads an entry of either shape. Throws `config_entry_invalid` naming entry and field. */
export function readEntry(place: EntryPlace, value: JsonValue): Definition {
  const entry = openEntry(serverSubject(place.name, place.source.file, place.source.scope !== 'project'), value);
  return place.source.shape === 'mcp' ? readOpenCodeEntry(place, entry) : readMcpServersEntry(place, entry);
}

/** Members of either shape, for guesses. */
const knownMembers = [
  'command',
  'args',
  'env',
  'environment',
  'cwd',
  'url',
  'headers',
  'type',
  'transport',
  'redirects',
  'framing',
  'enabled',
  'disabled',
  'description',
  'timeout',
  'lifecycle',
  'idleTimeoutMinutes',
  'sharing',
  'protocol',
  'protocolVersions',
  'tools',
  'auth',
  'oauth',
];

function readMcpServersEntry(place: EntryPlace, entry: EntryReader): Definition {
  const transport = readTransport(entry);
  const seconds = readNumber(entry, 'timeout', { least: 0.001, most: limits.timeoutSeconds, unit: 'seconds' });
  const { auth, ignored: ignoredAuth } = readAuth(entry);
  const definition = {
    ...common(place, entry, { transport, auth }),
    timeoutMs: seconds === undefined ? undefined : seconds * 1_000,
    lifecycle: readChoice(entry, 'lifecycle', ['lazy', 'eager', 'keep-alive']) ?? 'lazy',
    idleMinutes: readNumber(entry, 'idleTimeoutMinutes', { least: 0, most: limits.idleMinutesMost, unit: 'minutes' }),
    sharing: readChoice(entry, 'sharing', ['scope', 'shared']) ?? 'scope',
    protocol: readChoice(entry, 'protocol', ['auto', 'legacy', 'modern']) ?? 'auto',
    protocolVersions: readTexts(entry, 'protocolVersions') ?? [],
  } as const;
  const ignored = [...ignoredAuth, ...withoutEffect(entry, ['exposure']), ...unknownMembers(entry, knownMembers)];
  return { ...definition, ignored };
}

function common(
  place: EntryPlace,
  entry: EntryReader,
  { transport, auth }: Pick<Definition, 'transport' | 'auth'>,
): Pick<
  Definition,
  'name' | 'registryName' | 'source' | 'transport' | 'enabled' | 'description' | 'tools' | 'auth' | 'authKind'
> {
  const enabled = readBoolean(entry, 'enabled');
  const disabled = readBoolean(entry, 'disabled');
  if (enabled !== undefined && enabled === disabled) {
    throw entryError(entry, 'enabled', `contradicts "disabled": both are ${enabled}`);
  }
  const headers = transport.kind === 'http' ? Object.keys(transport.headers) : [];
  const hasCredential = headers.some((header) => header.toLowerCase() === 'authorization');
  checkAuth(entry, { transport, auth, hasCredential });
  return {
    name: place.name,
    registryName: registryNameOf(place),
    source: place.source,
    transport,
    enabled: enabled ?? disabled !== true,
    description: readText(entry, 'description'),
    tools: readToolRules(entry),
    auth,
    authKind: auth === undefined && hasCredential ? 'bearer' : (auth?.kind ?? 'none'),
  };
}

/** One way to prove who asks, and only where there is somebody to prove it to. */
function checkAuth(
  entry: EntryReader,
  facts: {
    readonly transport: DefinedTransport;
    readonly auth: DefinedAuth | undefined;
    readonly hasCredential: boolean;
  },
): void {
  const { transport, auth, hasCredential } = facts;
  if (auth === undefined || auth.kind === 'none') return;
  const member = entry.value['auth'] === undefined ? 'oauth' : 'auth';
  if (transport.kind === 'stdio') throw entryError(entry, member, 'belongs to a "url", but the entry has a "command"');
  if (hasCredential) throw entryError(entry, member, 'contradicts the Authorization header; a server has one of them');
}

/** How tools name the kinds of servers. */
const stdioTypes = ['stdio', 'local'] as const;
const httpTypes = ['http', 'sse', 'remote', 'streamable-http', 'streamableHttp', 'streamable_http'] as const;

function readTransport(entry: EntryReader): DefinedTransport {
  const command = readText(entry, 'command');
  const url = readText(entry, 'url');
  const type = readChoice(entry, 'type', [...stdioTypes, ...httpTypes]);
  const choice = readChoice(entry, 'transport', ['auto', 'streamable', 'sse', 'events', 'stdio']);
  const redirects = readChoice(entry, 'redirects', ['same-origin', 'none']) ?? 'same-origin';
  oneOfBoth(entry, { command, url });
  const stdio = command !== undefined;
  const wrongType = type !== undefined && stdio !== stdioTypes.some((name) => name === type);
  if (wrongType)
    throw entryError(entry, 'type', `is ${JSON.stringify(type)} but the entry has a "${stdio ? 'command' : 'url'}"`);
  const args = readTexts(entry, 'args');
  const env = readEnvironment(entry, 'env');
  const cwd = readText(entry, 'cwd');
  const headers = readHeaders(entry);
  const framing = readChoice(entry, 'framing', ['auto', 'newline', 'content-length']);
  if (stdio) {
    if (headers !== undefined) throw entryError(entry, 'headers', 'belongs to a "url", but the entry has a "command"');
    const process = { command, args: args ?? [], env: env ?? {}, cwd: emptyAsAbsent(cwd) };
    return { kind: 'stdio', ...process, framing: framing ?? 'auto' };
  }
  if (framing !== undefined) throw entryError(entry, 'framing', 'belongs to a "command", but the entry has a "url"');
  if (args !== undefined && args.length > 0)
    throw entryError(entry, 'args', 'belongs to a "command", but the entry has a "url"');
  if (choice === 'stdio') throw entryError(entry, 'transport', 'is "stdio" but the entry has a "url"');
  return {
    kind: 'http',
    url: url ?? '',
    headers: headers ?? {},
    choice: choice ?? (type === 'sse' ? 'sse' : 'auto'),
    redirects,
  };
}

function emptyAsAbsent(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Exactly one way to reach the server. */
function oneOfBoth(
  entry: EntryReader,
  ways: { readonly command: string | undefined; readonly url: string | undefined },
): void {
  const { command, url } = ways;
  if (command !== undefined && url !== undefined) {
    throw entryError(entry, 'command', 'and url stand both in the entry; a server has one of them');
  }
  if (command === undefined && url === undefined) {
    const guess = entry.quotes
      ? Object.keys(entry.value).find((name) => nearest(name, ['command', 'url'], 1).length > 0)
      : undefined;
    const meant = guess === undefined ? '' : `: ${withGuess(guess, ['command', 'url'])}`;
    throw entryError(entry, 'command', `or url is missing; a server has one of them${meant}`);
  }
  if (command?.trim() === '') throw entryError(entry, 'command', 'is empty');
  if (url?.trim() === '') throw entryError(entry, 'url', 'is empty');
}

/** The lists of tools. A member beside them is an error: ignored, it would widen what may be called. */
function readToolRules(entry: EntryReader): ToolRules | undefined {
  const value = readObject(entry, 'tools');
  if (value === undefined) return undefined;
  const lists = { ...entry, value, seen: new Set<string>() };
  const rules = {
    allow: readTexts(lists, 'allow'),
    deny: readTexts(lists, 'deny') ?? [],
    ask: readTexts(lists, 'ask') ?? [],
  };
  const [unknown] = unseenMembers(lists);
  if (unknown !== undefined) throw entryError(entry, `tools.${unknown}`, 'is none of the lists allow, deny and ask');
  return rules;
}

/** Those of `names` that stand in the entry. */
function withoutEffect(entry: EntryReader, names: readonly string[]): readonly string[] {
  return names.filter((name) => readAny(entry, name) !== undefined);
}

function readOpenCodeEntry(place: EntryPlace, entry: EntryReader): Definition {
  const type = readChoice(entry, 'type', ['local', 'remote']);
  if (type === undefined) throw entryError(entry, 'type', 'is missing; it is "local" or "remote"');
  const other = type === 'local' ? 'url' : 'command';
  if (readAny(entry, other) !== undefined)
    throw entryError(entry, other, `does not belong to an entry of type "${type}"`);
  const transport = type === 'local' ? readLocal(entry) : readRemote(entry);
  const timeoutMs = readNumber(entry, 'timeout', {
    least: 1,
    most: limits.timeoutSeconds * 1_000,
    unit: 'milliseconds',
  });
  const { auth, ignored } = readOpenCodeAuth(entry);
  return {
    ...common(place, entry, { transport, auth }),
    timeoutMs,
    lifecycle: 'lazy',
    idleMinutes: undefined,
    sharing: 'scope',
    protocol: 'auto',
    protocolVersions: [],
    ignored: [...ignored, ...unknownMembers(entry, knownMembers)],
  };
}

function readLocal(entry: EntryReader): DefinedTransport {
  const [command, ...args] = readTexts(entry, 'command') ?? [];
  if (command === undefined || command.trim() === '') {
    throw entryError(entry, 'command', 'is missing or empty; it is a list of the program and its arguments');
  }
  const env = readEnvironment(entry, 'environment') ?? {};
  return { kind: 'stdio', command, args, env, cwd: emptyAsAbsent(readText(entry, 'cwd')), framing: 'auto' };
}

function readRemote(entry: EntryReader): DefinedTransport {
  const url = readText(entry, 'url');
  if (url === undefined || url.trim() === '') throw entryError(entry, 'url', 'is missing or empty');
  return { kind: 'http', url, headers: readHeaders(entry) ?? {}, choice: 'auto', redirects: 'same-origin' };
}
