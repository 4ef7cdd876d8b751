/**
 * The optional stream on which a legacy server sends messages of its own (Streamable HTTP, "Listening for Messages"). It may fail
 * in any way without disturbing calls: it is asked for again with growing pauses, and given up when there is none to be had.
 */
import { delay, limits, type Clock } from '../../base/index.ts';

/** What one try came to: the stream was there and ended, it may come later, or there is none. */
export type StandbyTry = 'ended' | 'not-now' | 'none';

export interface StandbyOptions {
  readonly clock: Clock;
  /** Aborted when the link is over. */
  readonly signal: AbortSignal;
  /** Opens the stream and reads it to its end; calls `onRetry` when the server asks for a pause. Never rejects. */
  readonly attempt: (onRetry: (pauseMs: number) => void) => Promise<StandbyTry>;
}

/** Keeps the stream open as long as that makes sense. Never rejects. */
export async function keepStandbyStream({ clock, signal, attempt }: StandbyOptions): Promise<void> {
  const { tries, firstPauseMs, longestPauseMs, settledMs } = limits.standby;
  let leastPauseMs: number = firstPauseMs;
  let shortTries = 0;
  while (!signal.aborted && shortTries < tries) {
    const startedMs = clock.monotonicMs();
    const outcome = await attempt((pauseMs) => {
      leastPauseMs = clampRetry(pauseMs);
    });
    if (outcome === 'none') return;
    const held = outcome === 'ended' && clock.monotonicMs() - startedMs >= settledMs;
    shortTries = held ? 0 : shortTries + 1;
    await delay(clock, Math.min(leastPauseMs * 2 ** Math.max(0, shortTries - 1), longestPauseMs), signal);
  }
}

/** The pause a server asked for, within what is sensible. */
export function clampRetry(pauseMs: number): number {
  return Math.min(Math.max(pauseMs, limits.sseRetryMs.least), limits.sseRetryMs.most);
}

/** Whether a refused GET may be allowed later: what comes before us still holds the one stream, or the server is in trouble. */
export function mayComeLater(status: number): boolean {
  return status >= 500 || [408, 409, 425, 429].includes(status);
}
