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
