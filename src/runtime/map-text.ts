/** Deeper than this nothing is shown: values come from servers, and recursion must end. */
const deepest = 32;

/**
 * A copy of plain data with every text in it (names of members too) mapped; what is nested too deeply becomes `…`. An
 * integer that no double can keep stays one unless its digits are mapped: a secret may be made of digits.
 */
export function mapText(value: unknown, map: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value === 'bigint') {
    const mapped = map(String(value));
    return mapped === String(value) ? value : mapped;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.map((item) => mapText(item, map, depth + 1));
  // From entries, so that a member called `__proto__` stays a member.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [map(name), mapText(member, map, depth + 1)]),
  );
}
