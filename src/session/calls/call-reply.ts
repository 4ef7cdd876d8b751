/** Reads the result of a `tools/call`, whatever shape it has, without losing any of it. */
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import type { CallReply } from '../session.ts';

/** The result with its members in the shapes of a {@link CallReply}. */
export function readCallReply(result: JsonObject): CallReply {
  // `resultType` says how the answer is to be read (2026-07-28), and has been.
  const { content, structuredContent, isError, _meta, resultType: _read, ...others } = result;
  return {
    ...others,
    content: readContent(content),
    // Some servers write the flag as text; what they mean by it is certain.
    isError: isError === true || isError === 'true',
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isObject(_meta) ? { _meta } : {}),
  };
}

/** A single block, or plain text, where a list belongs is taken for a list of one. */
function readContent(content: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(content)) return content as readonly JsonValue[];
  if (isObject(content)) return [content];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [];
}
