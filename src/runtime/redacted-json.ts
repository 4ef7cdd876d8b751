import { parseJson } from '../base/index.ts';
import { mapText } from './map-text.ts';

/**
 * `value` as JSON without secrets, by `write`. The whole text is redacted at once; where that leaves no JSON, since a secret of digits
 * stood where JSON has no place for text, each text in it is.
 */
export function redactedJson<T>(value: T, write: (value: T) => string, redact: (text: string) => string): string {
  const text = write(value);
  const redacted = redact(text);
  return redacted === text || isJson(redacted) ? redacted : write(mapText(value, redact) as T);
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
