/**
 * A small file of facts by key under `state/`, shared by processes. A cache: whatever is wrong with it is forgotten, and the oldest
 * facts go beyond a bound.
 */
import { dirname } from 'node:path';
import {
  type Clock,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  type Log,
  makePrivateFolderSync,
  parseJson,
  prettyJson,
  readTextSync,
  type Timer,
  writeFileAtomic,
} from '../base/index.ts';

/** A fact and when it was found, by {@link Clock.now}. */
export interface StoredFact {
  readonly atMs: number;
}

export interface StoredMemory<Fact extends StoredFact> {
  get(key: string): Fact | undefined;
  set(key: string, fact: Fact): void;
  forget(key: string): void;
  /** Writes what is not written yet. Never rejects. */
  close(): Promise<void>;
}

export interface StoredMemoryOptions<Fact extends StoredFact> {
  readonly file: string;
  /** What is remembered, for a warning that it cannot be: "eras". */
  readonly subject: string;
  /** Facts kept at most. */
  readonly most: number;
  /** Undefined for what is none. */
  readonly read: (value: JsonObject) => Fact | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The memory in a file; read at its first use, written a moment after changes. */
export function openStoredMemory<Fact extends StoredFact>(options: StoredMemoryOptions<Fact>): StoredMemory<Fact> {
  const { file, clock, log } = options;
  /** What this process learnt since it last wrote; undefined = forgotten. */
  const changes = new Map<string, Fact | undefined>();
  let facts: Map<string, Fact> | undefined;
  let timer: Timer | undefined;
  let writing: Promise<void> = Promise.resolve();

  const known = (): Map<string, Fact> => (facts ??= readFacts(options));
  const write = async (): Promise<void> => {
    if (changes.size === 0) return;
    // Read again: another process may have learnt something meanwhile.
    const merged = readFacts(options);
    for (const [key, fact] of changes) {
      if (fact === undefined) merged.delete(key);
      else merged.set(key, fact);
    }
    changes.clear();
    const newest = [...merged].sort(([, a], [, b]) => b.atMs - a.atMs).slice(0, options.most);
    const text = prettyJson(Object.fromEntries(newest));
    try {
      makePrivateFolderSync(dirname(file));
      await writeFileAtomic(file, text, { mode: 0o600, durable: false });
    } catch (error) {
      log.warn(`${options.subject} are not remembered: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const flush = (): Promise<void> => {
    timer?.cancel();
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  const change = (key: string, fact: Fact | undefined): void => {
    changes.set(key, fact);
    timer ??= clock.after(limits.memoryWriteDelayMs, () => void flush(), { keepAlive: false });
  };

  return {
    get: (key) => known().get(key),
    set(key, fact) {
      known().set(key, fact);
      change(key, fact);
    },
    forget(key) {
      if (known().delete(key)) change(key, undefined);
    },
    close: flush,
  };
}

function readFacts<Fact extends StoredFact>({ file, read }: StoredMemoryOptions<Fact>): Map<string, Fact> {
  const facts = new Map<string, Fact>();
  let stored: JsonValue;
  try {
    stored = parseJson(readTextSync(file) ?? '{}');
  } catch {
    return facts;
  }
  if (!isObject(stored)) return facts;
  for (const [key, value] of Object.entries(stored)) {
    const fact = isObject(value) ? read(value) : undefined;
    if (fact !== undefined) facts.set(key, fact);
  }
  return facts;
}
