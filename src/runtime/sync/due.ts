/** R6's decision: whether a configured server has to be synced. */
import { isObject } from '../../base/index.ts';
import type { Definition } from '../../config/index.ts';
import type { ServerMeta } from '../../registry/index.ts';
import { recordedDefinition } from './record.ts';
import { placeholder } from './recorded-transport.ts';
import type { DueReason } from './reload-report.ts';

/** Members of meta.json that come from the definition alone. */
const definedMembers = ['transport', 'auth', 'lifecycle'] as const;

/** Pure: why `definition` has to be synced; undefined when the registry's record of it is in force. */
export function dueReason(definition: Definition, stored: ServerMeta | undefined): DueReason | undefined {
  if (stored === undefined) return { why: 'never-synced', differs: [] };
  // What a person wrote is replaced only by force.
  if (stored.syncedFrom === 'manual') return undefined;
  // Which secrets were known when the record was written is not known now: what was replaced in it may have been anything.
  const wanted = recordedDefinition(definition, (text) => text);
  const differs = definedMembers.filter((member) => !isRecordOf(stored[member], wanted[member]));
  return differs.length === 0 ? undefined : { why: 'changed', differs };
}

/** Whether `stored` may be what was recorded of `wanted`: equal, but for what was replaced in its texts. */
function isRecordOf(stored: unknown, wanted: unknown): boolean {
  if (typeof stored === 'string' && typeof wanted === 'string') return isTextOf(stored, wanted);
  if (Array.isArray(stored) && Array.isArray(wanted)) {
    return stored.length === wanted.length && stored.every((item, at) => isRecordOf(item, wanted[at]));
  }
  if (!isObject(stored) || !isObject(wanted)) return stored === wanted;
  const [names, wantedNames] = [Object.keys(stored), Object.keys(wanted)];
  return (
    names.length === wantedNames.length &&
    names.every((name) => Object.hasOwn(wanted, name) && isRecordOf(stored[name], wanted[name]))
  );
}

/** Each replaced part stands for any text; what is between has to come in its order. */
function isTextOf(stored: string, wanted: string): boolean {
  const [head = '', ...others] = stored.split(placeholder);
  const tail = others.pop();
  if (tail === undefined) return stored === wanted;
  if (!wanted.startsWith(head) || wanted.length < head.length + tail.length || !wanted.endsWith(tail)) return false;
  let at = head.length;
  for (const part of others) {
    const found = wanted.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + tail.length <= wanted.length;
}
