/** Cursor. */
import { kind, list, text, textMap } from './reach-fields.ts';
import { oauth } from './sign-in-field.ts';
import { enabledWhen, noEqual } from './use-fields.ts';
import { inHome } from './folders.ts';
import { blockAt, type Format } from './format.ts';
import { editorVariables } from './variables.ts';

export const cursor: Format = {
  id: 'cursor',
  title: 'Cursor',
  language: 'jsonc',
  userFiles: (machine) => [inHome(machine, '.cursor', 'mcp.json')],
  projectFiles: ['.cursor/mcp.json'],
  key: 'mcpServers',
  blocks: blockAt('mcpServers'),
  timeUnit: undefined,
  variables: editorVariables,
  fields: {
    command: text('command'),
    args: list('args'),
    env: textMap('env'),
    url: text('url'),
    headers: textMap('headers'),
    type: kind({ stdio: null, http: null, 'streamable-http': 'streamable', streamableHttp: 'streamable', sse: 'sse' }),
    disabled: enabledWhen(false),
    auth: oauth({ CLIENT_ID: 'clientId', CLIENT_SECRET: 'clientSecret', scopes: 'scope' }),
    envFile: noEqual('variables are not read from files; put them into env'),
  },
};
