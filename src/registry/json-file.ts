/** Reading one JSON file of the registry: what can be wrong with it is a value, never an exception. */
import {
  isObject,
  type JsonObject,
  limits,
  nestsDeeper,
  parseJson,
  readTextSync,
  statSync,
  TrestleError,
} from '../base/index.ts';

export type JsonFile =
  | { readonly state: 'missing' }
  | { readonly state: 'read'; readonly value: JsonObject }
  /** `problem` is one clause about the file. */
  | { readonly state: 'unreadable'; readonly problem: string };

/** Reads the object in the file at `path`; a link is not followed. */
export function readJsonFile(path: string): JsonFile {
  try {
    const kind = statSync(path)?.kind;
    if (kind === undefined) return { state: 'missing' };
    if (kind !== 'file') return unreadable(kind === 'link' ? 'is a link, which is never followed' : 'is no file');
    return parsed(readTextSync(path));
  } catch (error) {
    return unreadable(
      error instanceof TrestleError ? `cannot be read (${String(error.details?.['reason'])})` : 'cannot be read',
    );
  }
}

function parsed(text: string | undefined): JsonFile {
  if (text === undefined) return { state: 'missing' };
  if (text.trim() === '') return unreadable('is empty');
  try {
    const value = parseJson(text);
    if (!isObject(value)) return unreadable('holds no JSON object');
    return nestsDeeper(value, limits.storedLevels) ? unreadable('is nested too deeply') : { state: 'read', value };
  } catch (error) {
    return unreadable(`is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const unreadable = (problem: string): JsonFile => ({ state: 'unreadable', problem });
