/** Names of servers, and file names made from names that servers choose. */
import { nameDigest } from './digest.ts';
import { limits } from './limits.ts';

/** The reason why `name` cannot name a server (one clause, e.g. "may not end with a dot"), or undefined when it can. */
export function serverNameProblem(name: string): string | undefined {
  if (name === '') return 'may not be empty';
  if (name.length > limits.serverNameCharacters)
    return `may not be longer than ${limits.serverNameCharacters} characters`;
  if (!/^[A-Za-z0-9._-]*$/.test(name)) return 'may have only ASCII letters, digits, "-", "_" and "."';
  if (name.startsWith('.')) return 'may not start with a dot';
  if (name.endsWith('.')) return 'may not end with a dot';
  if (isDeviceName(name)) return 'is the name of a Windows device';
  if (reservedNames.has(name.toLowerCase())) return 'is reserved';
  return undefined;
}

/** The reason why `name` cannot name a secret (one clause), or undefined when it can. `#` names the parts of long values. */
export function secretNameProblem(name: string): string | undefined {
  if (name === '') return 'may not be empty';
  if (name.length > limits.secretNameCharacters)
    return `may not be longer than ${limits.secretNameCharacters} characters`;
  return /^[!-~]+$/.test(name) && !/[#{}]/.test(name)
    ? undefined
    : 'may have only visible ASCII characters, and none of "#", "{" and "}"';
}

/** Names that stand for something else in Trestle's folders or commands. */
const reservedNames: ReadonlySet<string> = new Set(['registry', 'index.json']);

/** How the names of Windows' devices begin. Looked at first: hardly a name begins so, and the whole pattern takes long to compile. */
const deviceBeginnings: ReadonlySet<string> = new Set(['con', 'prn', 'aux', 'nul', 'com', 'lpt']);

/** Whether Windows would open a device instead of a file of this name, whatever its extension. */
export function isDeviceName(fileName: string): boolean {
  if (!deviceBeginnings.has(fileName.slice(0, 3).toLowerCase())) return false;
  return /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ ]*\..*|[ ]*)$/is.test(fileName);
}

/**
 * A file name (without extension) for any name: safe on every system, distinct for distinct names also on file systems that
 * fold case. Plain names (lower-case letters, digits, `.`, `_`, `-`) keep their look; others get a readable beginning, `~`,
 * which no plain name has, and a digest.
 */
export function fileKey(name: string): string {
  const plain =
    name.length <= limits.plainKeyCharacters &&
    /^[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?$/.test(name) &&
    !isDeviceName(name);
  if (plain) return name;
  const beginning = name
    .slice(0, 2 * limits.keyBeginningCharacters)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, limits.keyBeginningCharacters);
  // As JSON, since lone surrogates would all encode to the same UTF-8 bytes.
  const digest = nameDigest(JSON.stringify(name)).slice(0, limits.keyDigestCharacters);
  return `${beginning === '' ? 'name' : beginning}~${digest}`;
}

/** At most `count` of `candidates` that are near enough to `wanted` to be a slip, nearest first; case counts least. */
export function nearest(wanted: string, candidates: Iterable<string>, count = 3): readonly string[] {
  const folded = fold(wanted);
  const cutOff = Math.max(1, Math.floor(folded.length / 3));
  // A slip seldom changes how long a name is: of two as near, the one that merely contains it is the less likely.
  const lengthsApart = (name: string): number => Math.abs(name.length - wanted.length);
  const scored: { readonly name: string; readonly distance: number }[] = [];
  for (const name of candidates) {
    const other = fold(name);
    const distance = other === folded ? 0 : slipDistance(folded, other, cutOff);
    if (distance <= cutOff) scored.push({ name, distance });
  }
  return scored
    .sort(
      (a, b) => a.distance - b.distance || lengthsApart(a.name) - lengthsApart(b.name) || (a.name < b.name ? -1 : 1),
    )
    .slice(0, count)
    .map(({ name }) => name);
}

/** Case and the choice between `-`, `_`, `.` and space are the commonest slips and count nothing. */
function fold(name: string): string {
  return name
    .slice(0, limits.nearestCharacters)
    .toLowerCase()
    .replaceAll(/[-_. ]/g, '_');
}

/**
 * Edits between two names, a swap of neighbours counting one (optimal string alignment); a name that continues or contains
 * the other (`search` and `search_files`) counts as one edit. More than `cutOff` may be returned as any larger number.
 */
function slipDistance(a: string, b: string, cutOff: number): number {
  if (a.length >= 3 && b.length >= 3 && (b.includes(a) || a.includes(b))) return 1;
  if (Math.abs(a.length - b.length) > cutOff) return cutOff + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
