/** An entry of which nobody knows for which tool it was written: what all of them have, under every name that it has in one. */
import { isObject } from '../../base/index.ts';
import { readAny } from '../members.ts';
import type { FieldRule } from './field-rule.ts';
import type { EntryFormat } from './format.ts';
import { cwd, kind, list, text, textMap, words } from './reach-fields.ts';
import { oauth } from './sign-in-field.ts';
import { enabledWhen, noEqual, nothing, same, toolNames } from './use-fields.ts';
import { editorVariables, type VariableSyntax } from './variables.ts';

/**
 * `${NAME}` as most tools write it, and the editors' forms. A variable that the entry itself sets is one of its program: none of the
 * tools would find it in their own environment (`mcp-remote` fills its `--header` so).
 */
const variables: VariableSyntax = {
  says: '`${NAME}`, `${NAME:-default}` and those of editors',
  pattern: /\$\{([^}]*)\}/g,
  meaning: (match, place) => {
    const [whole, inner = ''] = match;
    const [name = '', ...fallback] = inner.split(':-');
    if (!/^[A-Z_][A-Z0-9_]*$/i.test(name) || /^(workspaceFolder|userHome|pathSeparator)/.test(name)) {
      return editorVariables.meaning?.(match, place) ?? { kind: 'text', text: whole };
    }
    if (place.ownVariables?.has(name) === true && fallback.length === 0) return { kind: 'text', text: whole };
    return { kind: 'variable', name, fallback: fallback.length === 0 ? undefined : fallback.join(':-') };
  },
};

const transport = kind({
  stdio: null,
  local: null,
  remote: null,
  http: null,
  sse: 'sse',
  'streamable-http': 'streamable',
  streamableHttp: 'streamable',
  streamable_http: 'streamable',
  auto: null,
  streamable: 'streamable',
  events: 'events',
  ws: { refused: 'Trestle does not speak over WebSockets' },
});

const signIn = oauth({
  clientId: 'clientId',
  client_id: 'clientId',
  CLIENT_ID: 'clientId',
  clientSecret: 'clientSecret',
  client_secret: 'clientSecret',
  CLIENT_SECRET: 'clientSecret',
  scope: 'scope',
  scopes: 'scope',
  callbackPort: 'redirectPort',
  callback_port: 'redirectPort',
  issuer: 'issuer',
  enabled: null,
});

/** Trestle's own member, or Cursor's of the same name. */
const auth: FieldRule = {
  becomes: '`auth`',
  take(draft, field) {
    const value = readAny(draft.from, field);
    (isObject(value) && Object.hasOwn(value, 'CLIENT_ID') ? signIn : same).take(draft, field);
  },
};

/** Trestle's own lists, or the one list of those that may be called, in which `*` is all of them. */
const tools: FieldRule = {
  becomes: '`tools`',
  take(draft, field) {
    const value = readAny(draft.from, field);
    if (!Array.isArray(value)) same.take(draft, field);
    else if (!value.includes('*')) toolNames('allow').take(draft, field);
  },
};

const asked = noEqual('whether a call is asked about is said by tools.ask');

export const snippet: EntryFormat = {
  variables,
  fields: {
    command: text('command'),
    args: list('args'),
    env: textMap('env', 'loose'),
    environment: textMap('env', 'loose'),
    cwd,
    url: text('url'),
    serverUrl: text('url'),
    httpUrl: text('url'),
    headers: textMap('headers'),
    type: transport,
    transport,
    transportType: transport,
    description: words('description'),
    disabled: enabledWhen(false),
    enabled: enabledWhen(true),
    timeout: noEqual('some tools count seconds and some milliseconds: give --timeout'),
    envFile: noEqual('variables are not read from files; put them into env'),
    oauth: signIn,
    // What only Trestle knows was written for it.
    auth,
    tools,
    framing: same,
    idleTimeoutMinutes: same,
    lifecycle: same,
    protocol: same,
    protocolVersions: same,
    redirects: same,
    sharing: same,
    includeTools: toolNames('allow', 'empty-is-all'),
    excludeTools: toolNames('deny'),
    disabledTools: toolNames('deny'),
    alwaysAllow: asked,
    autoApprove: asked,
    trust: asked,
    name: nothing,
    inputs: nothing,
    gallery: nothing,
    version: nothing,
  },
};
