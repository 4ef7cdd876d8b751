/** Members of an entry that are handed on under their names, as environment variables or headers: a name that can be neither is found when it is read. */
import { entryError, type EntryReader, readTextMap } from './members.ts';

/** Variables for a process. One named `A=B` would silently become A with another value, and one without a name nothing. */
export function readEnvironment(entry: EntryReader, field: string): Readonly<Record<string, string>> | undefined {
  const env = readTextMap(entry, field);
  for (const name of Object.keys(env ?? {})) {
    // What follows the sign may be a secret that somebody wrote in the wrong place.
    const [variable = ''] = name.split('=', 1);
    if (variable !== name) throw entryError(entry, field, `has ${shown(variable)} with a "=" in its name`);
    if (name === '') throw entryError(entry, field, 'has a variable without a name');
    if (name.includes('\0')) throw entryError(entry, field, `has ${shown(name)} with a NUL character in its name`);
  }
  return env;
}

/** Headers of HTTP requests. */
export function readHeaders(entry: EntryReader): Readonly<Record<string, string>> | undefined {
  const headers = readTextMap(entry, 'headers');
  for (const name of Object.keys(headers ?? {})) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw entryError(entry, 'headers', `has ${shown(name)}, a name that HTTP does not allow`);
    }
  }
  return headers;
}

function shown(name: string): string {
  return JSON.stringify(name);
}
