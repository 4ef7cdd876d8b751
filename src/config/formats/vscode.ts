/** VS Code: `mcp.json` of the user, of each profile and of a workspace, and `mcp` of older settings; inputs are asked for once and kept as secrets. */
import { cwd, kind, list, text, textMap } from './reach-fields.ts';
import { oauth } from './sign-in-field.ts';
import { noEqual, nothing } from './use-fields.ts';
import { dataFolder } from './folders.ts';
import { type Format, valueAt } from './format.ts';
import { editorVariables } from './variables.ts';

export const vscode: Format = {
  id: 'vscode',
  title: 'VS Code',
  language: 'jsonc',
  userFiles: (machine) =>
    ['Code', 'Code - Insiders', 'VSCodium'].flatMap((product) => [
      dataFolder(machine, product, 'User', 'mcp.json'),
      dataFolder(machine, product, 'User', 'settings.json'),
      dataFolder(machine, product, 'User', 'profiles', '*', 'mcp.json'),
    ]),
  projectFiles: ['.vscode/mcp.json', '.vscode/settings.json'],
  key: 'servers; mcp.servers of settings.json',
  blocks: (document) =>
    [[], ['mcp']].map((path) => ({
      at: [...path, 'servers'],
      entries: valueAt(document, [...path, 'servers']),
      inputs: valueAt(document, [...path, 'inputs']),
    })),
  timeUnit: undefined,
  variables: editorVariables,
  fields: {
    command: text('command'),
    args: list('args'),
    env: textMap('env', 'loose'),
    cwd,
    url: text('url'),
    headers: textMap('headers'),
    type: kind({ stdio: null, http: null, sse: 'sse' }),
    oauth: oauth({ clientId: 'clientId' }),
    envFile: noEqual('variables are not read from files; put them into env'),
    dev: noEqual('servers are not restarted when files change'),
    sandboxEnabled: noEqual('processes run without a sandbox'),
    sandbox: noEqual('processes run without a sandbox'),
    gallery: nothing,
    version: nothing,
  },
};
