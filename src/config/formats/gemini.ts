/** Gemini CLI. */
import type { JsonObject } from '../../base/index.ts';
import { address, cwd, kind, list, text, textMap, words } from './reach-fields.ts';
import { oauth } from './sign-in-field.ts';
import { noEqual, time, toolNames } from './use-fields.ts';
import { inNamedFolder } from './folders.ts';
import { type Format, valueAt } from './format.ts';
import { looseShellVariables } from './variables.ts';

export const gemini: Format = {
  id: 'gemini',
  title: 'Gemini CLI',
  language: 'jsonc',
  userFiles: (machine) => [
    inNamedFolder(machine, { variable: 'GEMINI_CLI_HOME', usual: [] }, '.gemini', 'settings.json'),
  ],
  projectFiles: ['.gemini/settings.json'],
  key: 'mcpServers',
  blocks: (document) => [
    { at: ['mcpServers'], entries: valueAt(document, ['mcpServers']), disabled: (name) => isExcluded(document, name) },
  ],
  timeUnit: 'milliseconds',
  variables: looseShellVariables,
  fields: {
    command: text('command'),
    args: list('args'),
    env: textMap('env'),
    cwd,
    // Streamable HTTP is tried first, and then HTTP+SSE.
    url: text('url'),
    httpUrl: address('streamable'),
    type: kind({ stdio: null, http: 'streamable', sse: 'sse' }),
    headers: textMap('headers'),
    timeout: time('milliseconds'),
    description: words('description'),
    includeTools: toolNames('allow', 'empty-is-all'),
    excludeTools: toolNames('deny'),
    oauth: oauth({
      enabled: null,
      clientId: 'clientId',
      clientSecret: 'clientSecret',
      scopes: 'scope',
      issuer: 'issuer',
    }),
    trust: noEqual('whether a call is asked about is said by tools.ask'),
    authProviderType: noEqual('credentials of Google are not made', ['dynamic_discovery']),
    targetAudience: noEqual('credentials of Google are not made'),
    targetServiceAccount: noEqual('credentials of Google are not made'),
  },
  refuses: (entry) => (entry['tcp'] === undefined ? undefined : 'has tcp: Trestle does not speak over WebSockets'),
};

/** The settings say beside the entries which of them are used. */
function isExcluded(document: JsonObject, name: string): boolean {
  const excluded = valueAt(document, ['mcp', 'excluded']);
  const allowed = valueAt(document, ['mcp', 'allowed']);
  if (Array.isArray(excluded) && excluded.includes(name)) return true;
  return Array.isArray(allowed) && allowed.length > 0 && !allowed.includes(name);
}
