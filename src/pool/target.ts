import type { Deadline, Scope, TrestleError } from '../base/index.ts';
import type { Session } from '../session/index.ts';

/** What a lease is asked for. */
export interface Target {
  /** Scope, defining file, server, definition hash and values digest in one string; equal keys share a session. */
  readonly key: string;
  readonly scope: Scope;
  readonly server: string;
  /** Identifies the definition whatever its form and values. */
  readonly definitionId: string;
  /** Its present form. */
  readonly definitionHash: string;
  /** On whose behalf: one object for one caller. */
  readonly caller: object;
  readonly lifecycle: 'lazy' | 'eager' | 'keep-alive';
  /** 0 = never closed for idleness. */
  readonly idleMs: number;
  /** Idle limit of a dial that nobody waits for. */
  readonly dialIdleMs: number;
  /** Told when a session came after an earlier one, or an earlier try, had failed. */
  readonly onReconnected?: (() => void) | undefined;
  /** Dials; must leave nothing behind when it rejects. Its deadline is over when nobody waits for the session any more. */
  readonly dial: (deadline: Deadline) => Promise<Session>;
}

/**
 * How a leased use ended. After `timed-out`, `cancelled` and `broken` (its own connection failed, which may be all of the server's)
 * a sign of life is asked; after `lost` (the server has forgotten the
 * session) the entry gives no new leases.
 */
export type LeaseEnd = 'finished' | 'timed-out' | 'cancelled' | 'broken' | 'lost';

export interface Lease {
  readonly session: Session;
  /** Set when the session was closed on purpose, with its scope or with Trestle: its users must not go on with another one. */
  readonly refusal: TrestleError | undefined;
  /** Gives the session back; exactly once. */
  release(end: LeaseEnd): void;
}
