/**
 * What people paste to add a server: the part of a tool's file that its documentation shows, the command line by which another
 * tool would add it or that starts it, a link that would install it. Pure; whoever calls it decides what becomes of it.
 */
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { codex } from './codex.ts';
import { convertEntry } from './convert.ts';
import type { Remark } from './field-rule.ts';
import { type EntryFormat, type Format, valueAt } from './format.ts';
import { goose } from './goose.ts';
import { type InputQuestion, readInputs } from './inputs.ts';
import { opencode } from './opencode.ts';
import { beginsLikeLine, notUnderstood, readPastedCommands, startsServer } from './paste-command.ts';
import { isInstallLink, readLink } from './paste-link.ts';
import { snippet } from './paste-snippet.ts';
import { parseDocument, UnreadableDocument } from './read-document.ts';
import { splitCommands } from './split-words.ts';
import type { VariablePlace } from './variables.ts';
import { vscode } from './vscode.ts';
import { zed } from './zed.ts';

export interface PastedServer {
  /** Undefined where the paste does not say: whoever pasted it has to. */
  readonly name: string | undefined;
  /** In the shape of `mcpServers`. */
  readonly entry: JsonObject;
  readonly remarks: readonly Remark[];
  /** What a person has to be asked for before it works. */
  readonly inputs: readonly InputQuestion[];
}

/** Whether a text is a paste, and no name or address. */
export function isPaste(text: string): boolean {
  const pasted = withoutWrapping(text);
  return languageOf(pasted) !== undefined || isInstallLink(pasted) || isCommand(pasted);
}

function isCommand(pasted: string): boolean {
  const [first] = splitCommands(pasted) ?? [pasted.split(/\s+/)];
  return first !== undefined && (beginsLikeLine(first) || startsServer(first));
}

/** Reads a paste. Throws `usage` where it is nothing that is understood, `config_entry_invalid` for a wrong entry. */
export async function readPaste(text: string, platform: string): Promise<readonly PastedServer[]> {
  const pasted = withoutWrapping(text);
  if (pasted === '') throw notUnderstood('there is nothing in it');
  const language = languageOf(pasted);
  if (language !== undefined) return readSnippet(await parseSnippet(pasted, language), { language, platform });
  if (isInstallLink(pasted)) return readSnippet(readLink(pasted), { language: 'jsonc', platform });
  const read = await Promise.all(
    readPastedCommands(pasted).map(async ({ json, name, entry, remarks }) => {
      if (json === undefined) return [{ name, entry, remarks, inputs: [] }];
      const servers = readSnippet(await parseSnippet(json, 'jsonc'), { language: 'jsonc', platform });
      return servers.map((server) => ({
        ...server,
        name: name ?? server.name,
        remarks: [...remarks, ...server.remarks],
      }));
    }),
  );
  return read.flat();
}

/** Without the fences of a block of Markdown, and without the comments before it that say which file or tool it is for. */
function withoutWrapping(text: string): string {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const fenced = /^```[\w-]*\r?\n([\s\S]*?)\r?\n```$/.exec(trimmed)?.[1]?.trim() ?? trimmed;
  return fenced.replace(/^(?:(?:\/\/|#)[^\n]*(?:\n\s*|$)|\/\*[\s\S]*?\*\/\s*)+/, '');
}

/** The language of a tool's file that a text was copied from; undefined: of none. */
function languageOf(pasted: string): Format['language'] | undefined {
  if (/^["{]/.test(pasted)) return 'jsonc';
  if (/^\[\[?\s*mcp_servers\b/.test(pasted)) return 'toml';
  return /^extensions:\s/.test(pasted) ? 'yaml' : undefined;
}

const titles: Readonly<Record<Format['language'], string>> = { jsonc: 'JSON', toml: 'TOML', yaml: 'YAML' };

/** A member of JSON may have been copied without the braces around it. */
async function parseSnippet(text: string, language: Format['language']): Promise<JsonObject> {
  const whole = language !== 'jsonc' || text.startsWith('{') ? text : `{${text.replace(/,\s*$/, '')}}`;
  try {
    return (await parseDocument(whole, language)).value;
  } catch (thrown) {
    if (!(thrown instanceof UnreadableDocument)) throw thrown;
    throw notUnderstood(`it begins like ${titles[language]}, but ${thrown.message}`);
  }
}

interface SnippetFacts {
  readonly language: Format['language'];
  readonly platform: string;
}

function readSnippet(document: JsonObject, { language, platform }: SnippetFacts): readonly PastedServer[] {
  for (const { at, format } of blocks[language]) {
    const block = valueAt(document, at);
    const entries = namedEntries(block);
    if (entries === undefined || (isObject(block) && typeof block['command'] === 'string')) continue;
    const inputs = inputsOf(valueAt(document, at.slice(0, -1)));
    const chosen = isObject(block) ? format(block) : snippet;
    return entries.map(([name, value]) => convert(chosen, { name, value, inputs, platform }));
  }
  const name = document['name'];
  if (isEntry(document)) {
    const named = typeof name === 'string' ? name : undefined;
    const inputs = inputsOf(document);
    const server = convert(snippet, { name: named ?? 'pasted', value: document, inputs, platform });
    return [{ ...server, name: named === undefined ? undefined : server.name }];
  }
  const entries = Object.entries(document);
  if (entries.length === 0 || !entries.every(([, value]) => isObject(value) && isEntry(value))) {
    throw notUnderstood(
      `it is ${titles[language]}, but holds no server: neither "mcpServers" nor an entry with a "command" or a "url"`,
    );
  }
  return entries.map(([entryName, value]) => convert(snippet, { name: entryName, value, inputs: new Map(), platform }));
}

/** Entries by name, or in a list where each has its own. */
function namedEntries(
  block: JsonValue | undefined,
): readonly (readonly [name: string, value: JsonValue])[] | undefined {
  if (isObject(block)) return Object.entries(block);
  if (!Array.isArray(block)) return undefined;
  const items: readonly JsonValue[] = block;
  return items.map((item, index) => {
    const name = isObject(item) ? item['name'] : undefined;
    return [typeof name === 'string' ? name : `server-${index + 1}`, item];
  });
}

function inputsOf(document: JsonValue | undefined): ReadonlyMap<string, InputQuestion> {
  return readInputs(isObject(document) ? document['inputs'] : undefined, { format: 'vscode', folder: undefined });
}

interface PastedBlock {
  /** Where entries may stand. */
  readonly at: readonly string[];
  /** Whose they are then. */
  readonly format: (entries: JsonObject) => EntryFormat;
}

const blocks: Readonly<Record<Format['language'], readonly PastedBlock[]>> = {
  jsonc: [
    { at: ['mcpServers'], format: () => snippet },
    { at: ['amp.mcpServers'], format: () => snippet },
    { at: ['servers'], format: () => vscode },
    { at: ['mcp', 'servers'], format: (entries) => (areOpenCodes(entries) ? opencode : vscode) },
    { at: ['context_servers'], format: () => zed },
    { at: ['mcp'], format: () => opencode },
  ],
  toml: [{ at: ['mcp_servers'], format: () => codex }],
  yaml: [{ at: ['extensions'], format: () => goose }],
};

/** OpenCode and older settings of VS Code have entries in the same place. */
function areOpenCodes(entries: JsonObject): boolean {
  return Object.values(entries).some(
    (entry) => isObject(entry) && (entry['type'] === 'local' || entry['type'] === 'remote'),
  );
}

const isEntry = (value: JsonObject): boolean =>
  ['command', 'url', 'serverUrl', 'httpUrl'].some((member) => Object.hasOwn(value, member));

function convert(
  format: EntryFormat,
  facts: {
    readonly name: string;
    readonly value: JsonValue;
    readonly inputs: ReadonlyMap<string, InputQuestion>;
    readonly platform: string;
  },
): PastedServer {
  const { name, value, platform, inputs } = facts;
  const asked = new Map<string, InputQuestion>();
  const inputSecret: VariablePlace['inputSecret'] = (id) => {
    // An entry is often shown without what describes its inputs.
    const question = inputs.get(id) ?? inputsOf({ inputs: [{ id, type: 'promptString', password: true }] }).get(id);
    if (question !== undefined) asked.set(question.secret, question);
    return question?.secret;
  };
  const place = { platform, folder: undefined, inputSecret, ownVariables: ownVariables(value) };
  const converted = convertEntry(format, { name, value, file: undefined, scope: 'user', disabled: false, place });
  const { entry } = converted;
  const remarks = [...converted.remarks, ...toBeFilledIn(entry)];
  return { name: converted.name, entry, remarks, inputs: [...asked.values()] };
}

/** Variables that an entry gives a value of its own, and does not only hand on. */
function ownVariables(entry: JsonValue): ReadonlySet<string> {
  const env = isObject(entry) ? entry['env'] : undefined;
  const own = Object.entries(isObject(env) ? env : {}).filter(([name, value]) => {
    return typeof value === 'string' && !['{', ':', '.'].some((mark) => value.includes(`${mark}${name}`));
  });
  return new Set(own.map(([name]) => name));
}

/** Values that stand for others: documentation cannot know them. */
function toBeFilledIn(entry: JsonObject): readonly Remark[] {
  return ['env', 'headers'].flatMap((member) => {
    const values = entry[member];
    return Object.entries(isObject(values) ? values : {}).flatMap(([name, value]): readonly Remark[] => {
      const field = `${member}.${name}`;
      if (typeof value !== 'string') return [];
      if (/<[^<>]+>/.test(value)) return [{ field, why: 'has <…> where the value belongs' }];
      const [variable] = /\$[A-Z_][A-Z0-9_]*\b/.exec(value) ?? [];
      if (variable === undefined) return [];
      return [
        { field, why: `has ${variable}, which is taken as it stands: \${${variable.slice(1)}} would be the variable` },
      ];
    });
  });
}
