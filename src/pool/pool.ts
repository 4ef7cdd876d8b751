/**
 * The pool: one entry a key, one state an entry. Entries are dialled on first use, shared by concurrent first uses, closed
 * after idleness, dropped when their session ends.
 */
import type { Clock, Deadline, Log, Scope } from '../base/index.ts';
import type { Session, SessionInfo } from '../session/index.ts';

/** What a lease is asked for. */
export interface Target {
  /** Scope, defining file, server, definition hash and values digest in one string; equal keys share a session. */
  readonly key: string;
  readonly scope: Scope;
  readonly server: string;
  /** Identifies the definition whatever its values: entries of the same id and another key are old and are closed after their calls. */
  readonly definitionId: string;
  readonly lifecycle: 'lazy' | 'eager' | 'keep-alive';
  /** 0 = never closed for idleness. */
  readonly idleMs: number;
  /** Dials; must leave nothing behind when it rejects. */
  readonly dial: (deadline: Deadline) => Promise<Session>;
}

/** How a leased use ended; decides whether a sign of life is asked. */
export type LeaseEnd = 'finished' | 'timed-out' | 'cancelled';

export interface Lease {
  readonly session: Session;
  /** Gives the session back; exactly once. */
  release(end: LeaseEnd): void;
}

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

export interface PoolOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Default limits.poolEntries. */
  readonly maxEntries?: number;
}

export interface Pool {
  /** A lease on a ready session. Rejects with the dial's error, the deadline's reason, or `pool_full`. */
  acquire(target: Target, deadline: Deadline): Promise<Lease>;
  status(): readonly EntryStatus[];
  /** Closes every entry of the scope; resolves when no process of them is left. */
  closeScope(scope: Scope): Promise<void>;
  /** Closes the entries of a definition after their calls. */
  retire(definitionId: string): void;
  /** Closes everything; later acquires reject with `session_closed`. */
  close(): Promise<void>;
}

export function createPool(options: PoolOptions): Pool {
  throw new Error(`not built: ${Object.keys(options).length}`);
}
