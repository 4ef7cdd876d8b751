/** Edits of servers.json that keep its comments and format. */
import type { Node, parseTree } from 'jsonc-parser';
import {
  canonicalPathSync,
  jsonEquals,
  type JsonObject,
  type JsonValue,
  prettyJson,
  readBytesSync,
  serverNameProblem,
  TrestleError,
  withLock,
  writeFileAtomic,
} from '../base/index.ts';
import { type ConfigFile, parseConfigText, readConfigFile, unreadable } from './config-file.ts';
import { changedLines } from './changed-lines.ts';
import { readEntry } from './entries.ts';
import { entriesOf, type ServerShape, serverShapes } from './load.ts';
import { positionOf, readJsonc } from './jsonc.ts';
import { serverSubject } from './members.ts';
import { insertMember, removeMember, replaceValue } from './splice.ts';

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
      readonly transport?: 'streamable' | 'sse' | 'events';
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

export interface EntryEdit {
  readonly entry: NewEntry | JsonObject;
  /** Whether an entry of that name gives way. */
  readonly replace?: boolean;
  /** Where the JSON Schema of the file is, for editors; written into a file that has nothing yet. */
  readonly schema?: string | undefined;
}

/** Adds or replaces an entry, keeping comments and formatting. Throws `exists`, `invalid_name`, `config_unreadable`, `config_entry_invalid`. */
export async function addEntry(file: string, name: string, options: EntryEdit): Promise<FileEdit> {
  checkName(name);
  const entry = withoutUndefined(options.entry);
  // Refused here as it would be when read back.
  readEntry({ name, source: { file, shape: 'mcpServers', scope: 'user' } }, entry);
  return editFile(file, (current, editor) => {
    const taken = shapesWith(current, name);
    refuseOther(current, name, taken.length > 0 && options.replace !== true);
    const [main, ...others] = taken;
    // Its value is replaced in place; what stands elsewhere under the same name goes.
    const cleared = removeAll(editor, taken.length === 1 && main === 'mcpServers' ? others : taken, name);
    const { schema } = options;
    return {
      text: setEntry(editor, { text: cleared, name, entry, schema }),
      kind: taken.length > 0 ? 'replaced' : 'added',
    };
  });
}

/** Removes an entry from the shape it stands in; `unchanged` when there is none. */
export async function removeEntry(file: string, name: string): Promise<FileEdit> {
  return editFile(file, (current, editor) => ({
    text: removeAll(editor, shapesWith(current, name), name),
    kind: 'removed',
  }));
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

function withoutUndefined(entry: NewEntry | JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries<JsonValue | undefined>(entry).filter(([, value]) => value !== undefined),
  ) as JsonObject;
}

/** The shapes in which entries of this name stand, once for each entry. */
function shapesWith(current: ConfigFile, name: string): readonly ServerShape[] {
  return serverShapes.flatMap((shape) => {
    if (!Object.hasOwn(entriesOf(current, shape), name)) return [];
    const repeated = current.duplicates.filter(
      ({ path }) => path.length === 2 && path[0] === shape && path[1] === name,
    );
    return [shape, ...repeated.map(() => shape)];
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
    details: { file: current.file, ...(taken ? {} : { alike }) },
  });
}

/** What an edit makes of a text. */
interface Edited {
  readonly text: string;
  readonly kind: 'added' | 'replaced' | 'removed';
}

/** A text and the package that says where its parts stand. */
interface Editor {
  readonly text: string;
  readonly parseTree: typeof parseTree;
}

/** Reads, edits and writes under a lock; what would not be readable afterwards is never written. */
async function editFile(file: string, edit: (current: ConfigFile, editor: Editor) => Edited): Promise<FileEdit> {
  // Loaded here only: reading needs none of it.
  const jsonc = await import('jsonc-parser');
  // A link to the file stays a link.
  const target = canonicalPathSync(file);
  return withLock(`${target}.lock`, async (lock) => {
    const current = readConfigFile(target);
    refuseLossy(current);
    const before = current.text ?? '';
    const mark = before.startsWith('\uFEFF') ? '\uFEFF' : '';
    const edited = edit({ ...current, file }, { text: before.slice(mark.length), parseTree: jsonc.parseTree });
    const text = mark + edited.text;
    if (text === before) return { file, kind: 'unchanged', diff: [] };
    const after = parseConfigText(file, text);
    lock.check();
    await writeFileAtomic(target, text, current.text === undefined ? { mode: 0o600 } : {});
    return {
      file,
      kind: edited.kind,
      diff: changedLines({ before, after: text, entries: [current.value, after.value] }),
    };
  });
}

/** Bytes that are no UTF-8 are read as U+FFFD, and would be written back as that. */
function refuseLossy({ file, text = '' }: ConfigFile): void {
  if (!text.includes('\uFFFD') || readBytesSync(file)?.equals(Buffer.from(text)) !== false) return;
  const { line } = positionOf(text, text.indexOf('\uFFFD'));
  throw unreadable(file, `line ${line} is not in UTF-8, and an edit would lose what stands there`, { line });
}

function treeOf({ parseTree }: Editor, text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
}

/** The member `name` of an object, the last one where it stands several times. */
function memberOf(object: Node | undefined, name: string): Node | undefined {
  return object?.children?.findLast((member) => member.children?.[0]?.value === name);
}

function removeAll(editor: Editor, shapes: readonly ServerShape[], name: string): string {
  return shapes.reduce((text, shape) => {
    const object = memberOf(treeOf(editor, text), shape)?.children?.[1];
    const member = memberOf(object, name);
    return object === undefined || member === undefined ? text : removeMember({ text, object }, member);
  }, editor.text);
}

function setEntry(
  editor: Editor,
  facts: {
    readonly text: string;
    readonly name: string;
    readonly entry: JsonObject;
    readonly schema: string | undefined;
  },
): string {
  const { text, name, entry, schema } = facts;
  const root = treeOf(editor, text);
  if (root === undefined) {
    const mark = schema === undefined ? {} : { $schema: schema };
    return `${text}${prettyJson({ ...mark, mcpServers: { [name]: entry } })}`;
  }
  const servers = memberOf(root, 'mcpServers')?.children?.[1];
  if (servers?.type !== 'object') {
    // Null, which stands for no servers, gives way.
    const empty = memberOf(root, 'mcpServers');
    const cleared = empty === undefined ? text : removeMember({ text, object: root }, empty);
    const object = treeOf(editor, cleared);
    return object === undefined ? text : insertMember({ text: cleared, object }, 'mcpServers', { [name]: entry });
  }
  const member = memberOf(servers, name);
  if (member !== undefined) return isWritten(text, member, entry) ? text : replaceValue(text, member, entry);
  return insertMember({ text, object: servers }, name, entry);
}

/** An entry that says the same already keeps its own format and comments. */
function isWritten(text: string, member: Node, entry: JsonObject): boolean {
  const value = member.children?.[1];
  if (value === undefined) return false;
  return jsonEquals(readJsonc(text.slice(value.offset, value.offset + value.length)).value, entry);
}
