/** What is concluded from signs of life and their absence, as functions of plain facts. Times are Clock.monotonicMs. */
import { limits } from '../base/index.ts';
import type { SessionInfo } from '../session/index.ts';
import type { Target } from './target.ts';

/** What is known after a sign of life was asked because a call timed out or was cancelled (S10). */
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

/** What is known of a connection when it is to be decided whether it is asked for a sign of life (P4). */
export interface WatchFacts {
  readonly lifecycle: Target['lifecycle'];
  readonly link: SessionInfo['link'];
  readonly era: SessionInfo['era'];
  /** When the connection was made. */
  readonly sinceMs: number;
  /** Start of the oldest call in flight; undefined when there is none. */
  readonly oldestCallMs: number | undefined;
  /** When a sign was last asked; undefined before the first time. */
  readonly askedMs: number | undefined;
  /** Whether an answer to that is being waited for. */
  readonly asking: boolean;
  /** Questions in a row that nothing came after. */
  readonly misses: number;
  /** Whether the server ever answered such a question. */
  readonly everAnswered: boolean;
  readonly nowMs: number;
}

/** `rest`: there is nothing to watch; it is decided anew when a call begins or ends, or an answer comes. */
export type WatchStep =
  | { readonly act: 'rest' }
  | { readonly act: 'wait'; readonly untilMs: number }
  | { readonly act: 'ask' }
  | { readonly act: 'dead' };

/** What to do about a connection's life now. */
export function watchStep(facts: WatchFacts): WatchStep {
  const { lifecycle, oldestCallMs, askedMs, nowMs } = facts;
  // Modern HTTP has no connection that could die, and no question.
  if (facts.era === 'modern' && facts.link !== 'stdio') return { act: 'rest' };
  if (lifecycle !== 'keep-alive' && oldestCallMs === undefined) return { act: 'rest' };
  if (isDead(facts)) return { act: 'dead' };
  if (facts.asking) return { act: 'rest' };
  const watchedMs = lifecycle === 'keep-alive' ? facts.sinceMs : (oldestCallMs ?? nowMs);
  const untilMs = Math.max(watchedMs, askedMs ?? watchedMs) + limits.lifeEveryMs;
  return untilMs <= nowMs ? { act: 'ask' } : { act: 'wait', untilMs };
}

function isDead({ misses, everAnswered, link, oldestCallMs }: WatchFacts): boolean {
  // A server that never answered may not know the question.
  if (misses < limits.lifeMisses || !everAnswered) return false;
  // Many servers do nothing else while a tool runs: the call's own deadline decides then. Over HTTP that is no excuse.
  return link !== 'stdio' || oldestCallMs === undefined;
}
