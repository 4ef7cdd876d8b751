/** A segment as one line of text, and back: what came from another version, or from somebody's editor, counts as none. */
import { isObject, type JsonValue, parseJson, stringifyJson } from '../../base/index.ts';
import { fields } from './fields.ts';
import { type SearchedTool, type Segment, totalsOf } from './segment.ts';

/** Where each line begins, so that a reader knows whose it is without parsing it. */
const head = /^\{"server":"([^"\\]+)","stamp":"([^"\\]*)"/;

export function segmentText({ server, stamp, tools, words, starts, postings, lengths }: Segment): string {
  return stringifyJson({
    server,
    stamp,
    tools,
    words: words.join(' '),
    starts: encoded(starts),
    postings: encoded(postings),
    lengths: encoded(lengths),
  });
}

/** Server and stamp of a line. */
export function segmentHead(line: string): { readonly server: string; readonly stamp: string } | undefined {
  const [, server, stamp] = head.exec(line) ?? [];
  return server === undefined || stamp === undefined ? undefined : { server, stamp };
}

export function readSegment(line: string): Segment | undefined {
  const raw = parsed(line);
  if (!isObject(raw)) return undefined;
  const { server, stamp, tools } = raw;
  const words = typeof raw['words'] === 'string' ? (raw['words'] === '' ? [] : raw['words'].split(' ')) : undefined;
  const [starts, postings, lengths] = [decoded(raw['starts']), decoded(raw['postings']), decoded(raw['lengths'])];
  if (typeof server !== 'string' || typeof stamp !== 'string' || !isToolList(tools)) return undefined;
  if (words === undefined || starts === undefined || postings === undefined || lengths === undefined) return undefined;
  const fits =
    lengths.length === tools.length * fields.length &&
    starts.length === words.length + 1 &&
    starts.at(-1) === postings.length;
  return fits ? { server, stamp, tools, words, starts, postings, lengths, totals: totalsOf(lengths) } : undefined;
}

function isToolList(raw: JsonValue | undefined): raw is readonly (JsonValue & SearchedTool)[] {
  const isText = (value: JsonValue | undefined): boolean => typeof value === 'string';
  return (
    Array.isArray(raw) &&
    (raw as readonly JsonValue[]).every(
      (tool) => isObject(tool) && isText(tool['name']) && isText(tool['key']) && isText(tool['description']),
    )
  );
}

function encoded(numbers: Uint32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
}

function decoded(text: JsonValue | undefined): Uint32Array | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64');
  // Copied: a small buffer begins anywhere in a shared one, and numbers of four bytes cannot.
  return bytes.length % 4 === 0 ? new Uint32Array(Uint8Array.from(bytes).buffer) : undefined;
}

function parsed(line: string): JsonValue | undefined {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
