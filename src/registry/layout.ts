/**
 * Where things stand in a registry folder:
 *
 *     <root>/<server>/meta.json, tools/<key>.json, resources.json, prompts.json
 *     <root>/index.json            derived from all of these
 *     <root>/.search.json          derived from the tools by the first search
 *     <root>/.lock/                held by whoever writes
 *     <root>/.synced/<server>.json what the last sync wrote; not needed, but tells edits from interruptions
 */
import { join, sep } from 'node:path';
import { listEntriesSync, serverNameProblem, statSync, TrestleError } from '../base/index.ts';
import type { RegistryFinding } from './finding.ts';

/** The paths of one server; a name that is no server name has none. */
export interface ServerPlace {
  readonly server: string;
  readonly folder: string;
  readonly meta: string;
  readonly tools: string;
  readonly resources: string;
  readonly prompts: string;
  readonly record: string;
}

export const toolsFolder = 'tools';
export const metaFile = 'meta.json';
const resourcesFile = 'resources.json';
const promptsFile = 'prompts.json';
export const recordsFolder = '.synced';

export const indexPath = (root: string): string => join(root, 'index.json');
export const searchPath = (root: string): string => join(root, '.search.json');
export const lockPath = (root: string): string => join(root, '.lock');

/** Throws `invalid_name` when `server` cannot name a server, so that no path ever leaves the root. */
export function placeOf(root: string, server: string): ServerPlace {
  const problem = serverNameProblem(server);
  if (problem !== undefined) {
    throw new TrestleError({
      code: 'invalid_name',
      message: `${JSON.stringify(server)} cannot name a server: a name ${problem}.`,
      hint: 'Use 1 to 64 ASCII letters, digits, "-", "_" and "." inside.',
      server,
    });
  }
  const folder = folderOf(root, server);
  return {
    server,
    folder,
    meta: `${folder}${sep}${metaFile}`,
    tools: `${folder}${sep}${toolsFolder}`,
    resources: `${folder}${sep}${resourcesFile}`,
    prompts: `${folder}${sep}${promptsFile}`,
    record: join(root, recordsFolder, `${server}.json`),
  };
}

/** Path of the folder of a server whose name was checked. */
export function folderOf(root: string, server: string): string {
  return join(root, server);
}

/** Why what stands at `path` is not the folder that belongs there, one clause; undefined for a folder or nothing. */
export function folderProblem(path: string): string | undefined {
  const kind = statSync(path)?.kind;
  if (kind === undefined || kind === 'folder') return undefined;
  return kind === 'link' ? 'is a link, which is never followed' : 'is no folder';
}

/** Path of a tool's file. */
export function toolPath(place: ServerPlace, key: string): string {
  return join(place.tools, `${key}.json`);
}

/** The file key in a tool's file name, or undefined when the file is none. */
export function keyOfFile(fileName: string): string | undefined {
  return fileName.endsWith('.json') && !fileName.startsWith('.') ? fileName.slice(0, -'.json'.length) : undefined;
}

/** The servers' folders, sorted, and what stands in the root that cannot be one. */
export interface RootScan {
  readonly servers: readonly string[];
  readonly findings: readonly RegistryFinding[];
}

export function scanRoot(root: string): RootScan {
  const servers: string[] = [];
  const findings: RegistryFinding[] = [];
  const folded = new Map<string, string>();
  for (const { name, kind } of listEntriesSync(root)) {
    // Files beside the servers (a README, index.json) and what starts with a dot are no servers.
    if (kind === 'file' || name.startsWith('.')) continue;
    const twin = folded.get(name.toLowerCase());
    const problem =
      kind === 'folder' ? (folderNameProblem(name) ?? twinProblem(twin)) : 'is a link, which is never followed';
    if (problem === undefined) {
      folded.set(name.toLowerCase(), name);
      servers.push(name);
    } else {
      findings.push({ server: name, file: join(root, name), field: '', problem, severity: 'error' });
    }
  }
  return { servers, findings };
}

function folderNameProblem(name: string): string | undefined {
  const problem = serverNameProblem(name);
  return problem === undefined ? undefined : `cannot name a server: a name ${problem}`;
}

function twinProblem(twin: string | undefined): string | undefined {
  return twin === undefined ? undefined : `differs from the server ${twin} only in case; this one is ignored`;
}

/**
 * Throws `registry_invalid` when a server's folders are links, or another server's name differs from its name only in
 * case: nothing may then be written there.
 */
export function assertWritable(root: string, place: ServerPlace): void {
  for (const path of [join(root, recordsFolder), lockPath(root), place.folder, place.tools]) {
    const problem = folderProblem(path);
    if (problem === undefined) continue;
    throw new TrestleError({
      code: 'registry_invalid',
      message: `${place.server}: ${path} ${problem}.`,
      hint: 'Move it away, or remove the server with "trestle remove" and sync it again.',
      server: place.server,
      details: { path },
    });
  }
  const twin = listEntriesSync(root).find(
    ({ name }) => name !== place.server && name.toLowerCase() === place.server.toLowerCase(),
  );
  if (twin === undefined) return;
  throw new TrestleError({
    code: 'invalid_name',
    message: `${place.server}: the registry has a server ${twin.name} already, and names must differ in more than case.`,
    hint: `Rename one of them, or remove the old one with "trestle remove ${twin.name}".`,
    server: place.server,
  });
}
