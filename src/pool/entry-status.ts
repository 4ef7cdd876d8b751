import type { Scope } from '../base/index.ts';
import type { SessionInfo } from '../session/index.ts';

/** `closing` gives no new leases; it is over with its last call, or at once when it was closed. */
export type EntryState = 'dialling' | 'ready' | 'checking' | 'closing' | 'failed';

export interface EntryStatus {
  readonly server: string;
  readonly scope: Scope;
  readonly state: EntryState;
  readonly info: SessionInfo | undefined;
  readonly callsInFlight: number;
  readonly idleMs: number;
  /** Milliseconds since the last sign of life; undefined before the first. */
  readonly lastSignAgoMs: number | undefined;
  readonly reason: string | undefined;
}

/** An entry has another state; `closed` when nothing of it is left. */
export interface EntryChange {
  readonly server: string;
  readonly scope: Scope;
  readonly state: EntryState | 'closed';
  readonly reason?: string;
}
