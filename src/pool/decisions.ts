/** What the pool decides, as functions of plain facts: no clock, no session, nothing to wait for. */
import type { EntryState } from './entry-status.ts';
import type { Target } from './target.ts';

/** What is known of an entry when something is decided about it. */
export interface EntryFacts {
  readonly state: EntryState;
  readonly lifecycle: 'lazy' | 'eager' | 'keep-alive';
  readonly callsInFlight: number;
  /** Acquires that wait for this entry. */
  readonly waiting: number;
  /** Clock.monotonicMs of the last grant or release. */
  readonly lastUsedMs: number;
  /** 0 = never closed for idleness. */
  readonly idleMs: number;
}

/** Whether nobody uses or waits for the entry. */
export function isIdle(facts: EntryFacts): boolean {
  return facts.state === 'ready' && facts.callsInFlight === 0 && facts.waiting === 0;
}

/** Whether the entry is one that stays by itself: kept alive, and neither given up nor at its end. */
export function isKept({ lifecycle, state }: Pick<EntryFacts, 'lifecycle' | 'state'>): boolean {
  return lifecycle === 'keep-alive' && state !== 'failed' && state !== 'closing';
}

/**
 * The entry that makes room for another one: one that gave up, since it holds nothing but its reason; else the least recently used
 * idle one, never a keep-alive one, whether it is connected or waits for its next try.
 */
export function entryToEvict<T extends EntryFacts>(entries: Iterable<T>): T | undefined {
  let chosen: T | undefined;
  for (const entry of entries) {
    const gaveUp = entry.state === 'failed';
    if (!gaveUp && (entry.lifecycle === 'keep-alive' || !isIdle(entry))) continue;
    if (chosen === undefined || goesBefore(entry, chosen)) chosen = entry;
  }
  return chosen;
}

function goesBefore(entry: EntryFacts, other: EntryFacts): boolean {
  if ((entry.state === 'failed') !== (other.state === 'failed')) return entry.state === 'failed';
  return entry.lastUsedMs < other.lastUsedMs;
}

/** When an entry is to be closed for idleness (Clock.monotonicMs); undefined while it is used, or when it never is. */
export function idleEndMs(facts: EntryFacts): number | undefined {
  if (facts.lifecycle === 'keep-alive' || facts.idleMs === 0 || !isIdle(facts)) return undefined;
  return facts.lastUsedMs + facts.idleMs;
}

type Identity = Pick<Target, 'key' | 'definitionId' | 'definitionHash' | 'scope' | 'caller' | 'lifecycle'>;

/**
 * Whether `entry` is an old one of what `wanted` asks for, and to be closed after its calls: its definition had another form, or
 * its caller has other values now. Another caller's entry may rest on other values and goes by its own idleness, unless it has
 * none; another scope's is left alone, where `shared` on either side means that the definition itself changed.
 */
export function isSuperseded(entry: Identity, wanted: Identity): boolean {
  if (entry.definitionId !== wanted.definitionId || entry.key === wanted.key) return false;
  if (entry.scope !== wanted.scope) return entry.scope === 'shared' || wanted.scope === 'shared';
  if (entry.definitionHash !== wanted.definitionHash || entry.caller === wanted.caller) return true;
  return entry.lifecycle === 'keep-alive';
}
