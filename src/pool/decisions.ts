/** What the pool decides, as functions of plain facts: no clock, no session, nothing to wait for. */
import type { Scope } from '../base/index.ts';
import type { EntryState } from './entry-status.ts';

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

/** The entry that makes room for another one: the least recently used idle one, never a keep-alive one. */
export function entryToEvict<T extends EntryFacts>(entries: Iterable<T>): T | undefined {
  let chosen: T | undefined;
  for (const entry of entries) {
    if (entry.lifecycle === 'keep-alive' || !isIdle(entry)) continue;
    if (chosen === undefined || entry.lastUsedMs < chosen.lastUsedMs) chosen = entry;
  }
  return chosen;
}

/** When an entry is to be closed for idleness (Clock.monotonicMs); undefined while it is used, or when it never is. */
export function idleEndMs(facts: EntryFacts): number | undefined {
  if (facts.lifecycle === 'keep-alive' || facts.idleMs === 0 || !isIdle(facts)) return undefined;
  return facts.lastUsedMs + facts.idleMs;
}

interface Identity {
  readonly key: string;
  readonly definitionId: string;
  readonly scope: Scope;
}

/**
 * Whether `entry` stands for an older form of the definition that `wanted` asks for. Another scope's entry may rest on other
 * values and is left alone; `shared` on either side means that the definition itself changed.
 */
export function isSuperseded(entry: Identity, wanted: Identity): boolean {
  if (entry.definitionId !== wanted.definitionId || entry.key === wanted.key) return false;
  return entry.scope === wanted.scope || entry.scope === 'shared' || wanted.scope === 'shared';
}

/** What is known after a sign of life was asked. Times are Clock.monotonicMs. */
export interface LifeFacts {
  /** Whether the sign came. */
  readonly signed: boolean;
  /** Start of the call whose end made us ask. */
  readonly callStartedMs: number;
  /** Last sign of another call: traffic while one is in flight, else the end of the last one that was answered. */
  readonly trafficMs: number | undefined;
  readonly othersInFlight: number;
  readonly askedMs: number;
  readonly nowMs: number;
  /** How long traffic counts as life. */
  readonly trafficWithinMs: number;
}

/** Whether a server is alive after one of its calls timed out or was cancelled. `undecided`: look again a little later. */
export function lifeVerdict(facts: LifeFacts): 'alive' | 'dead' | 'undecided' {
  if (facts.signed) return 'alive';
  const { trafficMs, nowMs, trafficWithinMs } = facts;
  // Traffic from before the call says nothing about what the call did to the server.
  const duringTheCall = trafficMs !== undefined && trafficMs > facts.callStartedMs;
  if (duringTheCall && nowMs - trafficMs < trafficWithinMs) return 'alive';
  if (facts.othersInFlight === 0 || nowMs - facts.askedMs >= trafficWithinMs) return 'dead';
  return 'undecided';
}
