/** A server's folder as it stands: what could be read, and findings about the rest. */
import { fileKey, isObject, type JsonObject, type JsonValue, listEntriesSync } from '../base/index.ts';
import { type JsonFile, readJsonFile } from './json-file.ts';
import { folderProblem, keyOfFile, type ServerPlace, toolPath } from './layout.ts';
import type { ListedItem, ToolDescriptor } from './records.ts';
import { type RegistryFinding, wholeFile } from './finding.ts';

/** One file in tools/. */
export interface StoredTool {
  /** File name without extension, which need not be the key of the name inside. */
  readonly key: string;
  readonly descriptor: ToolDescriptor;
}

/** The lists in resources.json and prompts.json. */
export interface StoredLists {
  readonly resources: readonly ListedItem[];
  readonly resourceTemplates: readonly ListedItem[];
  readonly prompts: readonly ListedItem[];
}

export interface StoredServer {
  readonly meta: JsonFile;
  readonly tools: readonly StoredTool[];
  /** Keys of files in tools/ that could not be read. */
  readonly unreadableTools: readonly string[];
  readonly resources: JsonFile;
  readonly prompts: JsonFile;
  readonly findings: readonly RegistryFinding[];
}

/** Reads the whole folder of a server. */
export function readStored(place: ServerPlace): StoredServer {
  const { tools, unreadable, findings } = readTools(place);
  const meta = readJsonFile(place.meta);
  const resources = readListsFile(place.resources, ['resources', 'resourceTemplates']);
  const prompts = readListsFile(place.prompts, ['prompts']);
  const files: readonly [string, JsonFile][] = [
    [place.meta, meta],
    [place.resources, resources],
    [place.prompts, prompts],
  ];
  return {
    meta,
    tools,
    unreadableTools: unreadable,
    resources,
    prompts,
    findings: [...files.flatMap(([file, read]) => fileFindings(place.server, file, read)), ...findings],
  };
}

export interface ToolsReading {
  readonly tools: readonly StoredTool[];
  readonly unreadable: readonly string[];
  readonly findings: readonly RegistryFinding[];
}

/** Reads every file in tools/. */
export function readTools(place: ServerPlace): ToolsReading {
  const tools: StoredTool[] = [];
  const unreadable: string[] = [];
  const findings: RegistryFinding[] = [];
  const problem = folderProblem(place.tools);
  if (problem !== undefined) {
    findings.push(wholeFile(place.server, place.tools, problem));
    return { tools, unreadable, findings };
  }
  for (const { name } of listEntriesSync(place.tools)) {
    const key = keyOfFile(name);
    if (key === undefined) continue;
    const reading = readTool(place, key);
    findings.push(...reading.findings);
    if (reading.descriptor === undefined) unreadable.push(key);
    else tools.push({ key, descriptor: reading.descriptor });
  }
  return { tools, unreadable, findings };
}

/** One file a name: where several hold the same name, the one whose file name says so. */
export function preferOwnKey(tools: readonly StoredTool[]): ReadonlyMap<string, StoredTool> {
  const chosen = new Map<string, StoredTool>();
  for (const tool of tools) {
    const { name } = tool.descriptor;
    if (!chosen.has(name) || fileKey(name) === tool.key) chosen.set(name, tool);
  }
  return chosen;
}

export interface ToolReading {
  readonly state: JsonFile['state'];
  readonly descriptor: ToolDescriptor | undefined;
  readonly findings: readonly RegistryFinding[];
}

/** Reads one file in tools/; the name inside is what counts. */
export function readTool(place: ServerPlace, key: string): ToolReading {
  const file = toolPath(place, key);
  const read = readJsonFile(file);
  if (read.state !== 'read') {
    return { state: read.state, descriptor: undefined, findings: fileFindings(place.server, file, read) };
  }
  const { value } = read;
  if (typeof value['name'] !== 'string') {
    const unnamed = { ...wholeFile(place.server, file, 'is missing or no text'), field: '/name' };
    return { state: 'unreadable', descriptor: undefined, findings: [unnamed] };
  }
  return { state: 'read', descriptor: asDescriptor(value, value['name']), findings: [] };
}

/** A descriptor always has an input schema; `{}` accepts anything, as a missing one does. */
function asDescriptor(value: JsonObject, name: string): ToolDescriptor {
  return (value['inputSchema'] === undefined ? { ...value, name, inputSchema: {} } : value) as ToolDescriptor;
}

/** The lists of a server's folder; a file that is missing or unreadable gives empty ones. */
export function storedLists(stored: Pick<StoredServer, 'resources' | 'prompts'>): StoredLists {
  return {
    resources: itemsOf(stored.resources, 'resources'),
    resourceTemplates: itemsOf(stored.resources, 'resourceTemplates'),
    prompts: itemsOf(stored.prompts, 'prompts'),
  };
}

/** Reads a file whose `members`, where there, must be lists. */
export function readListsFile(path: string, members: readonly string[]): JsonFile {
  const file = readJsonFile(path);
  if (file.state !== 'read') return file;
  const bad = members.find((member) => file.value[member] !== undefined && !Array.isArray(file.value[member]));
  return bad === undefined ? file : { state: 'unreadable', problem: `has a member ${bad} that is no list` };
}

/** The objects in the list `member` of a file. */
export function itemsOf(file: JsonFile, member: string): readonly ListedItem[] {
  const list = file.state === 'read' ? file.value[member] : undefined;
  return Array.isArray(list) ? (list as readonly JsonValue[]).filter(isObject) : [];
}

/** What the state of a file gives to report. */
export function fileFindings(server: string, file: string, read: JsonFile): readonly RegistryFinding[] {
  return read.state === 'unreadable' ? [wholeFile(server, file, read.problem)] : [];
}
