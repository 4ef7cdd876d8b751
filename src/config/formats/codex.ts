/** Codex: `[mcp_servers.<name>]` of its TOML; values are taken as they stand, variables have members of their own. */
import { cwd, headerVariables, list, text, textMap, tokenVariable, variableNames } from './reach-fields.ts';
import { oauth, scopeList } from './sign-in-field.ts';
import { enabledWhen, noEqual, nothing, time, toolNames } from './use-fields.ts';
import { inNamedFolder } from './folders.ts';
import { blockAt, type Format } from './format.ts';
import { noVariables } from './variables.ts';

export const codex: Format = {
  id: 'codex',
  title: 'Codex',
  language: 'toml',
  userFiles: (machine) => [inNamedFolder(machine, { variable: 'CODEX_HOME', usual: ['.codex'] }, 'config.toml')],
  projectFiles: ['.codex/config.toml'],
  key: 'mcp_servers',
  blocks: blockAt('mcp_servers'),
  timeUnit: 'seconds',
  variables: {
    ...noVariables,
    says: 'none in values; `env_vars`, `bearer_token_env_var` and `env_http_headers` name variables',
  },
  fields: {
    command: text('command'),
    args: list('args'),
    env: textMap('env'),
    env_vars: variableNames(),
    cwd,
    url: text('url'),
    http_headers: textMap('headers'),
    env_http_headers: headerVariables,
    bearer_token_env_var: tokenVariable,
    oauth: oauth({ client_id: 'clientId' }),
    enabled: enabledWhen(true),
    tool_timeout_sec: time('seconds'),
    enabled_tools: toolNames('allow'),
    disabled_tools: toolNames('deny'),
    startup_timeout_sec: noEqual('the time to start counts as that of a request'),
    startup_timeout_ms: noEqual('the time to start counts as that of a request'),
    scopes: scopeList,
    oauth_resource: noEqual('tokens are asked for the URL itself'),
    bearer_token: noEqual('Codex refuses it too'),
    default_tools_approval_mode: noEqual('whether a call is asked about is said by tools.ask', ['auto', 'approve']),
    tools: noEqual('whether a call is asked about is said by tools.ask'),
    name: nothing,
    required: nothing,
    supports_parallel_tool_calls: nothing,
  },
};
