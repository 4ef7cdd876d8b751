/**
 * index.json as text. It is JSON with a line for each server and each tool, written by nobody else: so a reader cuts out
 * the servers without parsing the tools, which most commands only count. A file of another form, as after an edit by
 * hand, counts as none and is made anew.
 */
import { isObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../base/index.ts';
import type { IndexedTool, IndexEntry } from './index-entry.ts';

const opening = '{"servers":[\n';
const toolsOpening = ',"tools":[\n';
const toolsEnd = '\n]}';

export function indexText(entries: ReadonlyMap<string, IndexEntry>): string {
  const servers = [...entries.values()].map(({ tools, ...head }) => {
    const lines = tools.map((tool) => stringifyJson(tool)).join(',\n');
    return `${stringifyJson(head).slice(0, -1)}${toolsOpening}${lines}${toolsEnd}`;
  });
  return `${opening}${servers.join(',\n')}${toolsEnd}\n`;
}

/**
 * The entries in an index's text; `remake` gives the tools of a server whose lines turn out to be broken. Works on bytes:
 * decoding half a megabyte at start-up costs more than all the rest.
 */
export function readIndexText(
  bytes: Buffer,
  remake: (server: string) => readonly IndexedTool[],
): ReadonlyMap<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>();
  let position = opening.length;
  if (bytes.toString('utf8', 0, position) !== opening) return entries;
  for (;;) {
    const headEnd = bytes.indexOf(toolsOpening, position);
    const from = headEnd + toolsOpening.length;
    const end = bytes.indexOf(toolsEnd, from);
    if (headEnd < 0 || end < 0) return entries;
    const head = readHead(`${bytes.toString('utf8', position, headEnd)}}`);
    if (head === undefined) return new Map();
    entries.set(
      head.name,
      withTools(head, () => readTools(bytes.toString('utf8', from, end)) ?? remake(head.name)),
    );
    position = end + toolsEnd.length + ',\n'.length;
  }
}

type Head = Omit<IndexEntry, 'tools'>;

/** Most commands never ask for the tools. */
function withTools(head: Head, read: () => readonly IndexedTool[]): IndexEntry {
  let tools: readonly IndexedTool[] | undefined;
  return {
    ...head,
    get tools() {
      tools ??= read();
      return tools;
    },
  };
}

/** Looks at every member: a file that somebody edited must not become a crash elsewhere. */
function readHead(text: string): Head | undefined {
  const raw = parsed(text);
  if (!isObject(raw)) return undefined;
  const texts = ['name', 'description', 'instructions', 'syncedAt', 'stamp', 'filesStamp'];
  const counts = ['toolCount', 'resources', 'resourceTemplates', 'prompts'];
  const fits =
    texts.every((member) => typeof raw[member] === 'string') &&
    counts.every((member) => typeof raw[member] === 'number') &&
    (raw['transport'] === 'stdio' || raw['transport'] === 'http');
  return fits ? (raw as unknown as Head) : undefined;
}

function readTools(lines: string): readonly IndexedTool[] | undefined {
  const raw = parsed(`[${lines}]`);
  if (!Array.isArray(raw)) return undefined;
  const tools = raw as readonly JsonValue[];
  return tools.every(isIndexedTool) ? tools : undefined;
}

function isIndexedTool(raw: JsonValue): raw is JsonObject & IndexedTool {
  if (!isObject(raw)) return false;
  const { name, key, description, title } = raw;
  return (
    typeof name === 'string' &&
    typeof key === 'string' &&
    typeof description === 'string' &&
    (title === undefined || typeof title === 'string')
  );
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
