/** Claude Code: `.mcp.json` of a project, and `~/.claude.json` with servers of the user and of the user in single projects. */
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { kind, list, text, textMap } from './reach-fields.ts';
import { oauth } from './sign-in-field.ts';
import { enabledWhen, noEqual, nothing, time } from './use-fields.ts';
import { inNamedFolder } from './folders.ts';
import { type Block, type Format, valueAt } from './format.ts';
import { shellVariables } from './variables.ts';

export const claudeCode: Format = {
  id: 'claude-code',
  title: 'Claude Code',
  language: 'jsonc',
  userFiles: (machine) => [inNamedFolder(machine, { variable: 'CLAUDE_CONFIG_DIR', usual: [] }, '.claude.json')],
  projectFiles: ['.mcp.json'],
  key: 'mcpServers; projects.<folder>.mcpServers',
  blocks: (document) => [
    { at: ['mcpServers'], entries: valueAt(document, ['mcpServers']) },
    ...projectBlocks(document),
  ],
  timeUnit: 'milliseconds',
  variables: shellVariables,
  fields: {
    command: text('command'),
    args: list('args'),
    env: textMap('env'),
    url: text('url'),
    headers: textMap('headers'),
    type: kind({
      stdio: null,
      http: 'streamable',
      'streamable-http': 'streamable',
      sse: 'sse',
      ws: { refused: 'Trestle does not speak over WebSockets' },
      sdk: { refused: 'it lives in a program that uses the SDK' },
    }),
    timeout: time('milliseconds'),
    disabled: enabledWhen(false),
    oauth: oauth({ clientId: 'clientId', callbackPort: 'redirectPort', scopes: 'scope' }),
    headersHelper: noEqual('a program that makes headers is not run'),
    alwaysLoad: nothing,
  },
};

/** What the user has in single projects. */
function projectBlocks(document: JsonObject): readonly Block[] {
  const projects = valueAt(document, ['projects']);
  if (!isObject(projects)) return [];
  return Object.entries(projects).flatMap(([folder, project]) => {
    const entries = valueAt(project, ['mcpServers']);
    if (entries === undefined || (isObject(entries) && Object.keys(entries).length === 0)) return [];
    const disabled: readonly JsonValue[] = listIn(valueAt(project, ['disabledMcpServers']));
    return [
      { at: ['projects', folder, 'mcpServers'], entries, folder, disabled: (name: string) => disabled.includes(name) },
    ];
  });
}

const listIn = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
