/** Secrets known to this process, and their removal from text. */

export interface Redactor {
  /** Remembers a secret. Values under 8 characters are masked in our own messages only. */
  add(secret: string): void;
  /** Whether any secret of 8 or more characters is known. */
  readonly armed: boolean;
  /** Replaces every known secret, raw or encoded (base64, URL, JSON string), by `[redacted]`. For what servers send. */
  redact(text: string): string;
  /** As {@link Redactor.redact}, short secrets included. For what we say ourselves. */
  redactOwn(text: string): string;
}

export function createRedactor(): Redactor {
  throw new Error('not built');
}
