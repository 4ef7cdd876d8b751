/**
 * What people paste to add a server: JSON from a server's documentation, or the command line by which another tool would add it.
 * Pure; whoever calls it decides what becomes of it.
 */
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { convertEntry } from './convert.ts';
import type { Remark } from './field-rule.ts';
import { cwd, kind, list, text, textMap, words } from './reach-fields.ts';
import { enabledWhen, noEqual, nothing, same } from './use-fields.ts';
import { type Format, valueAt } from './format.ts';
import { opencode } from './opencode.ts';
import { notUnderstood, readPastedCommand } from './paste-command.ts';
import { type InputQuestion, readInputs } from './inputs.ts';
import { parseDocument, UnreadableDocument } from './read-document.ts';
import { editorVariables, type VariablePlace, type VariableSyntax } from './variables.ts';
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

/** `${NAME}` as most tools write it, and the editors' forms. */
const snippetVariables: VariableSyntax = {
  says: '`${NAME}`, `${NAME:-default}` and those of editors',
  pattern: /\$\{([^}]*)\}/g,
  meaning: (match, place) => {
    const [, inner = ''] = match;
    const [name = '', ...fallback] = inner.split(':-');
    if (!/^[A-Z_][A-Z0-9_]*$/i.test(name) || /^(workspaceFolder|userHome|pathSeparator)/.test(name)) {
      return editorVariables.meaning?.(match, place) ?? { kind: 'text', text: match[0] };
    }
    return { kind: 'variable', name, fallback: fallback.length === 0 ? undefined : fallback.join(':-') };
  },
};

const transport = kind({
  stdio: null,
  local: null,
  remote: null,
  http: null,
  sse: 'sse',
  'streamable-http': 'streamable',
  streamableHttp: 'streamable',
  streamable_http: 'streamable',
  auto: null,
  streamable: 'streamable',
  events: 'events',
});

/** An entry of which nobody knows for which tool it was written. */
const snippet: Pick<Format, 'variables' | 'fields'> = {
  variables: snippetVariables,
  fields: {
    command: text('command'),
    args: list('args'),
    env: textMap('env', 'loose'),
    cwd,
    url: text('url'),
    serverUrl: text('url'),
    httpUrl: text('url'),
    headers: textMap('headers'),
    type: transport,
    transport,
    description: words('description'),
    disabled: enabledWhen(false),
    enabled: enabledWhen(true),
    timeout: noEqual('some tools count seconds and some milliseconds: give --timeout'),
    name: nothing,
    // What only Trestle knows was written for it.
    auth: same,
    framing: same,
    idleTimeoutMinutes: same,
    lifecycle: same,
    protocol: same,
    protocolVersions: same,
    redirects: same,
    sharing: same,
    tools: same,
    alwaysAllow: noEqual('whether a call is asked about is said by tools.ask'),
    autoApprove: noEqual('whether a call is asked about is said by tools.ask'),
  },
};

/** Reads a paste. Throws `usage` where it is nothing that is understood, `config_entry_invalid` for a wrong entry. */
export async function readPaste(pasted: string, platform: string): Promise<readonly PastedServer[]> {
  const trimmed = withoutFence(pasted.replace(/^\uFEFF/, '').trim());
  if (trimmed === '') throw notUnderstood('there is nothing in it');
  if (!/^["{]/.test(trimmed)) {
    const { json, ...given } = readPastedCommand(trimmed);
    if (json === undefined) return [{ ...given, remarks: given.remarks, inputs: [] }];
    const servers = await readPastedJson(json, platform);
    return servers.map((server) => ({ ...server, name: given.name ?? server.name }));
  }
  return readPastedJson(trimmed, platform);
}

/** A block of Markdown is pasted with its fences at times. */
function withoutFence(text: string): string {
  return /^```[\w-]*\n([\s\S]*?)\n```$/.exec(text)?.[1]?.trim() ?? text;
}

async function readPastedJson(json: string, platform: string): Promise<readonly PastedServer[]> {
  const document = await parseSnippet(json);
  for (const [path, format] of blocks) {
    const entries = valueAt(document, path);
    if (!isObject(entries) || typeof entries['command'] === 'string') continue;
    const inputs = readInputs(valueAt(document, [...path.slice(0, -1), 'inputs']), {
      format: 'vscode',
      folder: undefined,
    });
    return Object.entries(entries).map(([name, value]) => convert(format, { name, value, inputs, platform }));
  }
  const name = document['name'];
  if (isEntry(document)) {
    const named = typeof name === 'string' ? name : undefined;
    const server = convert(snippet, { name: named ?? 'pasted', value: document, inputs: new Map(), platform });
    return [{ ...server, name: named === undefined ? undefined : server.name }];
  }
  const entries = Object.entries(document);
  if (entries.length === 0 || !entries.every(([, value]) => isObject(value) && isEntry(value))) {
    throw notUnderstood(
      'it is JSON, but holds no server: neither "mcpServers" nor an entry with a "command" or a "url"',
    );
  }
  return entries.map(([entryName, value]) => convert(snippet, { name: entryName, value, inputs: new Map(), platform }));
}

/** Where entries may stand, and whose they are then. */
const blocks: readonly (readonly [
  path: readonly string[],
  format: Pick<Format, 'variables' | 'fields' | 'refuses'>,
])[] = [
  [['mcpServers'], snippet],
  [['servers'], vscode],
  [['mcp', 'servers'], vscode],
  [['context_servers'], zed],
  [['mcp'], opencode],
];

const isEntry = (value: JsonObject): boolean =>
  ['command', 'url', 'serverUrl', 'httpUrl'].some((member) => Object.hasOwn(value, member));

/** JSON, also a member that was copied without the braces around it. */
async function parseSnippet(json: string): Promise<JsonObject> {
  const whole = json.startsWith('{') ? json : `{${json.replace(/,\s*$/, '')}}`;
  try {
    return (await parseDocument(whole, 'jsonc')).value;
  } catch (thrown) {
    if (thrown instanceof UnreadableDocument) throw notUnderstood(`it begins like JSON, but ${thrown.message}`);
    throw thrown;
  }
}

function convert(
  format: Pick<Format, 'variables' | 'fields' | 'refuses'>,
  facts: {
    readonly name: string;
    readonly value: JsonValue;
    readonly inputs: ReadonlyMap<string, InputQuestion>;
    readonly platform: string;
  },
): PastedServer {
  const asked = new Map<string, InputQuestion>();
  const inputSecret: VariablePlace['inputSecret'] = (id) => {
    const question = facts.inputs.get(id);
    if (question !== undefined) asked.set(question.secret, question);
    return question?.secret;
  };
  const { name, value, platform } = facts;
  const place = { platform, folder: undefined, inputSecret };
  const converted = convertEntry(format, { name, value, file: undefined, scope: 'user', disabled: false, place });
  return { name: converted.name, entry: converted.entry, remarks: converted.remarks, inputs: [...asked.values()] };
}
