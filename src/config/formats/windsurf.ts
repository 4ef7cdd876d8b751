/** Windsurf. */
import { list, text, textMap } from './reach-fields.ts';
import { enabledWhen, noEqual, toolNames } from './use-fields.ts';
import { inHome } from './folders.ts';
import { blockAt, type Format } from './format.ts';
import { environmentVariables } from './variables.ts';

export const windsurf: Format = {
  id: 'windsurf',
  title: 'Windsurf',
  language: 'jsonc',
  userFiles: (machine) => [inHome(machine, '.codeium', 'windsurf', 'mcp_config.json')],
  projectFiles: [],
  key: 'mcpServers',
  blocks: blockAt('mcpServers'),
  timeUnit: undefined,
  variables: environmentVariables,
  fields: {
    command: text('command'),
    args: list('args'),
    env: textMap('env'),
    url: text('url'),
    serverUrl: text('url'),
    headers: textMap('headers'),
    disabled: enabledWhen(false),
    disabledTools: toolNames('deny'),
    alwaysAllow: noEqual('whether a call is asked about is said by tools.ask'),
  },
};
