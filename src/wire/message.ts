/** Which JSON values are JSON-RPC messages; judging whether a message is a valid one is the session's work. */
import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';

/** An object that looks like a JSON-RPC message: parsed, unvalidated. */
export type Message = JsonObject;

/**
 * The messages in one parsed JSON value: itself, or the members of a batch (2025-03-26) one by one. `undefined` when it is
 * none, e.g. a log line in JSON; a batch may also hold things that are no messages, which are left out.
 */
export function readMessages(value: JsonValue): Message[] | undefined {
  if (!Array.isArray(value)) return looksLikeMessage(value) ? [value] : undefined;
  const messages = (value as readonly JsonValue[]).filter(looksLikeMessage);
  return messages.length === 0 ? undefined : messages;
}

/** Broken replies count too (no `jsonrpc`, both or neither of result and error), so that they fail the call they answer. */
function looksLikeMessage(value: JsonValue): value is Message {
  if (!isObject(value)) return false;
  if (Object.hasOwn(value, 'jsonrpc')) return true;
  return Object.hasOwn(value, 'id') && ['result', 'error', 'method'].some((member) => Object.hasOwn(value, member));
}

/** Whether it answers something that could not be read, so that it knows no id. */
export function isNamelessReply(message: Message): boolean {
  return !Object.hasOwn(message, 'method') && (message['id'] ?? null) === null;
}
