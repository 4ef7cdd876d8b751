/** Zed: `context_servers` of its settings. */
import { limits } from '../../base/index.ts';
import { readNumber } from '../members.ts';
import type { FieldRule } from './field-rule.ts';
import { commandLine, kind, list, text, textMap } from './reach-fields.ts';
import { oauth } from './sign-in-field.ts';
import { enabledWhen, noEqual } from './use-fields.ts';
import { configFolder, dataFolder } from './folders.ts';
import { blockAt, type Format } from './format.ts';
import { noVariables } from './variables.ts';

/** Older versions counted milliseconds: a number that is long for seconds may mean either. */
const longestSeconds = 3_600;

const timeout: FieldRule = {
  becomes: `\`timeout\`, from seconds; above ${longestSeconds} it may be one of milliseconds, and is not taken`,
  take(draft, field) {
    const value = readNumber(draft.from, field, { least: 0, most: limits.timeoutSeconds * 1_000, unit: 'seconds' });
    if (value === undefined || value === 0) return;
    if (value <= longestSeconds) draft.entry['timeout'] = value;
    else draft.remarks.push({ field, why: 'may count seconds, or milliseconds as older versions did; it is left out' });
  },
};

export const zed: Format = {
  id: 'zed',
  title: 'Zed',
  language: 'jsonc',
  userFiles: (machine) => [
    machine.platform === 'win32'
      ? dataFolder(machine, 'Zed', 'settings.json')
      : configFolder(machine, 'zed', 'settings.json'),
  ],
  projectFiles: ['.zed/settings.json'],
  key: 'context_servers',
  blocks: blockAt('context_servers'),
  timeUnit: 'seconds',
  variables: noVariables,
  fields: {
    source: kind({ custom: null, extension: { refused: 'an extension of Zed starts it' } }),
    command: commandLine('object'),
    args: list('args'),
    env: textMap('env'),
    url: text('url'),
    headers: textMap('headers'),
    oauth: oauth({ client_id: 'clientId', client_secret: 'clientSecret' }),
    enabled: enabledWhen(true),
    timeout,
    remote: noEqual('servers run on this machine'),
    settings: noEqual('settings of extensions are not handed over'),
  },
  refuses: (entry) =>
    entry['settings'] !== undefined && entry['command'] === undefined && entry['url'] === undefined
      ? 'has only settings: an extension of Zed starts it'
      : undefined,
};
