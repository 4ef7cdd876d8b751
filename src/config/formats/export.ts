/** The way back: Trestle's servers in the words of other tools. Secrets are never written out; what has no equal is named. */
import { isObject, type JsonObject, type JsonValue, prettyJson } from '../../base/index.ts';
import type { Definition } from '../definition.ts';
import { entryOfDefinition } from './definition-entry.ts';
import { withoutSecrets } from './entry-secrets.ts';
import { writeCodex } from './export-codex.ts';
import {
  braceWords,
  editorWords,
  present,
  say,
  shellWords,
  take,
  takeList,
  takeMap,
  takeText,
  type Words,
  type Writer,
} from './export-words.ts';
import type { Remark } from './field-rule.ts';

export const exportFormats = ['mcpServers', 'opencode', 'vscode', 'codex'] as const;

export type ExportFormat = (typeof exportFormats)[number];

export interface ExportRemark extends Remark {
  readonly server: string;
}

export interface Exported {
  readonly text: string;
  readonly remarks: readonly ExportRemark[];
}

/** The servers as a file of the other tool would have them. */
export async function exportServers(definitions: readonly Definition[], format: ExportFormat): Promise<Exported> {
  const remarks: ExportRemark[] = [];
  const inputs = new Map<string, JsonObject>();
  const entries: Record<string, JsonValue> = {};
  for (const definition of definitions) {
    const { name } = definition;
    const { entry } = withoutSecrets(name, entryOfDefinition(definition), undefined);
    const writer: Writer = {
      entry,
      inputs,
      remark: (field, why) => void remarks.push({ server: name, field, why }),
      taken: new Set(),
    };
    entries[name] = writers[format](writer);
    for (const field of Object.keys(entry)) {
      if (!writer.taken.has(field)) writer.remark(field, 'has no equal there');
    }
  }
  return { text: await documents[format](entries, [...inputs.values()]), remarks };
}

const writers: Readonly<Record<ExportFormat, (writer: Writer) => JsonObject>> = {
  mcpServers: (writer) => common(writer, shellWords, { http: 'http', remoteType: true }),
  vscode: (writer) => common(writer, editorWords, { http: 'http', remoteType: true, stdioType: 'stdio' }),
  opencode: writeOpenCode,
  codex: writeCodex,
};

const documents: Readonly<
  Record<ExportFormat, (entries: JsonObject, inputs: readonly JsonObject[]) => string | Promise<string>>
> = {
  mcpServers: (mcpServers) => prettyJson({ mcpServers }),
  vscode: (servers, inputs) => prettyJson(inputs.length === 0 ? { servers } : { inputs, servers }),
  opencode: (mcp) => prettyJson({ $schema: 'https://opencode.ai/config.json', mcp }),
  codex: async (servers) => (await import('smol-toml')).stringify({ mcp_servers: servers }) + '\n',
};

/** The shape that most tools share. Time limits are left out: some count seconds, and some milliseconds. */
function common(
  writer: Writer,
  words: Words,
  types: { readonly http: string; readonly remoteType: boolean; readonly stdioType?: string },
): JsonObject {
  const url = takeText(writer, words, 'url');
  const isOff = take(writer, 'enabled') === false;
  const off = isOff && types.stdioType === undefined ? { disabled: true } : {};
  if (isOff && types.stdioType !== undefined)
    writer.remark('enabled', 'is no matter of the file there: the server is on');
  if (url !== undefined) {
    const type = take(writer, 'transport') === 'sse' ? 'sse' : types.http;
    return present({ type, url, headers: takeMap(writer, words, 'headers'), ...off });
  }
  const args = takeList(writer, words, 'args');
  return present({
    type: types.stdioType,
    command: takeText(writer, words, 'command'),
    args,
    env: takeMap(writer, words, 'env'),
    cwd: takeText(writer, words, 'cwd'),
    ...off,
  });
}

function writeOpenCode(writer: Writer): JsonObject {
  const url = takeText(writer, braceWords, 'url');
  const timeout = take(writer, 'timeout');
  const shared = {
    ...(take(writer, 'enabled') === false ? { enabled: false } : {}),
    ...(typeof timeout === 'number' ? { timeout: timeout * 1_000 } : {}),
  };
  if (url !== undefined) {
    take(writer, 'transport');
    const headers = takeMap(writer, braceWords, 'headers');
    return present({ type: 'remote', url, headers, oauth: openCodeAuth(writer), ...shared });
  }
  const command = [takeText(writer, braceWords, 'command') ?? '', ...takeList(writer, braceWords, 'args')];
  const environment = takeMap(writer, braceWords, 'env');
  return present({ type: 'local', command, environment, cwd: takeText(writer, braceWords, 'cwd'), ...shared });
}

function openCodeAuth(writer: Writer): JsonValue | undefined {
  const auth = writer.entry['auth'];
  if (auth === false) return (writer.taken.add('auth'), false);
  if (!isObject(auth) || auth['type'] !== 'oauth') return undefined;
  writer.taken.add('auth');
  const { clientId, scope, clientSecret } = auth;
  const text = (value: JsonValue | undefined, field: string): string | undefined =>
    typeof value === 'string' ? say(writer, braceWords, { text: value, field }) : undefined;
  return present({
    clientId: text(clientId, 'auth.clientId'),
    clientSecret: text(clientSecret, 'auth.clientSecret'),
    scope: text(scope, 'auth.scope'),
  });
}
