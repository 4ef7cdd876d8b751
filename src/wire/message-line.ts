/** What one line of a server's output is. */
import { type JsonValue, limits, parseJson } from '../base/index.ts';
import type { JsonRpcId } from './link.ts';
import { type Message, readMessages } from './message.ts';
import { findReplyId } from './reply-id.ts';

export type Line =
  | { readonly kind: 'messages'; readonly messages: readonly Message[] }
  | { readonly kind: 'blank' }
  /** A reply that is no JSON but still says which request it answers: better a fault now than a time-out. */
  | { readonly kind: 'broken'; readonly id: JsonRpcId }
  | { readonly kind: 'noise' };

/**
 * JSON text as one line for every reader. Some end lines where JSON need not escape anything (Node's readline, Python's splitlines), and would
 * take a message with such a character apart.
 */
export function asOneLine(json: string): string {
  if (!/[\u0085\u2028\u2029]/.test(json)) return json;
  return json.replaceAll(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const byteOrderMark = 0xfe_ff;

export function readLine(text: string): Line {
  const first = firstCharacter(text);
  if (first === undefined) return { kind: 'blank' };
  // Most noise is told from JSON by its first character, without parsing.
  if (first !== '{' && first !== '[') return { kind: 'noise' };
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    const id = replyIdOf(text);
    return id === undefined ? { kind: 'noise' } : { kind: 'broken', id };
  }
  const messages = readMessages(value);
  return messages === undefined ? { kind: 'noise' } : { kind: 'messages', messages };
}

/** The first character that is neither white space nor a byte order mark. */
function firstCharacter(text: string): string | undefined {
  let at = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text[at];
}

/**
 * Only of what claims to be JSON-RPC: the id of a log line is nobody's. The end of a broken line says nothing, since braces
 * may be missing before it.
 */
function replyIdOf(text: string): JsonRpcId | undefined {
  const head = text.slice(0, limits.droppedLineHeadBytes);
  return /"jsonrpc"\s*:/.test(head) ? findReplyId(Buffer.from(head), Buffer.alloc(0)) : undefined;
}
