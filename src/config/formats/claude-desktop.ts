/** Claude Desktop: processes only; nothing is replaced in values. */
import { list, text, textMap } from './reach-fields.ts';
import { dataFolder } from './folders.ts';
import { blockAt, type Format } from './format.ts';
import { noVariables } from './variables.ts';

export const claudeDesktop: Format = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  language: 'jsonc',
  userFiles: (machine) => [dataFolder(machine, 'Claude', 'claude_desktop_config.json')],
  projectFiles: [],
  key: 'mcpServers',
  blocks: blockAt('mcpServers'),
  timeUnit: undefined,
  variables: noVariables,
  fields: { command: text('command'), args: list('args'), env: textMap('env') },
};
