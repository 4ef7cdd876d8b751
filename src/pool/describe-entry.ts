import type { EntryStatus } from './entry-status.ts';
import type { Past } from './held.ts';
import { heldIn, shownState, type State } from './state.ts';
import type { Target } from './target.ts';

/** What is known of an entry when its status is asked for. Times are Clock.monotonicMs. */
export interface KnownEntry {
  readonly target: Target;
  readonly state: State;
  readonly lastUsedMs: number;
  readonly past: Past;
  readonly nowMs: number;
}

/** The entry as `status` shows it. */
export function describeEntry({ target, state, lastUsedMs, past, nowMs }: KnownEntry): EntryStatus {
  const held = heldIn(state);
  const callsInFlight = held?.callsInFlight ?? 0;
  const { lastSignMs } = held?.past ?? past;
  return {
    server: target.server,
    scope: target.scope,
    lifecycle: target.lifecycle,
    state: shownState(state),
    info: held?.session.info,
    callsInFlight,
    idleMs: callsInFlight > 0 ? 0 : nowMs - lastUsedMs,
    lastSignAgoMs: lastSignMs === undefined ? undefined : Math.max(0, nowMs - lastSignMs),
    misses: held?.watch.misses ?? 0,
    nextTry: state.name === 'waiting' ? state.nextTry : undefined,
    reason: ('first' in state ? state.first : held?.session.reason)?.message,
  };
}
