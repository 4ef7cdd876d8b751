/** Which configured values are secret (K4). */

/** Names of variables, headers and query parameters whose values are secret. */
const secretName = /KEY|TOKEN|SECRET|PASS|AUTH|CRED/i;

/** Whether a variable or a query parameter of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

const plainHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent']);

/** Whether a header of this name holds a secret: all do but three. */
export function isSecretHeader(name: string): boolean {
  return !plainHeaders.has(name.toLowerCase());
}

/** A header's value and the parts of it that a server may repeat alone: what follows the scheme, and what a Basic credential holds. */
export function headerSecrets(value: string): readonly string[] {
  const [, scheme, credential] = /^([A-Za-z][\w-]*)\s+(\S.*)$/.exec(value) ?? [];
  if (scheme === undefined || credential === undefined) return [value];
  if (scheme.toLowerCase() !== 'basic') return [value, credential];
  const pair = Buffer.from(credential, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? [value, credential] : [value, credential, pair, pair.slice(colon + 1)];
}

/**
 * What a program's arguments hold of secrets, by the names that stand before them: `--token abc`, `--token=abc`, `TOKEN=abc`, a header
 * (`Authorization: Bearer abc`), and what an address holds.
 */
export function argumentSecrets(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const { name, value } = namedArgument(arg, args[at - 1]);
    const named = name !== undefined && isSecretName(name) ? headerSecrets(value) : [];
    return [...named, ...addressSecrets(arg)];
  });
}

/** The name under which an argument's value is given, by itself or by the one before it; `from` is where the value begins. */
export function namedArgument(
  arg: string,
  before: string | undefined,
): { readonly name: string | undefined; readonly value: string; readonly from: number } {
  const [whole = '', name] = /^-{0,2}([\w.-]+)(?:=|:[ \t]*(?!\/\/))(?=.)/s.exec(arg) ?? [];
  if (name !== undefined) return { name, value: arg.slice(whole.length), from: whole.length };
  const isFlag = before !== undefined && /^--?[\w.-]+$/.test(before) && !arg.startsWith('-');
  return { name: isFlag ? before : undefined, value: arg, from: 0 };
}

/** The password and the secret parameters of an address in `text`, whatever its scheme: `postgres://me:abc@host/db`. */
export function addressSecrets(text: string): readonly string[] {
  if (!text.includes('://')) return [];
  const [, password] = /^[\w+.-]+:\/\/[^/?#@:\s]*:([^/?#@\s]+)@/.exec(text) ?? [];
  return [...(password === undefined ? [] : [password, decode(password)]), ...querySecrets(text)];
}

/** Values of secret query parameters, decoded and as written. */
export function querySecrets(url: string): readonly string[] {
  const query = url.split('#', 1)[0]?.split('?').slice(1).join('?') ?? '';
  return query.split('&').flatMap((pair) => {
    const [name = '', ...rest] = pair.split('=');
    const value = rest.join('=');
    return value !== '' && isSecretName(decode(name)) ? [value, decode(value)] : [];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
