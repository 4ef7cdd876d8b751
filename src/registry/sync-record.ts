/**
 * What a sync is about to write, noted before it writes: after a crash it tells the files of the interrupted sync from
 * files that a person edited. The registry works without it; then every difference counts as an edit.
 */
import { isObject, type JsonObject, type JsonValue, prettyJson } from '../base/index.ts';
import type { JsonFile } from './json-file.ts';

export interface SyncRecord {
  /** The digest that meta.json has when the sync is complete. */
  readonly digest: string;
  /** Content digests that a tool's file may have without having been edited: the new one first, earlier ones after it. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
}

/** A chain of interrupted syncs may leave files of each; more than this many in a row count as edits. */
export const rememberedDigests = 4;

export function readSyncRecord(file: JsonFile): SyncRecord | undefined {
  if (file.state !== 'read' || typeof file.value['digest'] !== 'string') return undefined;
  const tools = isObject(file.value['tools']) ? file.value['tools'] : {};
  return {
    digest: file.value['digest'],
    tools: new Map(Object.entries(tools).map(([key, digests]) => [key, textsOf(digests)])),
  };
}

export function syncRecordText(record: SyncRecord): string {
  const value: JsonObject = { digest: record.digest, tools: Object.fromEntries(record.tools) };
  return prettyJson(value);
}

function textsOf(value: JsonValue): readonly string[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter((item) => typeof item === 'string') : [];
}
