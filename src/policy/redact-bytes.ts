/** Secrets in what is handed on as bytes. */

/**
 * `bytes` with what `redact` replaces, where they are UTF-8 text: servers send text files as base64 too. Others (pictures, archives) stay
 * as they are, since another length would break them.
 */
export function redactBytes(bytes: Uint8Array, redact: (text: string) => string): Uint8Array {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
  const redacted = redact(text);
  return redacted === text ? bytes : new TextEncoder().encode(redacted);
}
