/** OpenCode: entries under `mcp`, or in its second version under `mcp.servers`. */
import { isObject, type JsonObject } from '../../base/index.ts';
import { commandLine, cwd, kind, text, textMap } from './reach-fields.ts';
import { oauth } from './sign-in-field.ts';
import { enabledWhen, era, nothing, times } from './use-fields.ts';
import { configFolder, named } from './folders.ts';
import { type Format, valueAt } from './format.ts';
import { braceVariables } from './variables.ts';

export const opencode: Format = {
  id: 'opencode',
  title: 'OpenCode',
  language: 'jsonc',
  userFiles: (machine) => [
    ...['opencode.json', 'opencode.jsonc', 'config.json'].map((file) => configFolder(machine, 'opencode', file)),
    ...named(machine, 'OPENCODE_CONFIG', []),
    ...named(machine, 'OPENCODE_CONFIG_DIR', ['opencode.json', 'opencode.jsonc']),
  ],
  projectFiles: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
  key: 'mcp; mcp.servers',
  blocks: (document) => {
    const path = hasSecondForm(document) ? ['mcp', 'servers'] : ['mcp'];
    return [{ at: path, entries: valueAt(document, path) }];
  },
  timeUnit: 'milliseconds',
  variables: braceVariables,
  fields: {
    type: kind({ local: null, remote: null }),
    command: { ...commandLine('list'), take: (draft, field) => takeCommand(draft, field) },
    environment: textMap('env'),
    cwd,
    url: text('url'),
    headers: textMap('headers'),
    oauth: oauth({
      clientId: 'clientId',
      clientSecret: 'clientSecret',
      scope: 'scope',
      client_id: 'clientId',
      client_secret: 'clientSecret',
      callback_port: 'redirectPort',
    }),
    enabled: enabledWhen(true),
    disabled: enabledWhen(false),
    timeout: times('milliseconds', ['execution', 'request']),
    protocol: era,
    codemode: nothing,
  },
  refuses: (entry) =>
    entry['type'] === undefined && entry['command'] === undefined && entry['url'] === undefined
      ? 'only switches on or off what stands in another file'
      : undefined,
};

const takeCommand: ReturnType<typeof commandLine>['take'] = (draft, field) => {
  if (draft.from.value[field] !== undefined) commandLine('list').take(draft, field);
};

/** Whether a document is of the second form: no server of the first, which may be called "servers" or "timeout" too and has a type. */
export function hasSecondForm(document: JsonObject): boolean {
  return ['servers', 'timeout'].some((name) => {
    const member = valueAt(document, ['mcp', name]);
    return isObject(member) && typeof member['type'] !== 'string' && typeof member['enabled'] !== 'boolean';
  });
}
