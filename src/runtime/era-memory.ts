/** `state/eras.json`: which era and link a definition spoke when it was last dialled. A cache: whatever is wrong with it is forgotten. */
import {
  type Clock,
  isObject,
  type JsonValue,
  limits,
  type Log,
  parseJson,
  prettyJson,
  readTextSync,
  type Timer,
  writeFileAtomic,
} from '../base/index.ts';
import type { EraMemory, EraVerdict } from '../session/index.ts';

export interface StoredEraMemory extends EraMemory {
  /** Writes what is not written yet. Never rejects. */
  close(): Promise<void>;
}

/** The memory in `file`; read at its first use, written a moment after changes. */
export function openEraMemory(file: string, options: { readonly clock: Clock; readonly log: Log }): StoredEraMemory {
  /** What this process learnt since it last wrote; undefined = forgotten. */
  const changes = new Map<string, EraVerdict | undefined>();
  let verdicts: Map<string, EraVerdict> | undefined;
  let timer: Timer | undefined;
  let writing: Promise<void> = Promise.resolve();

  const known = (): Map<string, EraVerdict> => (verdicts ??= readVerdicts(file));
  const write = async (): Promise<void> => {
    if (changes.size === 0) return;
    // Read again: another process may have learnt something meanwhile.
    const merged = readVerdicts(file);
    for (const [hash, verdict] of changes) {
      if (verdict === undefined) merged.delete(hash);
      else merged.set(hash, verdict);
    }
    changes.clear();
    const newest = [...merged].sort(([, a], [, b]) => b.atMs - a.atMs).slice(0, limits.eraVerdicts);
    try {
      await writeFileAtomic(file, prettyJson(Object.fromEntries(newest)), { mode: 0o600, durable: false });
    } catch (error) {
      options.log.warn(`eras are not remembered: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const flush = (): Promise<void> => {
    timer?.cancel();
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  const change = (hash: string, verdict: EraVerdict | undefined): void => {
    changes.set(hash, verdict);
    timer ??= options.clock.after(limits.eraWriteDelayMs, () => void flush(), { keepAlive: false });
  };

  return {
    get: (hash) => known().get(hash),
    set(hash, verdict) {
      known().set(hash, verdict);
      change(hash, verdict);
    },
    forget(hash) {
      if (known().delete(hash)) change(hash, undefined);
    },
    close: flush,
  };
}

function readVerdicts(file: string): Map<string, EraVerdict> {
  const verdicts = new Map<string, EraVerdict>();
  let stored: JsonValue;
  try {
    stored = parseJson(readTextSync(file) ?? '{}');
  } catch {
    return verdicts;
  }
  if (!isObject(stored)) return verdicts;
  for (const [hash, value] of Object.entries(stored)) {
    const verdict = readVerdict(value);
    if (verdict !== undefined) verdicts.set(hash, verdict);
  }
  return verdicts;
}

function readVerdict(value: JsonValue): EraVerdict | undefined {
  if (!isObject(value)) return undefined;
  const { era, link, fromSilence, atMs } = value;
  if (era !== 'legacy' && era !== 'modern') return undefined;
  if (link !== 'stdio' && link !== 'streamable' && link !== 'sse') return undefined;
  if (typeof fromSilence !== 'boolean' || typeof atMs !== 'number') return undefined;
  return { era, link, fromSilence, atMs };
}
