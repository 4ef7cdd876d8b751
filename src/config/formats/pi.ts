/** Pi: the files of its MCP extensions, which follow `mcpServers`. */
import type { FieldRule } from './field-rule.ts';
import { cwd, list, text, textMap, token, tokenVariable, words } from './reach-fields.ts';
import { idleMinutes, noEqual, nothing, same, time, toolNames } from './use-fields.ts';
import { folderOf, pathsOf } from './folders.ts';
import { blockAt, type Format } from './format.ts';
import { readAny } from '../members.ts';
import { ownVariables } from './variables.ts';

/** Trestle's own member, or the name of a way to sign in that the adapter knows. */
const auth: FieldRule = {
  becomes: '`auth`; `bearer` alone stands for the members below',
  take(draft, field) {
    const value = readAny(draft.from, field);
    if (value !== undefined && value !== 'bearer') draft.entry[field] = value;
  },
};

export const pi: Format = {
  id: 'pi',
  title: 'Pi',
  language: 'jsonc',
  userFiles: (machine) =>
    ['mcp.json', 'mcp-servers.json'].map((file) =>
      pathsOf(machine.platform).join(folderOf(machine, 'PI_CODING_AGENT_DIR', '.pi', 'agent'), file),
    ),
  projectFiles: ['.pi/mcp.json', '.pi/mcp-servers.json'],
  key: 'mcpServers',
  blocks: blockAt('mcpServers'),
  timeUnit: 'seconds',
  variables: ownVariables,
  fields: {
    command: text('command'),
    args: list('args'),
    env: textMap('env'),
    cwd,
    url: text('url'),
    headers: textMap('headers'),
    type: same,
    transport: same,
    framing: same,
    redirects: same,
    auth,
    bearerToken: token,
    bearerTokenEnv: tokenVariable,
    timeout: time('seconds'),
    requestTimeoutMs: time('milliseconds'),
    enabled: same,
    disabled: same,
    description: words('description'),
    lifecycle: same,
    idleTimeoutMinutes: same,
    idleTimeout: idleMinutes,
    sharing: same,
    protocol: same,
    protocolVersions: same,
    tools: same,
    excludeTools: toolNames('deny'),
    directTools: noEqual('a model sees all servers through the same few tools'),
    exposeResources: nothing,
    exposure: nothing,
    debug: nothing,
  },
};
