/**
 * Which server a model means. It may name any file and any URL, so none of that is connected by itself: what it names is one of the
 * user's own servers, and then that one's definition is used, with its own headers and variables; or a person has to approve it.
 */
import { resolve } from 'node:path';
import { canonicalPathSync, limits, nearest, shorten, TrestleError } from '../../base/index.ts';
import {
  type Definition,
  foreignUrlDefinition,
  isSameServer,
  loadServersFile,
  type ServersFile,
} from '../../config/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import { configPathProblem } from './config-path.ts';

/** The server that is meant. */
export type Target =
  /** One of the user's own, by its name in the configuration. */
  | { readonly kind: 'own'; readonly name: string }
  /** None of the user's: nothing is connected before a person approved exactly this definition. */
  | { readonly kind: 'foreign'; readonly definition: Definition };

/**
 * The servers of the file at `configPath`. Throws `invalid_path`, `file_error`, `config_unreadable`; nothing of what stands in the file is
 * quoted.
 */
export function openServersFile(cwd: string | undefined, configPath: string): ServersFile {
  const problem =
    cwd === undefined
      ? 'files here would be on another machine than yours'
      : configPathProblem(configPath, process.platform);
  if (cwd === undefined || problem !== undefined) {
    throw new TrestleError({
      code: 'invalid_path',
      message: `The configPath ${shown(configPath)} cannot be used: ${problem}.`,
      hint: cwd === undefined ? 'Use url.' : 'Give the path of a file with "mcpServers".',
    });
  }
  const path = resolve(cwd, configPath);
  const file = loadServersFile(path);
  if (file !== undefined) return file;
  throw new TrestleError({
    code: 'file_error',
    message: `There is no file ${path}.`,
    hint: 'Check configPath; it is relative to the working folder.',
  });
}

/** Whether a file is the user's own configuration. */
export function isOwnFile(runtime: Runtime, { file }: ServersFile): boolean {
  return canonicalPathSync(runtime.places.serversFile) === file;
}

/** The server `name` of a file. Throws `unknown_server`, or what is wrong with its entry. */
export function serverOfFile(runtime: Runtime, file: ServersFile, name: string): Target {
  const definition = file.servers.get(name);
  if (definition === undefined) throw file.broken.get(name) ?? notInFile(file, name);
  if (isOwnFile(runtime, file)) return { kind: 'own', name };
  const own = runtime.config().servers.values();
  for (const candidate of own) {
    if (candidate.enabled && isSameServer(candidate, definition)) return { kind: 'own', name: candidate.name };
  }
  return { kind: 'foreign', definition };
}

/**
 * The server at `url`. Rejects with `invalid_arguments` for what is no URL that can be used, or where several servers have it, and with
 * `address_refused`.
 */
export async function serverAtUrl(runtime: Runtime, url: string): Promise<Target> {
  const asked = readUrl(url);
  const named = [...runtime.config().servers.values()].filter((definition) => hasUrl(definition, asked));
  const enabled = named.filter((definition) => definition.enabled);
  if (enabled.length > 1) throw ambiguous(runtime, enabled);
  const [own] = enabled.length > 0 ? enabled : named;
  if (own !== undefined) return { kind: 'own', name: own.name };
  const reach = [...runtime.config().servers.values()].some((definition) => hasOrigin(definition, asked))
    ? 'any'
    : 'public';
  // What would be refused when it is dialled is nothing to ask a person about.
  const { checkHost } = await import('../../wire/index.ts');
  checkHost(asked.href, reach);
  return { kind: 'foreign', definition: foreignUrlDefinition(asked.href, reach) };
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  const problem =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'it must begin with http:// or https://'
      : url.username !== '' || url.password !== ''
        ? 'it holds a user name or password, which would be shown in many places'
        : undefined;
  if (url !== null && problem === undefined) return url;
  throw new TrestleError({
    code: 'invalid_arguments',
    message: `The url cannot be used: ${problem}.`,
    hint: 'Credentials stand in the headers of a configured server.',
  });
}

/** References in a configured URL are not resolved: what they stand for is nothing that a model should know. */
function hasUrl({ transport }: Definition, asked: URL): boolean {
  return transport.kind === 'http' && URL.parse(transport.url.trim())?.href === asked.href;
}

/** Whether a definition of the user's own names that host, at that port. */
function hasOrigin({ transport, source }: Definition, asked: URL): boolean {
  if (transport.kind !== 'http' || source.scope !== 'user') return false;
  return URL.parse(transport.url.trim())?.origin === asked.origin;
}

function notInFile({ file, servers, broken }: ServersFile, name: string): TrestleError {
  const known = [...servers.keys(), ...broken.keys()];
  const near = nearest(name, known, limits.nearestNames);
  const hint =
    near.length > 0
      ? `Did you mean ${near.map(shown).join(' or ')}?`
      : `It has ${known.length === 0 ? 'none' : known.slice(0, limits.namesInHint).map(shown).join(', ')}.`;
  return new TrestleError({ code: 'unknown_server', message: `${file} has no server ${shown(name)}.`, hint });
}

function ambiguous(runtime: Runtime, servers: readonly Definition[]): TrestleError {
  return new TrestleError({
    code: 'invalid_arguments',
    message: `Several of the user's servers have this URL: ${servers.map(({ name }) => name).join(', ')}.`,
    hint: `Name one: configPath ${shown(runtime.places.serversFile)} and server.`,
  });
}

/** Names and paths that somebody else chose, as one bounded word. */
function shown(text: string): string {
  return JSON.stringify(shorten(text, limits.quotedCharacters));
}
