/** Links by which a page installs a server into a tool: what they carry is an entry, as it stands in that tool's file. */
import { isObject, type JsonObject, type JsonValue, parseJson } from '../../base/index.ts';
import { notUnderstood } from './paste-command.ts';
import { splitWords } from './split-words.ts';

interface LinkForm {
  readonly begins: RegExp;
  /** A document with the server in it, as a person would paste it. */
  readonly read: (link: string) => JsonObject;
}

const forms: readonly LinkForm[] = [
  // A page that only leads on to the link itself.
  { begins: /^https:\/\/(?:insiders\.)?vscode\.dev\/redirect\/?\?url=/i, read: (link) => readLink(redirected(link)) },
  {
    begins:
      /^(?:vscode|vscode-insiders|vsweb\+mcp):\/?mcp\/install\?|^vsweb\+mcp:\/?install\?|^https:\/\/(?:insiders\.)?vscode\.dev\/redirect\/mcp\/install\?/i,
    read: readEditorLink,
  },
  {
    begins:
      /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?|^https:\/\/(?:www\.)?cursor\.com\/(?:[a-z-]+\/)?(?:install-mcp|link\/mcp(?:\/|%2F)install)\?/i,
    read: readCursorLink,
  },
  {
    begins: /^lmstudio:\/\/add_mcp\?|^https:\/\/lmstudio\.ai\/install-mcp\?|^https:\/\/kiro\.dev\/launch\/mcp\/add\?/i,
    read: readNamedLink,
  },
  { begins: /^goose:\/\/extension\?|^https:\/\/block\.github\.io\/goose\/extension\?/i, read: readGooseLink },
];

/** Whether `text` is a link that installs a server. */
export function isInstallLink(text: string): boolean {
  return /^\S+$/.test(text) && forms.some(({ begins }) => begins.test(text));
}

/** The document that a link carries. Throws `usage`. */
export function readLink(link: string): JsonObject {
  const form = forms.find(({ begins }) => begins.test(link));
  if (form === undefined) throw notUnderstood('it is a link that carries none');
  return form.read(link);
}

function redirected(link: string): string {
  const target = link.slice(link.indexOf('url=') + 'url='.length);
  // The link is written into the other one as it is, or encoded once more.
  return /^[\w+-]+:/.test(target) ? target : decoded(target);
}

/** `vscode:mcp/install?{entry}`, encoded, or with `name`, `config` and `inputs`. */
function readEditorLink(link: string): JsonObject {
  const query = queryOf(link);
  if (!/^\{|^%7B/i.test(query)) return readNamedLink(link);
  const { config, ...others } = objectIn(query);
  return isObject(config) ? { ...others, ...config } : { ...others, ...(config === undefined ? {} : { config }) };
}

/** Cursor takes a whole command line for `command`, and its own page makes links with one. */
function readCursorLink(link: string): JsonObject {
  const { config, ...others } = named(link);
  const { command, args } = config;
  const [program, ...rest] = typeof command === 'string' && args === undefined ? (splitWords(command) ?? []) : [];
  return document({ ...others, config: program === undefined ? config : { ...config, command: program, args: rest } });
}

function readNamedLink(link: string): JsonObject {
  return document(named(link));
}

interface Named {
  readonly name: string | undefined;
  readonly config: JsonObject;
  readonly inputs: JsonValue;
}

function named(link: string): Named {
  const parameters = parametersOf(link);
  const config = parameters.get('config');
  if (config === null) throw notUnderstood('the link has no config');
  const inputs = parameters.get('inputs');
  return {
    name: parameters.get('name') ?? undefined,
    config: objectIn(config),
    inputs: inputs === null ? [] : (valueIn(inputs) ?? []),
  };
}

/** Some links name the server inside of `config` alone. */
function document({ name, config, inputs }: Named): JsonObject {
  const [inner, ...others] = Object.entries(config);
  const isNamed =
    inner !== undefined && others.length === 0 && isObject(inner[1]) && config['mcpServers'] === undefined;
  const entry = isNamed ? (inner[1] as JsonObject) : config;
  const known = name ?? (isNamed ? inner[0] : undefined);
  return { ...(known === undefined ? {} : { name: known }), inputs, ...entry };
}

/** `goose://extension?cmd=npx&arg=-y&arg=some-server&env=TOKEN%3Dwhat+it+is`: its variables are asked for by name. */
function readGooseLink(link: string): JsonObject {
  const parameters = parametersOf(link);
  const name = parameters.get('id') ?? parameters.get('name') ?? undefined;
  const url = parameters.get('url');
  const pairs = (key: string): readonly (readonly [string, string])[] =>
    parameters.getAll(key).map((pair) => {
      const [first = '', ...rest] = pair.split('=');
      return [first, rest.join('=')];
    });
  const variables = pairs('env').map(([variable]) => [variable, `\${${variable}}`] as const);
  const described = name === undefined ? {} : { name };
  if (url !== null) {
    const transport = parameters.get('type') ?? parameters.get('transport');
    const headers = Object.fromEntries(pairs('header'));
    return { ...described, url, headers, ...(transport === 'sse' ? { type: 'sse' } : {}) };
  }
  const command = parameters.get('cmd');
  if (command === null) throw notUnderstood('the link has neither cmd nor url');
  return { ...described, command, args: parameters.getAll('arg'), env: Object.fromEntries(variables) };
}

const queryOf = (link: string): string => link.slice(link.indexOf('?') + 1);

function parametersOf(link: string): URLSearchParams {
  // A plus sign of Base64 stands there as it is, or encoded; a blank is no part of it.
  return new URLSearchParams(queryOf(link));
}

/** JSON, encoded for an address once or twice, or in Base64. */
function objectIn(text: string): JsonObject {
  const value = valueIn(text);
  if (isObject(value)) return value;
  throw notUnderstood('the link carries no JSON with a server in it');
}

function valueIn(text: string): JsonValue | undefined {
  const base64 = Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8');
  for (const candidate of [text, decoded(text), base64, decoded(base64)]) {
    if (!/^\s*[[{"]/.test(candidate)) continue;
    try {
      return parseJson(candidate);
    } catch {
      // Then it is the next form.
    }
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
