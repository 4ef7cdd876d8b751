/** Goose: `extensions` of its YAML. */
import { isObject } from '../../base/index.ts';
import { readText, readTextMap } from '../members.ts';
import type { Draft, FieldRule } from './field-rule.ts';
import { cwd, kind, list, text, textMap, variableNames, words } from './reach-fields.ts';
import { authMember, scopeList } from './sign-in-field.ts';
import { enabledWhen, nothing, time, toolNames } from './use-fields.ts';
import { configFolder, dataFolder, named } from './folders.ts';
import { blockAt, type Format } from './format.ts';
import { noVariables, translateVariables, type VariableSyntax } from './variables.ts';

const keyring =
  'Goose may keep the values in its keyring, which is not read: set the variables, or keep them with `trestle secret set`';

/** What stands under `envs` and `env_keys` is put in; what looks like another variable stays as it stands. */
function filled(draft: Draft, value: string, field: string): string {
  const env = draft.entry['env'];
  const known = isObject(env) ? env : {};
  const syntax: VariableSyntax = {
    says: '',
    pattern: /\$(?:([A-Za-z_]\w*)|\{\s*([A-Za-z_]\w*)\s*\})/g,
    meaning: ([whole, bare, braced]) => {
      const name = bare ?? braced ?? '';
      const given = Object.hasOwn(known, name) ? known[name] : undefined;
      if (given === `\${${name}}`) return { kind: 'variable', name };
      if (typeof given === 'string') return { kind: 'text', text: given };
      draft.remarks.push({
        field,
        why: `has ${whole}, which neither envs nor env_keys name: it is taken as it stands`,
      });
      return { kind: 'text', text: whole };
    },
  };
  return translateVariables(value, syntax, { platform: '', folder: undefined });
}

const uri: FieldRule = {
  becomes: '`url`, with what stands under `envs` put in',
  take(draft, field) {
    const value = readText(draft.from, field);
    if (value !== undefined) draft.entry['url'] = filled(draft, value, field);
  },
};

const headers: FieldRule = {
  becomes: '`headers`, with what stands under `envs` put in',
  take(draft, field) {
    const members = Object.entries(readTextMap(draft.from, field) ?? {});
    const values = members.map(([name, value]) => [name, filled(draft, value, `${field}.${name}`)] as const);
    draft.entry['headers'] = Object.fromEntries(values);
    // An address has no variables besides: those that it names are in their places by now.
    if (draft.entry['url'] !== undefined) delete draft.entry['env'];
  },
};

const clientId = authMember('clientId', (draft, field) => {
  const value = readText(draft.from, field);
  return value === undefined ? undefined : filled(draft, value, field);
});

const clientSecret = authMember('clientSecret', (draft, field) => {
  const name = readText(draft.from, field);
  if (name !== undefined) draft.remarks.push({ field, why: keyring });
  return name === undefined ? undefined : `\${${name}}`;
});

const ownTool = { refused: 'it is a part of Goose' } as const;

export const goose: Format = {
  id: 'goose',
  title: 'Goose',
  language: 'yaml',
  userFiles: (machine) => [
    ...named(machine, 'GOOSE_PATH_ROOT', ['config/config.yaml']),
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
    says: '`${NAME}` and `$NAME` in `uri` and `headers`, from `envs` and `env_keys`; none elsewhere',
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
    env_keys: variableNames(keyring),
    cwd,
    uri,
    client_id: clientId,
    client_secret_key: clientSecret,
    scopes: scopeList,
    headers,
    timeout: time('seconds'),
    enabled: enabledWhen(true),
    description: words('description'),
    available_tools: toolNames('allow', 'empty-is-all'),
    name: nothing,
    display_name: nothing,
    bundled: nothing,
  },
  refuses: (entry) =>
    typeof entry['socket'] === 'string' ? 'has socket: Trestle does not speak over Unix sockets' : undefined,
};
