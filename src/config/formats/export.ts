/** The way back: Trestle's servers in the words of other tools. Secrets are never written out; what has no equal is named. */
import { type JsonObject, type JsonValue, prettyJson } from '../../base/index.ts';
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
  takeSignIn,
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
  mcpServers: (writer) =>
    common(writer, shellWords, {
      signIn: { clientId: 'clientId', redirectPort: 'callbackPort', scope: 'scopes' },
    }),
  vscode: (writer) => common(writer, editorWords, { stdioType: 'stdio', signIn: { clientId: 'clientId' } }),
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
  facts: {
    /** The type of a process, where it is said. */
    readonly stdioType?: string;
    /** What the members of a sign-in are called. */
    readonly signIn: Readonly<Record<string, string>>;
  },
): JsonObject {
  const url = takeText(writer, words, 'url');
  const isOff = take(writer, 'enabled') === false;
  const off = isOff && facts.stdioType === undefined ? { disabled: true } : {};
  if (isOff && facts.stdioType !== undefined)
    writer.remark('enabled', 'is no matter of the file there: the server is on');
  if (url !== undefined) {
    const type = take(writer, 'transport') === 'sse' ? 'sse' : 'http';
    const oauth = takeSignIn(writer, facts.signIn, (text, field) => say(writer, words, { text, field }));
    const isSaid = oauth !== undefined && Object.keys(oauth).length > 0;
    return present({
      type,
      url,
      headers: takeMap(writer, words, 'headers'),
      oauth: isSaid ? oauth : undefined,
      ...off,
    });
  }
  const args = takeList(writer, words, 'args');
  return present({
    type: facts.stdioType,
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
  if (writer.entry['auth'] === false) return (writer.taken.add('auth'), false);
  const names = { clientId: 'clientId', clientSecret: 'clientSecret', scope: 'scope' };
  return takeSignIn(writer, names, (text, field) => say(writer, braceWords, { text, field }));
}
