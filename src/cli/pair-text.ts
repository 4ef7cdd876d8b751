/** One argument of `call` as it is typed. */
import { jsonEquals, type JsonValue, stringifyJson } from '../base/index.ts';
import { typeArgument } from '../policy/index.ts';

/** `key=value` where that is typed back to `value`, else `key:=json`. */
export function pairText(schema: JsonValue, key: string, value: JsonValue): string {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return jsonEquals(typeArgument(schema, key, text), value) ? `${key}=${text}` : `${key}:=${stringifyJson(value)}`;
}
