/** JSON for standard output: equal to the value when parsed, harmless when a terminal shows it. */
import { prettyJson } from '../../base/index.ts';

// JSON.stringify escapes U+0000 to U+001F only. What else a terminal acts on: DEL, C1 controls, line separators, and format
// characters (bidirectional overrides, zero-width and tag characters).
const unsafe = /[\u007F-\u009F\u2028\u2029\p{Cf}]/gu;

/** `value` as indented JSON with a final newline; every control and format character is written as an escape. */
export function renderJson(value: unknown): string {
  return prettyJson(value).replace(unsafe, escapeUnits);
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let unit = 0; unit < character.length; unit += 1) {
    escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
