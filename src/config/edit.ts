/** Edits of servers.json that keep its comments and format. */
import {
  canonicalPathSync,
  isObject,
  type JsonObject,
  serverNameProblem,
  TrestleError,
  withLock,
  writeFileAtomic,
} from '../base/index.ts';
import { type ConfigFile, parseConfigText, readConfigFile } from './config-file.ts';
import { changedLines } from './changed-lines.ts';
import { readEntry } from './entries.ts';
import { entriesOf, serverShapes } from './load.ts';
import { serverSubject } from './members.ts';

/** A new entry in the `mcpServers` shape; values may hold `${…}` references. */
export type NewEntry =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly description?: string;
      /** Seconds. */
      readonly timeout?: number;
    }
  | {
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly transport?: 'streamable' | 'sse';
      readonly description?: string;
      readonly timeout?: number;
    };

/** What an edit did to the file. */
export interface FileEdit {
  readonly file: string;
  readonly kind: 'added' | 'replaced' | 'removed' | 'unchanged';
  /** The lines of the change as `- old` and `+ new`, literal secrets masked. */
  readonly diff: readonly string[];
}

/** Adds or replaces (`replace: true`) an entry, keeping comments and formatting. Throws `exists`, `invalid_name`, `config_unreadable`, `config_entry_invalid`. */
export async function addEntry(
  file: string,
  name: string,
  options: { readonly entry: NewEntry; readonly replace?: boolean },
): Promise<FileEdit> {
  checkName(name);
  const entry = withoutUndefined(options.entry);
  // Refused here as it would be when read back.
  readEntry({ name, source: { file, shape: 'mcpServers', scope: 'user' } }, entry);
  return editFile(file, async (current) => {
    const taken = placesOf(current, name);
    refuseOther(current, name, taken.length > 0 && options.replace !== true);
    const elsewhere = taken.filter(([shape]) => shape !== 'mcpServers');
    const cleared = await applyChanges(
      current,
      elsewhere.map((path) => ({ path, value: undefined })),
    );
    const text = await applyChanges({ ...current, text: cleared }, [{ path: ['mcpServers', name], value: entry }]);
    return { text, kind: taken.length > 0 ? 'replaced' : 'added' };
  });
}

/** Removes an entry from the shape it stands in; `unchanged` when there is none. */
export async function removeEntry(file: string, name: string): Promise<FileEdit> {
  return editFile(file, async (current) => {
    const changes = placesOf(current, name).map((path) => ({ path, value: undefined }));
    return { text: await applyChanges(current, changes), kind: 'removed' };
  });
}

function checkName(name: string): void {
  const problem = serverNameProblem(name);
  if (problem === undefined) return;
  throw new TrestleError({
    code: 'invalid_name',
    message: `${JSON.stringify(name)} cannot name a server: it ${problem}.`,
    hint: 'Use 1 to 64 letters, digits, "-", "_" or "."; not a dot at an end.',
    details: { name },
  });
}

function withoutUndefined(entry: NewEntry): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Where entries of this name stand: once a shape, and once more for each repetition. */
function placesOf(current: ConfigFile, name: string): readonly (readonly string[])[] {
  return serverShapes.flatMap((shape) => {
    if (!Object.hasOwn(entriesOf(current, shape), name)) return [];
    const repeated = current.duplicates.filter(
      ({ path }) => path.length === 2 && path[0] === shape && path[1] === name,
    );
    return [[shape, name], ...repeated.map(() => [shape, name])];
  });
}

function refuseOther(current: ConfigFile, name: string, taken: boolean): void {
  const names = serverShapes.flatMap((shape) => Object.keys(entriesOf(current, shape)));
  const alike = names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
  if (!taken && alike === undefined) return;
  const { subject } = serverSubject(name, current.file);
  throw new TrestleError({
    code: 'exists',
    message: taken
      ? `${subject} exists already.`
      : `${subject} would differ from ${JSON.stringify(alike)} only in case.`,
    hint: taken ? 'Remove it first, or choose another name.' : 'Choose another name.',
    server: name,
    details: { file: current.file },
  });
}

interface Edited {
  readonly text: string;
  readonly kind: 'added' | 'replaced' | 'removed';
}

/** Reads, edits and writes under a lock; what would not be readable afterwards is never written. */
async function editFile(file: string, edit: (current: ConfigFile) => Promise<Edited>): Promise<FileEdit> {
  // A link to the file stays a link.
  const target = canonicalPathSync(file);
  return withLock(`${target}.lock`, async (lock) => {
    const current = readConfigFile(target);
    const { text, kind } = await edit({ ...current, file });
    const before = current.text ?? '';
    if (text === before) return { file, kind: 'unchanged', diff: [] };
    const after = parseConfigText(file, text);
    lock.check();
    await writeFileAtomic(target, text, current.text === undefined ? { mode: 0o600 } : {});
    return { file, kind, diff: changedLines({ before, after: text, entries: [current.value, after.value] }) };
  });
}

interface Change {
  readonly path: readonly string[];
  /** Undefined removes. */
  readonly value: JsonObject | undefined;
}

const emptyFile = '{\n  "mcpServers": {}\n}\n';

async function applyChanges(current: ConfigFile, changes: readonly Change[]): Promise<string> {
  const before = current.text ?? '';
  if (changes.length === 0) return before;
  // Loaded here only: reading needs none of it.
  const { applyEdits, modify } = await import('jsonc-parser');
  const mark = before.startsWith('\uFEFF') ? '\uFEFF' : '';
  let text = before.slice(mark.length);
  if (parseConfigText(current.file, text).value !== undefined && !text.includes('{')) text = `${text}${emptyFile}`;
  for (const { path, value } of changes) {
    const replaced = value !== undefined && isObject(value) ? value : undefined;
    text = applyEdits(text, modify(text, [...path], replaced, { formattingOptions: formatOf(text) }));
  }
  return mark + text;
}

/** Indentation and line ends as the file has them. */
function formatOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
