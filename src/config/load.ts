/** servers.json: who is asked for. */
import {
  asTrestleError,
  isObject,
  type JsonObject,
  type JsonValue,
  serverNameProblem,
  type TrestleError,
} from '../base/index.ts';
import { type ConfigFile, readConfigFile, unreadable } from './config-file.ts';
import type { Definition, DefinitionSource } from './definition.ts';
import { readEntry } from './entries.ts';
import { environmentServer } from './environment-server.ts';
import type { DuplicateMember } from './jsonc.ts';
import { entryError, serverSubject, withGuess } from './members.ts';
import type { ConfigPlaces, ConfigView } from './config-view.ts';

/**
 * The user's own part of the configuration: servers.json (JSONC, both shapes); where it names no server at all, `env` may name one.
 * Throws `config_unreadable` (with line and column) when the file cannot be parsed.
 */
export function loadConfig(places: ConfigPlaces, env: Readonly<Record<string, string | undefined>> = {}): ConfigView {
  const { servers, broken, notices } = ownServers(places);
  const named = servers.size + broken.size === 0 ? environmentServer(env) : undefined;
  if (named !== undefined && 'definition' in named) servers.set(named.definition.name, named.definition);
  else if (named !== undefined) broken.set(named.name, named.problem);
  return { servers, waiting: new Map(), broken, notices };
}

function ownServers({ serversFile, isOfProject = false }: ConfigPlaces): ReadServers {
  return isOfProject
    ? { servers: new Map(), broken: new Map(), notices: [] }
    : readServers(readConfigFile(serversFile), 'user');
}

/** The members of a servers file that hold entries. */
export const serverShapes = ['mcpServers', 'mcp'] as const;

export type ServerShape = (typeof serverShapes)[number];

/** The entries of one shape. Throws `config_unreadable` when the member is no object. */
export function entriesOf(file: Pick<ConfigFile, 'file' | 'value'>, shape: ServerShape): JsonObject {
  const entries: JsonValue = (Object.hasOwn(file.value, shape) ? file.value[shape] : undefined) ?? {};
  if (isObject(entries)) return entries;
  throw unreadable(file.file, `"${shape}" must be an object of servers by name`);
}

interface ReadServers {
  readonly servers: Map<string, Definition>;
  readonly broken: Map<string, TrestleError>;
  readonly notices: string[];
}

/** The entries of a file, on behalf of whoever it belongs to. Throws `config_unreadable` when a shape is no object. */
export function readServers(file: ConfigFile, scope: DefinitionSource['scope']): ReadServers {
  const all = serverShapes.flatMap((shape) =>
    Object.entries(entriesOf(file, shape)).map(([name, value]) => ({ name, value, shape })),
  );
  const names = countNames(
    all.map(({ name }) => name),
    file.duplicates,
  );
  const servers: Definition[] = [];
  const broken = new Map<string, TrestleError>();
  for (const { name, value, shape } of all) {
    try {
      refuseName({ name, names, file });
      const source: DefinitionSource = { file: file.file, shape, scope };
      servers.push(readEntry({ name, source }, value));
    } catch (thrown) {
      broken.set(name, asTrestleError(thrown));
    }
  }
  servers.sort((a, b) => (a.name < b.name ? -1 : 1));
  const usable = servers.filter(({ name }) => !broken.has(name));
  return {
    servers: new Map(usable.map((definition) => [definition.name, definition])),
    broken,
    notices: ignoredNotices(file, usable),
  };
}

interface NameCounts {
  /** How often each name stands, over both shapes. */
  readonly exact: ReadonlyMap<string, number>;
  /** Names by their form in small letters. */
  readonly folded: ReadonlyMap<string, ReadonlySet<string>>;
  /** The line in which a name stands once more under one shape. */
  readonly again: ReadonlyMap<string, number>;
}

function countNames(names: readonly string[], duplicates: readonly DuplicateMember[]): NameCounts {
  const exact = new Map<string, number>();
  const folded = new Map<string, Set<string>>();
  for (const name of names) {
    exact.set(name, (exact.get(name) ?? 0) + 1);
    const alike = folded.get(name.toLowerCase()) ?? new Set();
    folded.set(name.toLowerCase(), alike.add(name));
  }
  const again = new Map<string, number>();
  for (const { path, position } of duplicates) {
    const [shape, name, ...rest] = path;
    if (name === undefined || rest.length > 0 || !serverShapes.some((known) => known === shape)) continue;
    if (!again.has(name)) again.set(name, position.line);
  }
  return { exact, folded, again };
}

function refuseName(facts: { readonly name: string; readonly names: NameCounts; readonly file: ConfigFile }): void {
  const { name, names, file } = facts;
  const wrong = (problem: string): TrestleError => entryError(serverSubject(name, file.file), 'its name', problem);
  const problem = serverNameProblem(name);
  if (problem !== undefined) {
    throw wrong(problem).with({
      code: 'invalid_name',
      hint: 'Rename the entry; the other servers work.',
    });
  }
  const line = names.again.get(name);
  if (line !== undefined) throw wrong(`stands twice, the second time in line ${line}`);
  if ((names.exact.get(name) ?? 0) > 1) {
    throw wrong('stands twice, under "mcpServers" and under "mcp"');
  }
  const alike = otherThan(name, names.folded.get(name.toLowerCase()) ?? new Set());
  if (alike !== undefined) throw wrong(`differs from ${JSON.stringify(alike)} only in case`);
}

function otherThan(name: string, names: ReadonlySet<string>): string | undefined {
  for (const other of names) if (other !== name) return other;
  return undefined;
}

/** One line a file for members without effect, one for whole parts that nobody knows or that stand twice. */
function ignoredNotices(file: ConfigFile, servers: readonly Definition[]): string[] {
  const members = servers.flatMap(({ name, ignored }) => ignored.map((member) => `${name}.${member}`));
  const parts = Object.keys(file.value)
    .filter((name) => name !== '$schema' && !serverShapes.some((shape) => shape === name))
    .map((name) => withGuess(name, ['mcpServers']));
  const ignored = [...parts, ...members];
  if (ignored.length === 0) return [];
  return [`${file.file}: without effect in this version: ${ignored.join(', ')}.`];
}
