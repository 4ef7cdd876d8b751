import type { Scope } from '../base/index.ts';
import type { SessionInfo } from '../session/index.ts';
import type { Target } from './target.ts';

/**
 * `waiting`: a keep-alive entry between two tries. `failed`: it gave up, and stays so until it is reset. `closing` gives no new
 * leases; it is over with its last call, or at once when it was closed.
 */
export type EntryState = 'dialling' | 'ready' | 'checking' | 'waiting' | 'failed' | 'closing';

/** The next try of an entry that reconnects by itself. */
export interface NextTry {
  readonly inMs: number;
  /** Counted from 1; starts anew once a connection has held. */
  readonly attempt: number;
  readonly of: number;
}

export interface EntryStatus {
  readonly server: string;
  readonly scope: Scope;
  readonly lifecycle: Target['lifecycle'];
  readonly state: EntryState;
  readonly info: SessionInfo | undefined;
  readonly callsInFlight: number;
  readonly idleMs: number;
  /** Milliseconds since the last sign of life, an earlier connection's too; undefined before the first. */
  readonly lastSignAgoMs: number | undefined;
  /** Signs of life asked in vain since the last one that came. */
  readonly misses: number;
  /** Set while the entry waits for it. */
  readonly nextTry: NextTry | undefined;
  /** Why it waits or failed: the first reason, to which later tries added theirs. */
  readonly reason: string | undefined;
}

/** What happened to an entry. Every change of its state is told as `state`; the other events are told beside it. */
export type EntryChange = {
  readonly server: string;
  readonly scope: Scope;
  readonly reason?: string;
} & (
  | {
      readonly event: 'state';
      /** `closed` when nothing of the entry is left. */
      readonly state: EntryState | 'closed';
    }
  | ({ readonly event: 'reconnecting' } & NextTry)
  | {
      readonly event: 'ready';
      /** Whether an earlier connection or try of the entry had failed: what is known of the server may be old. */
      readonly reconnected: boolean;
    }
  | {
      readonly event: 'gave-up';
      /** Tries made in vain. */
      readonly attempts: number;
    }
);
