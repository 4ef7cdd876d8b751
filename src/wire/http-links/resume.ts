/**
 * How a request's own stream goes on after a cut (legacy Streamable HTTP, "Resumability and Redelivery"): a GET names the last event
 * that came, and the server sends what followed it. Only reading goes on: the request itself is never sent again.
 */
import { delay, limits, type Clock, type TrestleError } from '../../base/index.ts';
import { eventIdValue } from './message-headers.ts';

/** How far the stream was read, and how long to wait after a cut. Kept from one part of the stream to the next. */
export interface Place {
  lastId: string | undefined;
  pauseMs: number;
}

/**
 * What one try came to: the stream was there and is cut again, it may come later, it is not to be had; or the reason for which the
 * request is over otherwise.
 */
export type ResumeTry = 'cut' | 'not-now' | 'none' | TrestleError;

export interface ResumeOptions {
  readonly clock: Clock;
  /** Ends the pause that runs, and the tries. */
  readonly signal: AbortSignal;
  readonly place: Place;
  /** Why the request is over when the stream does not go on. */
  readonly cut: TrestleError;
  /** Asks for what follows `eventId`, a header value, and reads it. Never rejects. */
  readonly attempt: (eventId: string) => Promise<ResumeTry>;
}

export function startPlace(): Place {
  return { lastId: undefined, pauseMs: limits.resume.pauseMs };
}

/** What goes into `Last-Event-ID`; undefined where the server gave nothing to go on from. */
export function eventIdOf({ lastId }: Place): string | undefined {
  return lastId === undefined ? undefined : eventIdValue(lastId);
}

/** Tries until the stream was read to its end or there is none; resolves with the reason for a request that was not answered. */
export async function resumeStream({ clock, signal, place, cut, attempt }: ResumeOptions): Promise<TrestleError> {
  const { most, failuresInRow } = limits.resume;
  let failures = 0;
  for (let tries = 0; tries < most && failures < failuresInRow; tries += 1) {
    const eventId = eventIdOf(place);
    if (eventId === undefined) return cut;
    // A server that cuts on purpose is asked at its own pace; one in trouble more and more slowly.
    await delay(clock, Math.min(place.pauseMs * 2 ** failures, limits.sseRetryMs.most), signal);
    if (signal.aborted) return cut;
    const outcome = await attempt(eventId);
    if (outcome === 'none') return cut;
    if (outcome !== 'cut' && outcome !== 'not-now') return outcome;
    failures = outcome === 'cut' ? 0 : failures + 1;
  }
  return cut;
}
