/** Pi: the files of its own support for MCP servers and of its MCP extensions, which follow `mcpServers`. */
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import type { Draft, FieldRule } from './field-rule.ts';
import { cwd, list, text, textMap, token, tokenVariable, words } from './reach-fields.ts';
import { oauth } from './sign-in-field.ts';
import { era, idleMinutes, noEqual, nothing, same, time, toolNames } from './use-fields.ts';
import { configFolder, inNamedFolder, inHome } from './folders.ts';
import { type Format, valueAt } from './format.ts';
import { opencode } from './opencode.ts';
import { entryError, readAny } from '../members.ts';
import { ownVariables } from './variables.ts';

/** Trestle's own member, or the name of a way to sign in that the adapter knows. */
const auth: FieldRule = {
  becomes: '`auth`; `bearer` alone stands for the members below',
  take(draft, field) {
    const value = readAny(draft.from, field);
    if (value !== undefined && value !== 'bearer') draft.entry[field] = value;
  },
};

/** A text as it is meant. Pi runs one that begins with `!`, and takes what it prints; `!!` stands for `!` itself. */
function unescaped(draft: Draft, text: string, member: string): string {
  if (text.startsWith('!!')) return text.slice(1);
  if (text.startsWith('!')) throw entryError(draft.from, member, 'is a command that Pi would run');
  return text;
}

/** A rule for texts of which some are commands, by what it is for texts. */
function withoutCommands(rule: FieldRule, members: (value: JsonValue) => readonly string[]): FieldRule {
  return {
    becomes: `${rule.becomes}; a command (\`!…\`) has no equal`,
    take(draft, field) {
      const value = draft.from.value[field] ?? null;
      const changed =
        typeof value === 'string' ? unescaped(draft, value, field) : unescapedMembers(draft, field, members(value));
      const from = { ...draft.from, value: { ...draft.from.value, [field]: changed } };
      rule.take({ ...draft, from }, field);
    },
  };
}

function unescapedMembers(draft: Draft, field: string, names: readonly string[]): JsonValue {
  const value = draft.from.value[field] ?? null;
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([name, member]) => {
    const isText = typeof member === 'string' && names.includes(name);
    return [name, isText ? unescaped(draft, member, `${field}.${name}`) : member] as const;
  });
  return Object.fromEntries(changed);
}

const namesOf = (value: JsonValue): readonly string[] => (isObject(value) ? Object.keys(value) : []);

/** A way of life that the adapter has beside ours: connected at its first use, and then for good. */
const lifecycle: FieldRule = {
  becomes: '`lifecycle`; `lazy-keep-alive` is `lazy` without a time after which it is closed',
  take(draft, field) {
    const value = readAny(draft.from, field);
    if (value === undefined) return;
    draft.entry[field] = value === 'lazy-keep-alive' ? 'lazy' : value;
    if (value === 'lazy-keep-alive') draft.entry['idleTimeoutMinutes'] = 0;
  },
};

export const pi: Format = {
  id: 'pi',
  title: 'Pi',
  language: 'jsonc',
  userFiles: (machine) => [
    ...['mcp.json', 'mcp-servers.json'].map((file) =>
      inNamedFolder(machine, { variable: 'PI_CODING_AGENT_DIR', usual: ['.pi', 'agent'] }, file),
    ),
    // What the adapter shares with other tools.
    configFolder(machine, 'mcp', 'mcp.json'),
    inHome(machine, '.agents', 'mcp.json'),
    inHome(machine, '.agents', 'mcp', 'mcp.json'),
  ],
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
  variables: {
    ...ownVariables,
    says: `${ownVariables.says}, \`{env:NAME}\``,
    asOwn: (value) => value.replaceAll(/(?<!\$)\{env:(\w+)\}/g, (_whole, name: string) => `\${${name}}`),
  },
  fields: {
    command: text('command'),
    args: list('args'),
    env: withoutCommands(textMap('env'), namesOf),
    cwd,
    url: text('url'),
    headers: withoutCommands(textMap('headers'), namesOf),
    type: same,
    transport: same,
    framing: same,
    redirects: same,
    auth,
    oauth: withoutCommands(
      oauth({ clientId: 'clientId', clientSecret: 'clientSecret', scope: 'scope', callbackPort: 'redirectPort' }),
      () => ['clientSecret'],
    ),
    bearerToken: withoutCommands(token, namesOf),
    bearerTokenEnv: tokenVariable,
    timeout: time('seconds'),
    requestTimeoutMs: time('milliseconds'),
    enabled: same,
    disabled: same,
    description: words('description'),
    lifecycle,
    idleTimeoutMinutes: same,
    idleTimeout: idleMinutes,
    sharing: same,
    protocol: same,
    protocolVersion: era,
    protocolVersions: same,
    tools: same,
    includeTools: toolNames('allow', 'empty-is-all'),
    excludeTools: toolNames('deny'),
    directTools: noEqual('a model sees all servers through the same few tools'),
    exposeResources: nothing,
    exposure: nothing,
    toolExposure: noEqual('a model sees all servers through the same few tools'),
    requestHeadersCommand: noEqual('a program that makes headers is not run'),
    bearerTokenStore: noEqual("the adapter's store is not read: keep the token with `trestle secret set`"),
    literalEnv: noEqual('what looks like a variable in env is replaced'),
    inheritEnv: nothing,
    toolPrefix: nothing,
    searchKeywords: nothing,
    trace: nothing,
    debug: nothing,
  },
  refuses: (entry) => {
    if (entry['socket'] !== undefined) return 'has socket: Trestle does not speak over Unix sockets';
    return isReached(entry) ? undefined : 'only switches on or off what stands in another file';
  },
};

const isReached = (entry: JsonObject): boolean =>
  ['command', 'url', 'type'].some((member) => entry[member] !== undefined);
