/** What an import would do: pure, from what was found and what is there already. */
import { join } from 'node:path';
import { isObject, jsonEquals, type JsonObject, limits, serverNameProblem } from '../../base/index.ts';
import { type ConfigFile, readConfigFile } from '../config-file.ts';
import type { Definition } from '../definition.ts';
import { readEntry } from '../entries.ts';
import { entriesOf, readServers, serverShapes } from '../load.ts';
import { ownProjectFile } from '../project-files.ts';
import { isSameDefinition } from '../same-definition.ts';
import { type MovedSecret, withoutSecrets } from './entry-secrets.ts';
import type { FoundServer, SourceReading } from './read-source.ts';

/** What can become of a server whose name is taken by another one. */
export type ConflictChoice = 'keep' | 'replace' | 'rename';

export interface PlannedServer {
  readonly found: FoundServer;
  /** The file it would stand in. */
  readonly target: string;
  /**
   * - `new`: nothing of that name is there.
   * - `equal`: it is there already, under `name` or the name that a conflict would give it.
   * - `conflict`: another one has the name: one that is there, or one found before.
   */
  readonly state: 'new' | 'equal' | 'conflict';
  /** Members that differ from the one that has the name; empty but for a conflict. */
  readonly differs: readonly string[];
  /** Who has the name, in another case perhaps; undefined but for a conflict. */
  readonly inTheWay: string | undefined;
  /** The name that a conflict gives it. */
  readonly renamed: string;
  /** The entry with references in the place of `secrets`. */
  readonly withoutSecrets: JsonObject;
  readonly secrets: readonly MovedSecret[];
}

export interface ImportPlan {
  readonly servers: readonly PlannedServer[];
}

/** Plans the import of what was read. Throws `config_unreadable` where a file of Trestle's own cannot be read. */
export function planImport(readings: readonly SourceReading[], places: { readonly serversFile: string }): ImportPlan {
  const files = new Map<string, Taken>();
  const servers = readings
    .flatMap(({ servers: found }) => found)
    .map((found) => {
      const target =
        found.folder === undefined ? places.serversFile : join(found.folder, ownProjectFile(places.serversFile));
      const taken = files.get(target) ?? openTarget(target, found.folder === undefined ? 'user' : 'project');
      files.set(target, taken);
      return planOne(found, target, taken);
    });
  return { servers };
}

/** The names of a file, as they are and as they will be. */
interface Taken {
  /** Undefined: an entry that cannot be read, which has its name all the same. */
  readonly definitions: Map<string, { readonly definition: Definition | undefined; readonly entry: JsonObject }>;
}

function openTarget(target: string, scope: 'user' | 'project'): Taken {
  const file: ConfigFile = readConfigFile(target);
  const { servers } = readServers(file, scope);
  const entries = serverShapes.flatMap((shape) => Object.entries(entriesOf(file, shape)));
  return {
    definitions: new Map(
      entries.map(([name, entry]) => [name, { definition: servers.get(name), entry: isObject(entry) ? entry : {} }]),
    ),
  };
}

function planOne(found: FoundServer, target: string, { definitions }: Taken): PlannedServer {
  const { name, entry, folder } = found;
  const renamed = freeName(name, found.format, (candidate) => isTakenByOther(candidate, found, definitions));
  const { entry: moved, secrets } = withoutSecrets(name, entry, folder);
  const planned = { found, target, renamed, inTheWay: undefined, withoutSecrets: moved, secrets };
  const mine = [entry, moved, withoutSecrets(renamed, entry, folder).entry].map((form) => definitionOf(found, form));
  const isEqual = (other: string): boolean => {
    const there = definitions.get(other)?.definition;
    return there !== undefined && mine.some((definition) => isSame(definition, there));
  };
  if (isEqual(name) || isEqual(renamed)) return { ...planned, state: 'equal', differs: [] };
  const inTheWay = holderOf(name, definitions);
  if (inTheWay === undefined) {
    definitions.set(name, { definition: found.definition, entry });
    return { ...planned, state: 'new', differs: [] };
  }
  return {
    ...planned,
    inTheWay,
    state: 'conflict',
    differs: differences(entry, definitions.get(inTheWay)?.entry ?? {}),
  };
}

function definitionOf({ definition }: FoundServer, entry: JsonObject): Definition {
  return readEntry({ name: definition.name, source: definition.source }, entry);
}

/** Which tools may be called counts here: it is written in the entry too. */
function isSame(one: Definition, other: Definition): boolean {
  return isSameDefinition(one, other) && jsonEquals(one.tools ?? null, other.tools ?? null);
}

/** Who has a name, whatever its case. */
function holderOf(name: string, definitions: Taken['definitions']): string | undefined {
  if (definitions.has(name)) return name;
  return [...definitions.keys()].find((other) => other.toLowerCase() === name.toLowerCase());
}

function isTakenByOther(candidate: string, found: FoundServer, definitions: Taken['definitions']): boolean {
  const holder = holderOf(candidate, definitions);
  const there = holder === undefined ? undefined : definitions.get(holder)?.definition;
  if (holder === undefined) return false;
  const forms = [found.entry, withoutSecrets(candidate, found.entry, found.folder).entry];
  return there === undefined || !forms.some((form) => isSame(definitionOf(found, form), there));
}

/** `github-cursor`, and from the second on `github-cursor-2`. */
function freeName(name: string, format: string, isTaken: (candidate: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const end = `-${format}${number === 1 ? '' : `-${number}`}`;
    const candidate = name.slice(0, limits.serverNameCharacters - end.length) + end;
    if (serverNameProblem(candidate) === undefined && !isTaken(candidate)) return candidate;
  }
}

/** Names of members that are not the same in both. */
function differences(one: JsonObject, other: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !jsonEquals(one[name] ?? null, other[name] ?? null));
}
