/** A servers file that somebody named, of whom nobody knows who wrote it: read for what it asks for, never used to connect. */
import { canonicalPathSync, isObject, limits, readNamedTextSync, type TrestleError } from '../base/index.ts';
import { type ConfigFile, unreadable } from './config-file.ts';
import type { Definition } from './definition.ts';
import { JsoncProblem, readJsonc } from './jsonc.ts';
import { readServers } from './load.ts';

export interface ServersFile {
  /** Absolute, with its links resolved. */
  readonly file: string;
  /** Usable definitions by name, disabled ones included; their scope is `project`. */
  readonly servers: ReadonlyMap<string, Definition>;
  /** Entries that could not be used, by name. */
  readonly broken: ReadonlyMap<string, TrestleError>;
}

/**
 * Reads the file (JSONC, both shapes of servers.json; at most limits.namedFileBytes). Undefined when there is none. Errors name file,
 * place, entry and field, and quote nothing of what stands there. Throws `config_unreadable`, `file_error`.
 */
export function loadServersFile(path: string): ServersFile | undefined {
  const file = canonicalPathSync(path);
  const text = readNamedTextSync(file, limits.namedFileBytes);
  if (text === undefined) return undefined;
  const { servers, broken } = readServers(parse(file, text), 'project');
  return { file, servers, broken };
}

function parse(file: string, text: string): ConfigFile {
  const { value = {}, duplicates } = readText(file, text);
  if (!isObject(value)) throw unreadable(file, 'it must hold one JSON object');
  return { file, text, value, duplicates };
}

function readText(file: string, text: string): ReturnType<typeof readJsonc> {
  try {
    return readJsonc(text);
  } catch (thrown) {
    if (!(thrown instanceof JsoncProblem)) throw thrown;
    const { line, column } = thrown.position;
    throw unreadable(file, `from line ${line}, column ${column} on it is no JSON`, { line, column });
  }
}
