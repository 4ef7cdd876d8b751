/** What a host gets beside what the model sees: the raw result while it is small, else its size and where the whole is. */
import { type JsonObject, type JsonValue, limits, replaceIntegers } from '../base/index.ts';
import { type Failed, mapText } from '../runtime/index.ts';

/** What the raw part of an outcome's details is made of. */
export interface RawDetails {
  /** Member the raw value is given under: `result`, `contents`, … */
  readonly member: string;
  readonly raw: unknown;
  readonly maxBytes: number;
  /** The path of the whole; asked only where it is needed. */
  readonly whole: () => Promise<string | undefined>;
  /** Replaces known secrets. */
  readonly redact: (text: string) => string;
}

/**
 * Details are for hosts to keep, and most write them with `JSON.stringify`, which refuses bigint: an integer that a double cannot keep
 * becomes the text of its digits.
 */
const writable = (value: unknown): unknown => replaceIntegers(value, String);

/** `{ [member]: raw }` while it is small, else `{ summary: { member, overBytes, parts, path? } }`. */
export async function rawDetails({ member, raw, maxBytes, whole, redact }: RawDetails): Promise<JsonObject> {
  const small = wholeRaw({ raw, maxBytes, redact });
  if (small !== undefined) return { [member]: small };
  const parts = Array.isArray(raw) ? raw : contentOf(raw);
  const path = await whole();
  return { summary: { member, overBytes: maxBytes, parts: parts.length, ...(path === undefined ? {} : { path }) } };
}

/** The raw value whole, secrets replaced, integers as in details; undefined where it takes more bytes, or is nested too deeply to be read safely. */
export function wholeRaw({
  raw,
  maxBytes,
  redact,
}: Pick<RawDetails, 'raw' | 'maxBytes' | 'redact'>): JsonValue | undefined {
  return isWithin(raw, maxBytes) ? (mapText(writable(raw), redact) as JsonValue) : undefined;
}

/** The details of a failure; its own details (a server's error data, say) only while they are small. */
export function failureDetails(failed: Failed): JsonObject {
  const { details, ...failure } = failed.failure;
  const kept =
    details === undefined || !isWithin(details, limits.detailsBytes)
      ? failure
      : { ...failure, details: writable(details) };
  return { kind: failed.kind, execution: failed.execution, failure: kept as unknown as JsonObject };
}

function contentOf(raw: unknown): readonly unknown[] {
  const content: unknown = typeof raw === 'object' && raw !== null && 'content' in raw ? raw.content : undefined;
  return Array.isArray(content) ? content : [];
}

/** Deeper values are not given raw: whoever reads them may recurse. */
const deepest = 32;

/** Whether a value's JSON text takes at most `maxBytes`, without writing all of a large one. */
function isWithin(value: unknown, maxBytes: number): boolean {
  let leftBytes = maxBytes;
  const spend = (bytes: number): boolean => (leftBytes -= bytes) >= 0;
  const visit = (part: unknown, depth: number): boolean => {
    if (depth > deepest) return false;
    if (typeof part === 'string') return part.length <= leftBytes && spend(Buffer.byteLength(JSON.stringify(part)));
    if (typeof part !== 'object' || part === null) return spend(String(part).length);
    if (Array.isArray(part)) return spend(2) && part.every((item) => spend(1) && visit(item, depth + 1));
    return (
      spend(2) &&
      Object.entries(part).every(([name, member]) => spend(2) && visit(name, depth) && visit(member, depth + 1))
    );
  };
  return visit(value, 0);
}
