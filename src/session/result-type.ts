/** The type of a modern result (2026-07-28, basic/index, "ResultType"; `task` is of the extension io.modelcontextprotocol/tasks). */
import { type JsonObject, limits, shorten, stringifyJson } from '../base/index.ts';
import { type Asked, brokenReply } from './reply.ts';

export type ResultType = 'complete' | 'input_required' | 'task';

/** The type; throws `broken_reply` when it is neither `complete` nor among `others`. */
export function resultTypeOf(result: JsonObject, asked: Asked, others: readonly ResultType[]): ResultType {
  // Servers of a draft leave it out.
  const named = result['resultType'] ?? 'complete';
  const type = (['complete', ...others] as const).find((known) => known === named);
  if (type !== undefined) return type;
  throw brokenReply(asked, `is of a type that cannot be used here (resultType ${quoted(named)})`);
}

function quoted(value: JsonObject[string]): string {
  return shorten(stringifyJson(value), limits.quotedCharacters);
}
