/** Servers in the words of Codex. */
import { isObject, type JsonObject } from '../../base/index.ts';
import { parseReferences } from '../references.ts';
import { pairsOf, present, take, takeSignIn, textsOf, variableFor, type Writer } from './export-words.ts';

/** Codex replaces nothing in values: whole variables have members of their own, and parts of a value cannot be said. */
export function writeCodex(writer: Writer): JsonObject {
  const timeout = take(writer, 'timeout');
  const tools = take(writer, 'tools');
  const lists = isObject(tools) ? tools : {};
  if (lists['ask'] !== undefined) writer.remark('tools.ask', 'has no equal there');
  const shared = {
    enabled: take(writer, 'enabled') === false ? false : undefined,
    tool_timeout_sec: typeof timeout === 'number' ? timeout : undefined,
    enabled_tools: lists['allow'],
    disabled_tools: lists['deny'],
  };
  const url = literal(writer, 'url');
  if (url !== undefined) {
    take(writer, 'transport');
    return present({ url, ...codexHeaders(writer), ...codexSignIn(writer), ...shared });
  }
  const args = textsOf(take(writer, 'args'));
  return present({
    command: literal(writer, 'command'),
    args: args.map((text, index) => literalText(writer, `args[${index}]`, text)),
    ...codexEnvironment(writer),
    cwd: literal(writer, 'cwd'),
    ...shared,
  });
}

function codexSignIn(writer: Writer): JsonObject {
  const { scopes, ...oauth } =
    takeSignIn(writer, { clientId: 'client_id', scope: 'scopes' }, (text, field) => literalText(writer, field, text)) ??
    {};
  return {
    ...(Object.keys(oauth).length === 0 ? {} : { oauth }),
    ...(typeof scopes === 'string' ? { scopes: scopes.split(/\s+/) } : {}),
  };
}

function literal(writer: Writer, field: string): string | undefined {
  const value = take(writer, field);
  return typeof value === 'string' ? literalText(writer, field, value) : undefined;
}

/** A value in which nothing is replaced; a reference in it stays as it stands, and is named. */
function literalText(writer: Writer, field: string, text: string): string {
  const parts = parseReferences(text);
  if (parts.every(({ kind }) => kind === 'literal'))
    return parts.map((part) => (part.kind === 'literal' ? part.text : '')).join('');
  writer.remark(field, 'refers to a variable or a secret, which has no equal there: put the value in by hand');
  return text;
}

function codexEnvironment(writer: Writer): JsonObject {
  const names: string[] = [];
  const values: Record<string, string> = {};
  for (const [name, text] of pairsOf(take(writer, 'env'))) {
    const variable = wholeVariable(writer, `env.${name}`, text);
    if (variable === undefined) values[name] = literalText(writer, `env.${name}`, text);
    else {
      names.push(name);
      if (variable !== name)
        writer.remark(`env.${name}`, `is handed on by its name there: set ${name} to what ${variable} is`);
    }
  }
  return present({
    env: Object.keys(values).length === 0 ? undefined : values,
    env_vars: names.length === 0 ? undefined : names,
  });
}

function codexHeaders(writer: Writer): JsonObject {
  const values: Record<string, string> = {};
  const variables: Record<string, string> = {};
  let token: string | undefined;
  for (const [name, text] of pairsOf(take(writer, 'headers'))) {
    const field = `headers.${name}`;
    const bearer = name.toLowerCase() === 'authorization' && /^Bearer\s+/i.test(text);
    const variable = wholeVariable(writer, field, bearer ? text.replace(/^Bearer\s+/i, '') : text);
    if (variable === undefined) values[name] = literalText(writer, field, text);
    else if (bearer) token = variable;
    else variables[name] = variable;
  }
  const some = (members: Readonly<Record<string, string>>): JsonObject | undefined =>
    Object.keys(members).length === 0 ? undefined : members;
  return present({ bearer_token_env_var: token, http_headers: some(values), env_http_headers: some(variables) });
}

/** The variable that a value is wholly; a secret becomes one. */
function wholeVariable(writer: Writer, field: string, text: string): string | undefined {
  const [part, ...others] = parseReferences(text);
  if (part === undefined || others.length > 0) return undefined;
  if (part.kind === 'secret') return variableFor(writer, field, part.name);
  return part.kind === 'variable' && part.fallback === undefined ? part.name : undefined;
}
