/** One server's entry in index.json: made from its folder, and known to be older than it by stamps. */
import { sep } from 'node:path';
import { limits, listEntriesSync, shorten, statSync } from '../base/index.ts';
import { type RegistryFinding, wholeFile } from './finding.ts';
import { readJsonFile } from './json-file.ts';
import { keyOfFile, metaFile, placeOf, type ServerPlace, toolPath, toolsFolder } from './layout.ts';
import { readMeta } from './read-meta.ts';
import { fileFindings, itemsOf, preferOwnKey, readListsFile, readTools, type StoredTool } from './stored.ts';

/** One line of the index about a tool. */
export interface IndexedTool {
  readonly name: string;
  /** File name without extension. */
  readonly key: string;
  readonly title?: string;
  /** Cut to limits.indexDescriptionCharacters; the descriptor has the whole. */
  readonly description: string;
}

/** What the index says of a server. */
export interface IndexedServer {
  readonly name: string;
  /** The file of a project that asks for it. */
  readonly project?: string;
  readonly description: string;
  /** Cut to limits.indexInstructionsCharacters; meta.json has the whole. */
  readonly instructions: string;
  readonly transport: 'stdio' | 'http';
  readonly syncedAt: string;
  /** Length of `tools`, which is read from the index only when it is asked for. */
  readonly toolCount: number;
  readonly tools: readonly IndexedTool[];
  /** Tools that whoever reads this through rules does not see, where there are any: they are in neither of both. */
  readonly hiddenTools?: number;
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly prompts: number;
}

/** As in index.json. */
export interface IndexEntry extends IndexedServer {
  /** Stamp of meta.json and the tools folder: what a look at all servers compares. */
  readonly stamp: string;
  /** Stamp of all other files: what a look at one server compares too. */
  readonly filesStamp: string;
}

export interface EntryReading {
  /** Undefined when the server cannot be listed. */
  readonly entry: IndexEntry | undefined;
  readonly findings: readonly RegistryFinding[];
}

/** Reads a server's whole folder. Stamps are taken first: a change meanwhile makes the entry old, never wrong. */
export function readEntry(root: string, server: string): EntryReading {
  const place = placeOf(root, server);
  const stamp = folderStamp(root, place.server);
  const toolsStamp = filesStamp(place);
  const metaJson = readJsonFile(place.meta);
  const findings: RegistryFinding[] = [...fileFindings(place.server, place.meta, metaJson)];
  if (metaJson.state === 'missing') {
    // Perhaps it is being synced at this moment; if not, the next sync or call goes on where that one ended.
    const finding = wholeFile(place.server, place.meta, 'is missing: the server was never synced to the end');
    findings.push({ ...finding, severity: 'warning' });
  }
  const reading = metaJson.state === 'read' ? readMeta(metaJson.value, place.server) : undefined;
  for (const { field, problem } of reading?.problems ?? []) {
    findings.push({ server: place.server, file: place.meta, field, problem, severity: 'error' });
  }
  const tools = readTools(place);
  const resources = readListsFile(place.resources, ['resources', 'resourceTemplates']);
  const prompts = readListsFile(place.prompts, ['prompts']);
  findings.push(
    ...tools.findings,
    ...fileFindings(place.server, place.resources, resources),
    ...fileFindings(place.server, place.prompts, prompts),
    ...repeatedNames(place, tools.tools),
  );
  if (reading?.meta === undefined) return { entry: undefined, findings };
  const { meta } = reading;
  const listed = [...preferOwnKey(tools.tools).values()].map(indexedTool);
  const entry: IndexEntry = {
    name: meta.name,
    ...(meta.project === undefined ? {} : { project: meta.project }),
    description: shorten(meta.description, limits.indexDescriptionCharacters),
    instructions: shorten(meta.instructions, limits.indexInstructionsCharacters),
    transport: meta.transport.kind,
    syncedAt: meta.syncedAt,
    toolCount: listed.length,
    resources: itemsOf(resources, 'resources').length,
    resourceTemplates: itemsOf(resources, 'resourceTemplates').length,
    prompts: itemsOf(prompts, 'prompts').length,
    stamp,
    filesStamp: toolsStamp,
    tools: listed.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
  return { entry, findings };
}

/** What lists tell of a tool. */
export function indexedTool({ key, descriptor }: StoredTool): IndexedTool {
  const { name, title, description } = descriptor;
  return {
    name,
    key,
    ...(typeof title === 'string' ? { title: shorten(title, limits.indexDescriptionCharacters) } : {}),
    description: typeof description === 'string' ? shorten(description, limits.indexDescriptionCharacters) : '',
  };
}

/** A name in several files: all but one are ignored. */
export function repeatedNames(place: ServerPlace, tools: readonly StoredTool[]): readonly RegistryFinding[] {
  const chosen = preferOwnKey(tools);
  return tools
    .filter((tool) => chosen.get(tool.descriptor.name) !== tool)
    .map(({ key, descriptor }) => ({
      server: place.server,
      file: toolPath(place, key),
      field: '/name',
      problem: `names the tool ${JSON.stringify(descriptor.name)}, which another file holds already; this one is ignored`,
      severity: 'error',
    }));
}

/**
 * Two looks a server, since `list` makes them for all: every sync replaces meta.json, and adding, removing or replacing a
 * file in tools/ changes the folder's own stamp.
 */
export function folderStamp(root: string, server: string): string {
  const folder = `${root}${sep}${server}${sep}`;
  return `${stampOf(folder + metaFile)} ${stampOf(folder + toolsFolder)}`;
}

/**
 * A look at every other file finds edits in place too. Beyond limits.indexStatFiles files it would cost more than the
 * whole command, and the folder's stamp has to do.
 */
export function filesStamp(place: ServerPlace): string {
  const lists = `${stampOf(place.resources)} ${stampOf(place.prompts)}`;
  if (statSync(place.tools)?.kind !== 'folder') return lists;
  const files = listEntriesSync(place.tools).filter(({ name }) => keyOfFile(name) !== undefined);
  if (files.length > limits.indexStatFiles) return lists;
  return mix([lists, ...files.map(({ name }) => `${name} ${stampOf(place.tools + sep + name)}`)].join('\n'));
}

function stampOf(path: string): string {
  const stat = statSync(path);
  return stat === undefined ? '-' : `${stat.kind}:${stat.modifiedMs}:${stat.sizeBytes}:${stat.inode}`;
}

/** FNV-1a with two seeds: no pin against anybody, only short, and without loading node:crypto. */
function mix(text: string): string {
  let first = 0x81_1c_9d_c5;
  let second = 0x01_00_01_93;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01_00_01_93);
    second = Math.imul(second ^ unit, 0x85_eb_ca_6b);
  }
  return [first, second].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
