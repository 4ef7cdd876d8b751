/** Secrets written out in an entry, and the entry with references to kept secrets in their place. */
import { isObject, type JsonObject, type JsonValue, nameDigest, secretNameProblem } from '../../base/index.ts';
import { secretAuthMembers } from '../auth.ts';
import { isSecretHeader, isSecretName, namedArgument } from '../secrets.ts';

/** One secret that stood in an entry. */
export interface MovedSecret {
  /** Where it stands: `env.GITHUB_TOKEN`. */
  readonly member: string;
  /** What it is kept as. */
  readonly secret: string;
  readonly value: string;
}

export interface WithoutSecrets {
  readonly entry: JsonObject;
  readonly secrets: readonly MovedSecret[];
}

/**
 * The entry of a server with `${keychain:…}` for every literal secret. The names of secrets are always the
 * same for the same entry (`github.env.GITHUB_TOKEN`), and unlike those that a person makes up.
 */
export function withoutSecrets(server: string, entry: JsonObject, folder: string | undefined): WithoutSecrets {
  const secrets: MovedSecret[] = [];
  const project = folder === undefined ? '' : `-${nameDigest(folder).slice(0, 8)}`;
  const move = (value: string, member: string, label: string): string => {
    const [part = ''] = member.split(/[.[]/, 1);
    const beginning = `${server}.${part}.${label.replaceAll(/[^\w.-]+/g, '-').replace(/^-+/, '')}`;
    const secret = freeName(secrets, value, (number) => `${beginning}${number === 1 ? '' : `-${number}`}${project}`);
    if (!isLiteral(value) || secretNameProblem(secret) !== undefined) return value;
    secrets.push({ member, secret, value });
    return `\${keychain:${secret}}`;
  };
  const moved = {
    ...entry,
    ...members(entry['env'], 'env', (name, value) => (isSecretName(name) ? move(value, `env.${name}`, name) : value)),
    ...members(entry['headers'], 'headers', (name, value) =>
      isSecretHeader(name) ? credential(value, (secret) => move(secret, `headers.${name}`, name)) : value,
    ),
    ...members(entry['auth'], 'auth', (name, value) =>
      secretAuthMembers.some((secret) => secret === name) ? move(value, `auth.${name}`, name) : value,
    ),
    ...args(entry['args'], move),
    ...(typeof entry['url'] === 'string'
      ? { url: address(entry['url'], (secret, label) => move(secret, 'url', label)) }
      : {}),
  };
  return { entry: moved, secrets };
}

/** The first name under which nothing is kept yet, or this value. */
function freeName(secrets: readonly MovedSecret[], value: string, name: (number: number) => string): string {
  for (let number = 1; ; number += 1) {
    const candidate = name(number);
    const kept = secrets.find(({ secret }) => secret === candidate);
    if (kept === undefined || kept.value === value) return candidate;
  }
}

/** A text with nothing of Trestle's references in it. */
function isLiteral(value: string): boolean {
  return value.trim() !== '' && !value.includes('${') && !value.startsWith('$env:');
}

function members(
  value: JsonValue | undefined,
  to: 'env' | 'headers' | 'auth',
  change: (name: string, value: string) => string,
): JsonObject {
  if (!isObject(value)) return {};
  const changed = Object.entries(value).map(([name, member]) => [
    name,
    typeof member === 'string' ? change(name, member) : member,
  ]);
  return { [to]: Object.fromEntries(changed) as JsonObject };
}

function args(
  value: JsonValue | undefined,
  move: (value: string, member: string, label: string) => string,
): JsonObject {
  if (!Array.isArray(value)) return {};
  const items: readonly JsonValue[] = value;
  const changed = items.map((item, index) => {
    if (typeof item !== 'string') return item;
    const before = items[index - 1];
    const { name, value: given, from } = namedArgument(item, typeof before === 'string' ? before : undefined);
    if (name === undefined || !isSecretName(name))
      return address(item, (secret, label) => move(secret, `args[${index}]`, label));
    return item.slice(0, from) + credential(given, (secret) => move(secret, `args[${index}]`, name));
  });
  return { args: changed };
}

/** The scheme of a credential is no secret: `Bearer abc` keeps its first word. */
function credential(value: string, move: (secret: string) => string): string {
  const [, scheme, secret] = /^(Bearer\s+|Basic\s+|token\s+)(\S.*)$/i.exec(value) ?? [];
  return scheme === undefined || secret === undefined ? move(value) : scheme + move(secret);
}

/** An address with its password and the secret parameters moved, each as it is written there; other texts as they are. */
function address(text: string, move: (secret: string, label: string) => string): string {
  if (!text.includes('://')) return text;
  const withoutPassword = text.replace(
    /^([\w+.-]+:\/\/[^/?#@:\s]*:)([^/?#@\s]+)(?=@)/,
    (_whole, before: string, password: string) => before + move(password, 'password'),
  );
  return withoutPassword
    .split(/(?=[?&])/)
    .map((part) => {
      const [, before, name, value] = /^([?&]([^=&#\s]+)=)([^&#\s]+)/.exec(part) ?? [];
      if (before === undefined || name === undefined || value === undefined || !isSecretName(name)) return part;
      return before + move(value, name) + part.slice(before.length + value.length);
    })
    .join('');
}
