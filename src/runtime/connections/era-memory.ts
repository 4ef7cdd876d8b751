/** `state/eras.json`: which era and link a definition spoke when it was last dialled. */
import { type Clock, type JsonObject, limits, type Log } from '../../base/index.ts';
import type { EraMemory, EraVerdict } from '../../session/index.ts';
import { openStoredMemory, type StoredMemory } from '../stored-memory.ts';

export type StoredEraMemory = EraMemory & StoredMemory<EraVerdict>;

/** The memory in `file`. */
export function openEraMemory(file: string, options: { readonly clock: Clock; readonly log: Log }): StoredEraMemory {
  return openStoredMemory({ file, subject: 'eras', most: limits.eraVerdicts, read: readVerdict, ...options });
}

function readVerdict({ era, link, fromSilence, atMs }: JsonObject): EraVerdict | undefined {
  if (era !== 'legacy' && era !== 'modern') return undefined;
  if (link !== 'stdio' && link !== 'streamable' && link !== 'sse' && link !== 'events') return undefined;
  if (typeof fromSilence !== 'boolean' || typeof atMs !== 'number') return undefined;
  return { era, link, fromSilence, atMs };
}
