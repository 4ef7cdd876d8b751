/** The forms in which a secret may come back. */

export interface SecretForm {
  readonly text: string;
  readonly base64: boolean;
  /** Base64 only: whether the next character still holds bits of the secret. */
  readonly partialEnd: boolean;
}

/** The secret itself and its encodings, without repetitions. */
export function encodedForms(secret: string): readonly SecretForm[] {
  const bytes = Buffer.from(secret, 'utf8');
  const texts = new Set([secret, ...percentForms(secret, bytes), ...jsonForms(secret), ...markupForms(secret)]);
  for (const hex of [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]) texts.add(hex);
  const plain = [...texts].map((text) => ({ text, base64: false, partialEnd: false }));
  return [...plain, ...[0, 1, 2].flatMap((offset) => base64Forms(bytes, offset))];
}

/**
 * The part of the secret's base64 that does not depend on what stands around it, when it begins `offset` bytes after a
 * group of three. Both alphabets.
 */
function base64Forms(bytes: Buffer, offset: number): readonly SecretForm[] {
  const bits = 8 * (offset + bytes.length);
  const core = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .slice(Math.ceil((8 * offset) / 6), Math.floor(bits / 6));
  const urlSafe = core.replaceAll('+', '-').replaceAll('/', '_');
  return [...new Set([core, urlSafe])].map((text) => ({ text, base64: true, partialEnd: bits % 6 !== 0 }));
}

function percentForms(secret: string, bytes: Buffer): readonly string[] {
  const whole = [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  // A lone surrogate cannot be percent-encoded; its replacement is what a server got.
  const component = encodeURIComponent(secret.toWellFormed());
  const strict = component.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const forms = [
    component,
    strict,
    encodeURI(secret.toWellFormed()),
    new URLSearchParams({ '': secret }).toString().slice(1),
    whole,
  ];
  return forms.flatMap((form) => [form, form.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

/** Inside a JSON string, inside JSON within a JSON string, and once more (a host's own JSON about both), with non-ASCII characters or slashes escaped. */
function jsonForms(secret: string): readonly string[] {
  const inner = (text: string): string => JSON.stringify(text).slice(1, -1);
  const once = inner(secret);
  const ascii = once.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [once, inner(once), inner(inner(once)), ascii, once.replaceAll('/', String.raw`\/`)];
}

function markupForms(secret: string): readonly string[] {
  const basic = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = basic.replaceAll('"', '&quot;');
  return [basic, quoted, quoted.replaceAll("'", '&#39;'), quoted.replaceAll("'", '&#x27;')];
}
