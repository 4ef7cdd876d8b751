/** One configuration file on disk. */
import { isObject, type JsonObject, readTextSync, TrestleError } from '../base/index.ts';
import { type DuplicateMember, JsoncProblem, readJsonc } from './jsonc.ts';

export interface ConfigFile {
  readonly file: string;
  /** The text as it stands; undefined when there is no file. */
  readonly text: string | undefined;
  /** {} for a missing or empty file. */
  readonly value: JsonObject;
  readonly duplicates: readonly DuplicateMember[];
}

/** Reads a file. Throws `config_unreadable` with line and column when it is no JSON object, `file_error` when it cannot be read. */
export function readConfigFile(file: string): ConfigFile {
  const text = readTextSync(file);
  return { file, text, ...parseConfigText(file, text ?? '') };
}

/** The contents of `text`, which is or may become the contents of `file`. Throws `config_unreadable`. */
export function parseConfigText(file: string, text: string): Pick<ConfigFile, 'value' | 'duplicates'> {
  try {
    const { value = {}, duplicates } = readJsonc(text);
    if (isObject(value)) return { value, duplicates };
  } catch (thrown) {
    if (!(thrown instanceof JsoncProblem)) throw thrown;
    // What programs write as UTF-16 is full of zero bytes.
    if (text.includes('\0')) throw unreadable(file, 'it is no text in UTF-8', { cause: thrown });
    const { line, column } = thrown.position;
    throw unreadable(file, `line ${line}, column ${column}: ${thrown.message}`, { line, column, cause: thrown });
  }
  throw unreadable(file, 'it must hold one JSON object');
}

/** The error for a file that cannot be used as a whole; `problem` is a clause. */
export function unreadable(
  file: string,
  problem: string,
  facts: { readonly line?: number; readonly column?: number; readonly cause?: unknown } = {},
): TrestleError {
  const { cause, ...position } = facts;
  return new TrestleError({
    code: 'config_unreadable',
    message: `${file} cannot be read: ${problem}.`,
    hint: 'Correct the file by hand; it is never overwritten in this state.',
    details: { file, ...position },
    cause,
  });
}
