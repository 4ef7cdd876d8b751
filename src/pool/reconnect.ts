/** P5's decisions: when a keep-alive entry is tried anew, and who may wait for it. Pure. */
import { type Chance, jittered, limits } from '../base/index.ts';

/** What is known when a keep-alive entry has lost its connection, or could not get one. */
export interface Loss {
  /** Tries since a connection held. */
  readonly tries: number;
  /** How long the lost connection had lasted, milliseconds; undefined when a dial failed. */
  readonly lastedMs: number | undefined;
}

export interface Retry {
  /** Counted from 1. */
  readonly attempt: number;
  readonly inMs: number;
}

/**
 * The next try; undefined when there have been enough. A connection is a success only once it has held for a while: a server that
 * shakes hands and dies would else be started for ever, each time as if for the first time.
 */
export function nextTry({ tries, lastedMs }: Loss, chance: Chance): Retry | undefined {
  const { firstPauseMs, longestPauseMs, shortestPauseMs, jitter, settledMs, tries: most } = limits.reconnect;
  const attempt = (lastedMs !== undefined && lastedMs >= settledMs ? 0 : tries) + 1;
  if (attempt > most) return undefined;
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
  return { attempt, inMs: Math.round(Math.max(shortestPauseMs, jittered(pauseMs, jitter, chance))) };
}

/** Whether a caller waits for the next try; else it is refused at once, since it could only wait in vain. */
export function waitsForTry(tryInMs: number, remainingMs: number): boolean {
  return tryInMs < remainingMs;
}
