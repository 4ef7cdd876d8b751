/** Pi: the files of its own support for MCP servers and of its MCP extensions, which follow `mcpServers`. */
import type { FieldRule } from './field-rule.ts';
import { cwd, list, text, textMap, token, tokenVariable, words } from './reach-fields.ts';
import { oauth } from './sign-in-field.ts';
import { idleMinutes, noEqual, nothing, same, time, toolNames } from './use-fields.ts';
import { folderOf, pathsOf } from './folders.ts';
import { type Format, valueAt } from './format.ts';
import { opencode } from './opencode.ts';
import { entryError, readAny, readTextMap } from '../members.ts';
import { ownVariables } from './variables.ts';

/** Trestle's own member, or the name of a way to sign in that the adapter knows. */
const auth: FieldRule = {
  becomes: '`auth`; `bearer` alone stands for the members below',
  take(draft, field) {
    const value = readAny(draft.from, field);
    if (value !== undefined && value !== 'bearer') draft.entry[field] = value;
  },
};

/** Values by name. Pi runs one that begins with `!`, and takes what it prints. */
function values(to: 'env' | 'headers'): FieldRule {
  const rule = textMap(to);
  return {
    becomes: `${rule.becomes}; a command (\`!…\`) has no equal`,
    take(draft, field) {
      for (const [name, value] of Object.entries(readTextMap(draft.from, field) ?? {})) {
        if (value.startsWith('!')) throw entryError(draft.from, `${field}.${name}`, 'is a command that Pi would run');
      }
      rule.take(draft, field);
    },
  };
}

export const pi: Format = {
  id: 'pi',
  title: 'Pi',
  language: 'jsonc',
  userFiles: (machine) =>
    ['mcp.json', 'mcp-servers.json'].map((file) =>
      pathsOf(machine.platform).join(folderOf(machine, 'PI_CODING_AGENT_DIR', '.pi', 'agent'), file),
    ),
  projectFiles: ['.pi/mcp.json', '.pi/mcp-servers.json'],
  key: 'mcpServers; mcp',
  blocks: (document) => [
    { at: ['mcpServers'], entries: valueAt(document, ['mcpServers']) },
    // The extension pi-mcp-bridge writes entries as OpenCode does, with variables in this family's way.
    {
      at: ['mcp'],
      entries: valueAt(document, ['mcp']),
      written: { variables: ownVariables, fields: { ...opencode.fields, description: words('description') } },
    },
  ],
  timeUnit: 'seconds',
  variables: ownVariables,
  fields: {
    command: text('command'),
    args: list('args'),
    env: values('env'),
    cwd,
    url: text('url'),
    headers: values('headers'),
    type: same,
    transport: same,
    framing: same,
    redirects: same,
    auth,
    oauth: oauth({ clientId: 'clientId', clientSecret: 'clientSecret', scope: 'scope', callbackPort: 'redirectPort' }),
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
    toolExposure: noEqual('a model sees all servers through the same few tools'),
    debug: nothing,
  },
  refuses: (entry) =>
    entry['command'] === undefined && entry['url'] === undefined && entry['type'] === undefined
      ? 'only switches on or off what stands in another file'
      : undefined,
};
