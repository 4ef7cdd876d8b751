/** Goose: `extensions` of its YAML. */
import { isObject } from '../../base/index.ts';
import { readTextMap } from '../members.ts';
import type { FieldRule } from './field-rule.ts';
import { cwd, kind, list, text, textMap, variableNames, words } from './reach-fields.ts';
import { enabledWhen, nothing, time, toolNames } from './use-fields.ts';
import { configFolder, dataFolder } from './folders.ts';
import { blockAt, type Format } from './format.ts';
import { noVariables, shellVariables, translateVariables } from './variables.ts';

/** The only member in which something is replaced, first by what stands under `envs`. An address has no variables besides. */
const headers: FieldRule = {
  becomes: '`headers`, with what stands under `envs` put in',
  take(draft, field) {
    const members = readTextMap(draft.from, field);
    if (members === undefined) return;
    const { env } = draft.entry;
    const known = isObject(env) ? env : {};
    const values = Object.entries(members).map(([name, value]) => {
      const filled = value.replaceAll(/\$\{(\w+)\}/g, (whole, variable: string) => {
        const text = Object.hasOwn(known, variable) ? known[variable] : undefined;
        return typeof text === 'string' && !text.includes('${') ? text : whole;
      });
      return [name, translateVariables(filled, shellVariables, { platform: '', folder: undefined })];
    });
    draft.entry['headers'] = Object.fromEntries(values) as Record<string, string>;
    if (draft.entry['url'] !== undefined) delete draft.entry['env'];
  },
};

const ownTool = { refused: 'it is a part of Goose' } as const;

export const goose: Format = {
  id: 'goose',
  title: 'Goose',
  language: 'yaml',
  userFiles: (machine) => [
    machine.platform === 'win32'
      ? dataFolder(machine, 'Block', 'goose', 'config', 'config.yaml')
      : configFolder(machine, 'goose', 'config.yaml'),
  ],
  projectFiles: [],
  key: 'extensions',
  blocks: blockAt('extensions'),
  timeUnit: 'seconds',
  variables: {
    ...noVariables,
    says: '`${NAME}` in `headers`, from `envs`, `env_keys` and the environment; none elsewhere',
  },
  fields: {
    type: kind({
      stdio: null,
      streamable_http: 'streamable',
      sse: 'sse',
      builtin: ownTool,
      platform: ownTool,
      frontend: ownTool,
      inline_python: { refused: 'it is a program written into the file' },
    }),
    cmd: text('command'),
    args: list('args'),
    envs: textMap('env'),
    env_keys: variableNames(
      'Goose may keep the values in its keyring, which is not read: set the variables, or keep them with `trestle secret set`',
    ),
    cwd,
    uri: text('url'),
    headers,
    timeout: time('seconds'),
    enabled: enabledWhen(true),
    description: words('description'),
    available_tools: toolNames('allow', 'empty-is-all'),
    name: nothing,
    display_name: nothing,
    bundled: nothing,
  },
};
