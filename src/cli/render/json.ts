/** JSON for standard output: equal to the value when parsed, harmless when a terminal shows it. */
import { prettyJson } from '../../base/index.ts';
import type { Output } from '../output.ts';

// JSON.stringify escapes U+0000 to U+001F only. What else a terminal acts on: DEL, C1 controls, line separators, and format
// characters (bidirectional overrides, zero-width and tag characters).
const unsafe = /[\u007F-\u009F\u2028\u2029\p{Cf}]/gu;

/** `value` as indented JSON with a final newline; every control and format character is written as an escape. */
export function renderJson(value: unknown): string {
  return prettyJson(value).replace(unsafe, escapeUnits);
}

/** The members of our reports that hold sentences of our own, in which a command may stand. */
const ownWords: ReadonlySet<string> = new Set(['hint', 'why', 'problem', 'notices', 'notes']);

/** A report of ours as JSON, with the commands in its own words as they can be pasted; what servers say is left as it is. */
export function renderReport(report: object, { pasteable }: Pick<Output, 'pasteable'>): string {
  const told = (value: unknown): unknown => {
    if (typeof value === 'string') return pasteable(value);
    return Array.isArray(value) ? value.map(told) : value;
  };
  const mapped = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mapped);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, mapped(ownWords.has(key) ? told(member) : member)]),
    );
  };
  return renderJson(mapped(report));
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let unit = 0; unit < character.length; unit += 1) {
    escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
